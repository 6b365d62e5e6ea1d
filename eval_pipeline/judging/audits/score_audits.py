"""Every audit of every judge that scores single replies: rows of `judge_audits`.

Slice `all` and the slices of items are held against the contract's bars; single checkpoints and
criteria are described.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from eval_pipeline.judging.audits.finding_rows import audit_row
from eval_pipeline.judging.audits.pair_audits import ALL, Rules
from eval_pipeline.judging.audits.score_findings import (
    Compared,
    Reading,
    lengths,
    plain_findings,
    score_findings,
)
from eval_pipeline.judging.audits.self_preference import stranger_to
from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.prompts.rubric import WHOLE, Rubric
from eval_pipeline.judging.rows import Bools, Floats, Ints, Strings, grouped, ratio
from eval_pipeline.judging.scoring.scored_replies import (
    ScoredReplies,
    combine_people,
    combine_scores,
    with_due,
)
from eval_pipeline.statistics.clusters import cluster_codes

OWN_FAMILY = "score_self_preference"  # has no bar where no checkpoint is of the judge's family


@dataclass(frozen=True)
class ScoreEvidence:
    """What the judges of single replies are audited on.

    scores: `judge_scores` of all checkpoints; people: `annotation_scores`; due: (checkpoint, item)
    of each reply that is to be scored -> the item's cluster; n_chars: (checkpoint, item) -> length
    of the reply, code points; slices: item -> slice name -> value.
    """

    scores: pa.Table
    people: pa.Table
    due: Mapping[tuple[str, str], str]
    n_chars: Mapping[tuple[str, str], int]
    slices: Mapping[str, Mapping[str, str]]
    model_family: Mapping[str, str]
    rubric: Rubric
    repeats: int
    pending: Collection[tuple[str, str]] = ()  # (judge, checkpoint) that are not cast yet


def score_audit_rows(evidence: ScoreEvidence, rules: Rules) -> list[dict[str, object]]:
    """Rows of `judge_audits`, sorted by judge, slice, audit."""
    rows: list[dict[str, object]] = []
    for criterion in (WHOLE, *evidence.rubric.criteria):
        for judge, some in _compared(evidence, rules, criterion):
            family = rules.judge_family[judge]
            reading = Reading(evidence.rubric, family, evidence.model_family, rules.confidence)
            if criterion != WHOLE:
                found = score_findings(some, reading)
                rows += [audit_row(judge, f"criterion={criterion}", one) for one in found]
                continue
            stranger = stranger_to(set(some.mine.checkpoint), family, evidence.model_family)
            for name, mask in _parts(some.mine, evidence.slices):
                rows += [
                    audit_row(judge, name, one, *_held(one, rules, stranger))
                    for one in score_findings(some.where(mask), reading)
                ]
            for checkpoint in sorted(set(some.mine.checkpoint)):
                own = some.where(np.asarray(some.mine.checkpoint == checkpoint, dtype=bool))
                found = plain_findings(own, reading)
                rows += [audit_row(judge, f"checkpoint={checkpoint}", one) for one in found]
    return sorted(rows, key=lambda row: (row["judge"], row["slice"], row["audit"]))


def _compared(
    evidence: ScoreEvidence, rules: Rules, criterion: str
) -> Iterator[tuple[str, Compared]]:
    """Each judge with its replies, those it said nothing on among them, and what others say."""
    judges = sorted(rules.judge_family)
    scored = combine_scores(evidence.scores, criterion, evidence.rubric)
    scored = with_due(scored, judges, evidence.due, evidence.repeats)
    if evidence.pending:
        places = zip(scored.judge, scored.checkpoint, strict=True)
        scored = scored.where(np.array([one not in evidence.pending for one in places], dtype=bool))
    clusters, _ = cluster_codes(scored.cluster_id)
    scored = replace(scored, cluster_id=clusters)  # sorted once, not once a finding
    _, reply = grouped([scored.checkpoint, scored.item_id])
    families = np.array([rules.judge_family[judge] for judge in scored.judge], dtype=object)
    others, squares = (
        over_others(values, reply, scored.judge) for values in (scored.mean, scored.square)
    )
    makers = [evidence.model_family.get(one) for one in scored.checkpoint]
    # a judge tells nothing of another's liking on replies of its own family
    partial = [maker in (None, family) for maker, family in zip(makers, families, strict=True)]
    impartial = np.where(np.array(partial, dtype=bool), np.nan, scored.mean)
    strangers = over_others(impartial, reply, families)
    people = combine_people(evidence.people, criterion, evidence.rubric)
    for judge in judges:
        own = scored.judge == judge
        mine = scored.where(own)
        yield (
            judge,
            Compared(
                mine,
                others[own],
                squares[own],
                strangers[own],
                *_of_people(mine, people),
                lengths(mine, evidence.n_chars),
            ),
        )


def over_others(values: Floats, reply: Ints, group: Strings) -> Floats:
    """For each row, the mean over rows of its reply that are of another group; NaN without one.

    values: NaN where a row has none, shape (rows,); reply: number of each row's reply.
    """
    n = int(reply.max(initial=-1)) + 1
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    out = np.full(len(values), np.nan)
    for name in sorted(set(group)):
        mine = np.asarray(group == name, dtype=bool)
        rest = known & ~mine
        counts = np.bincount(reply[rest], minlength=n).astype(np.int64)
        means = ratio(np.bincount(reply[rest], filled[rest], n), counts)
        out[mine] = means[reply[mine]]
    return out


def _of_people(mine: ScoredReplies, people: ScoredReplies) -> tuple[Floats, Floats, Floats, Ints]:
    """People's mean, mean square, variance and number on each reply of a judge."""
    place = {reply: i for i, reply in enumerate(people.replies)}
    at = np.array([place.get(reply, -1) for reply in mine.replies], dtype=np.int64)
    there = at >= 0
    columns = []
    for values in (people.mean, people.square, people.variance):
        column = np.full(len(mine), np.nan)
        column[there] = values[at[there]]
        columns.append(column)
    n_people = np.zeros(len(mine), dtype=np.int64)
    n_people[there] = people.usable[at[there]]
    return columns[0], columns[1], columns[2], n_people


def _parts(
    mine: ScoredReplies, slices: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, Bools]]:
    """The whole, then the replies of each slice of items."""
    yield ALL, np.ones(len(mine), dtype=bool)
    of_items = [slices.get(item, {}) for item in mine.item_id]
    for name, value in sorted({entry for one in of_items for entry in one.items()}):
        yield (
            f"{name}={value}",
            np.array([one.get(name) == value for one in of_items], dtype=bool),
        )


def _held(finding: Finding, rules: Rules, stranger: str | None) -> tuple[float | None, str | None]:
    """The contract's bar, and why there is none where the contract may have one."""
    if finding.audit == OWN_FAMILY and stranger is not None:
        return None, stranger
    return rules.bars.get(finding.audit), None
