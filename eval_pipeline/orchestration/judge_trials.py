"""Asks live judges what they are tried on: sets of probes once, their sentinels each night.

The votes are written as the file of recorded votes that the stages read, whole or not at all; the
replies are kept call by call before that, so whatever ends it, the next try goes on from there.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.contracts.model import Contract, Judge
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.stage import StageInputs
from eval_pipeline.orchestration.stages import judge_probes, judge_votes, live_judging

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.judging.asks import Ask
    from eval_pipeline.judging.live_rows import Answered

PairKey = tuple[str, str, str]  # item, model_a, model_b


@dataclass(frozen=True)
class Trial:
    """What became of it: the file of votes, how many it holds; asked: by this call."""

    judge: str
    file: Path
    votes: int
    asked: bool


def live_judges(contract: Contract, name: str | None = None) -> list[Judge]:
    """The judges of pairs that can be asked live: the named one, all of them else.

    Raises ValueError where there is none, or it may not be asked now, with why.
    """
    pairwise = contract.judging.pairwise if contract.judging else []
    live = [judge for judge in pairwise if judge.source == "openai" and name in (None, judge.name)]
    if not live:
        who = "no judge of pairs" if name is None else f"no judge of pairs {name}"
        known = ", ".join(judge.name for judge in pairwise if judge.source == "openai") or "none"
        raise ValueError(
            f"{contract.title} has {who} that is asked live (source: openai); it has {known}"
        )
    if why := live_judging.withheld(live):
        raise ValueError(why)
    return live


def ask_probes(found: Evaluation, contract: Contract, judge: Judge, name: str) -> Trial:
    """Asks a judge about each probe of a set, in both orders, unless it was asked before.

    The warehouse's lock must be held. Raises UnfinishedError where calls are left, and ValueError
    where there is no such set, or a file of other votes stands in the way.
    """
    from eval_pipeline.judging.probes.writing import Probe
    from eval_pipeline.judging.trials import probe_asks, probe_votes

    items = _items(found, contract)
    path = found.root.probes(name)
    if not path.exists():
        raise ValueError(f"{path} is not there: `eval-pipeline probe write` makes it")
    clusters = dict(zip(items["item_id"].to_pylist(), items["cluster_id"].to_pylist(), strict=True))
    read = judge_probes.read_set(found.root, name, clusters).probes
    if not read:
        raise ValueError(
            f"{path} holds no probe on an item of {contract.title}: write the set anew"
        )
    probes = [Probe(probe, **vars(text)) for probe, text in read.items()]
    asked = live_judging.live_judge(found.root, judge)
    asks = probe_asks(asked, probes, live_judging.questions_of(items))
    ledger = found.root.probe_calls(judge.name, contract.benchmark, name)
    file = found.root.probe_votes(judge.name, name)
    return _tried(found, contract, judge, asks, ledger, file, probe_votes)


def ask_sentinels(found: Evaluation, contract: Contract, judge: Judge, night: str) -> Trial:
    """Asks a judge about its sentinels for one night, in both orders, unless that was done.

    The warehouse's lock must be held. Raises as `ask_probes`, and where the contract asks for no
    sentinels or no pair is planned yet.
    """
    from eval_pipeline.judging.asks import pair_asks
    from eval_pipeline.judging.trials import sentinel_votes

    pairs = sentinels_of(found, contract)
    questions = live_judging.questions_of(_items(found, contract))
    models = {model for _, *pair in pairs for model in pair}
    texts, _ = judge_votes.shown_texts(found.root, contract, models, {item for item, *_ in pairs})
    asked = live_judging.live_judge(found.root, judge)
    asks = pair_asks(asked, pairs, questions, texts, repeats=1, night=night)
    if not asks:
        raise ValueError(
            f"{contract.title} has no planned pair yet: `eval-pipeline run` plans them"
        )
    ledger = found.root.sentinel_calls(judge.name, contract.benchmark, night)
    file = sentinel_file(found.root, contract, judge, night)
    return _tried(found, contract, judge, asks, ledger, file, sentinel_votes)


def sentinel_file(root: DataRoot, contract: Contract, judge: Judge, night: str) -> Path:
    """The file of a judge's sentinel votes of one night."""
    return root.sentinels(judge.name, contract.benchmark) / f"{night}.jsonl"


def sentinels_of(found: Evaluation, contract: Contract) -> list[PairKey]:
    """The pairs that are judged again each night, sorted; what lands later changes none of them.

    Raises ValueError where the contract asks for none.
    """
    from eval_pipeline.judging.drift import sentinel_pairs

    n = contract.judging.sentinels if contract.judging else None
    if n is None:
        raise ValueError(
            f"{contract.title} asks for no sentinels: give judging.sentinels, a number"
        )
    home = (contract.contract, contract.version)
    plan = found.warehouse.read("pair_plan", *home).table().to_pylist()
    facts = found.world.facts

    def landed(name: str) -> tuple[str, str]:
        return (str(facts[name].date) if name in facts else "", name)

    first = min((row["checkpoint"] for row in plan), key=landed, default=None)
    mine = [row for row in plan if row["checkpoint"] == first]
    planned = [(row["item_id"], row["model_a"], row["model_b"]) for row in mine]
    return sentinel_pairs(planned, n, contract.statistics.seed)


def _tried(
    found: Evaluation,
    contract: Contract,
    judge: Judge,
    asks: "Sequence[Ask]",
    ledger: Path,
    file: Path,
    as_rows: "Callable[[Answered], list[dict[str, Any]]]",
) -> Trial:
    from eval_pipeline.judging.trials import is_record_of
    from eval_pipeline.orchestration.stages.judge_calls import answered
    from eval_pipeline.warehouse.durable import write_text

    if file.exists():
        if not is_record_of(_rows(file), asks):
            raise ValueError(
                f"{file} is there, with other votes than {contract.title} would ask {judge.name} "
                "for now: keep it, or move it away and ask again"
            )
        return Trial(judge.name, file, len(asks), asked=False)
    inputs = StageInputs(contract, found.root, {}, settings=found.settings)
    rows = as_rows(answered(inputs, judge, asks, ledger))
    write_text(file, "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows))
    return Trial(judge.name, file, len(rows), asked=True)


def _rows(file: Path) -> list[dict[str, Any]]:
    """The objects of a file of votes; a line that is none holds no vote of ours."""
    rows = []
    for line in file.read_text(encoding="utf-8", errors="replace").split("\n"):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            rows.append(row if isinstance(row, dict) else {})
    return rows


def _items(found: Evaluation, contract: Contract) -> "pa.Table":
    from eval_pipeline.contracts.items import read_items

    return read_items(found.root, contract).table
