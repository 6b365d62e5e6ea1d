"""Files of judgments as an import: items, both models' replies, votes, labels, a draft contract."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from eval_pipeline.cli.drafting.judged_draft import put_judged_draft
from eval_pipeline.cli.drafting.judged_rows import JudgedDraft, gathered
from eval_pipeline.cli.drafting.vote_files import Bench, Given, Imported, Refused, given_rows
from eval_pipeline.cli.drafting.vote_files import import_votes as add_votes
from eval_pipeline.contracts.part import TruthRule
from eval_pipeline.contracts.targets import checkpoint_facts, targets
from eval_pipeline.ingest.imports.names import Names, proposed_name
from eval_pipeline.ingest.mt_bench import Dialogues, dialogues, is_beside
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.published_rows import published_rows
from eval_pipeline.ingest.published_votes import FORMS, PublishedRow
from eval_pipeline.ingest.rejects import RowFault
from eval_pipeline.ingest.vote_forms import first_row, form_of_row, judge_of_rows
from eval_pipeline.layout import DataRoot, checked_name

LOOKED_AT = 1000  # rows in which a judge is looked for
RECORDED = "recorded_judge"
MT_BENCH = "mt_bench"  # whose questions and answers stand in files beside
TRUTH_RULES: Mapping[str, TruthRule] = {"judge_bench": "sum"}


@dataclass(frozen=True)
class StagedVotes:
    """What was staged: the draft, whose votes, and what came of the rows."""

    draft: JudgedDraft
    form: str
    judge: str
    imported: Imported


def vote_form(glances: Sequence[Glance], named: str | None) -> str | None:
    """The form of judgments that all the files have; None where they have none of them.

    named: by the person. Raises ValueError where files of judgments stand
    beside others.
    """
    if named is not None:
        return named if named in FORMS else None
    firsts = {glance.name: first_row(glance) for glance in glances}
    told = {name: form_of_row(first) for name, first in firsts.items()}
    found = sorted({form for form in told.values() if form})
    if not found:
        return None
    if found == [MT_BENCH]:
        told |= {name: MT_BENCH for name, first in firsts.items() if is_beside(first)}
    if len(found) > 1 or None in told.values():
        parts = ", ".join(f"{name} ({form or 'no judgments'})" for name, form in told.items())
        raise ValueError(f"import files of judgments by themselves, a form at a time: {parts}")
    return found[0]


def stage_votes(
    root: DataRoot,
    stage: DataRoot,
    files: Sequence[Glance],
    form: str,
    names: Names,
    contract: str | None,
    judge: str | None,
) -> StagedVotes:
    """Writes what the files hold onto the stage. Raises ValueError where no row can be taken."""
    beside = [one for one in files if form == MT_BENCH and is_beside(first_row(one))]
    files = [one for one in files if one not in beside]
    name = proposed_name(contract or files[0].path.name.partition(".")[0])
    whose = judge or _judge(files[0], form) or RECORDED
    refused = Refused()
    spoken = dialogues(one.source for one in beside) if beside else None
    rows = list(_rows(files, form, names, refused, spoken))
    draft, taken = gathered(name, rows, refused, TRUTH_RULES.get(form, "both"))
    if not taken:
        why = next(iter(refused.first.values()), "it holds no row")
        raise ValueError(f"{files[0].name}: no row can be taken: {why}")
    shown = files[0].name + (f" and {len(files) - 1} more" if len(files) > 1 else "")
    whose = checked_name(proposed_name(whose), "judge")
    there = {model for model in draft.models if root.checkpoint(model).exists()}
    published = {name: model for model, name in names.given.items()}
    made = put_judged_draft(stage, draft, whose, shown, "import", there, published)
    facts = {
        model: checkpoint_facts(root if model in there else stage, model) for model in draft.models
    }
    order = targets(made, facts)
    lack = draft.orders == "unrecorded"
    bench = Bench(made.benchmark, draft.questions, order, None, lack)
    return StagedVotes(draft, form, whose, add_votes(stage, bench, whose, taken, refused))


def _rows(
    files: Sequence[Glance],
    form: str,
    names: Names,
    refused: Refused,
    spoken: Dialogues | None,
) -> Iterator[tuple[int, PublishedRow]]:
    """The rows of all files, models by the names of checkpoints; numbers go on over the files.

    spoken: the texts of rows that hold none.
    """
    given = Given(form, {}, {}, {})
    before = 0
    for file in files:
        last = before
        for number, row in given_rows(published_rows(file.source), given, refused, file.name):
            last = before + number
            try:
                told = spoken.completed(row) if spoken else row
            except RowFault as fault:
                refused.add(last, fault)
                continue
            a, b = (names.of(model) for model in row.models)
            yield last, replace(told, models=(a, b))
        before = last


def _judge(file: Glance, form: str) -> str | None:
    rows = [row for _, row in itertools.islice(published_rows(file.source), LOOKED_AT)]
    return judge_of_rows(form, list(rows))
