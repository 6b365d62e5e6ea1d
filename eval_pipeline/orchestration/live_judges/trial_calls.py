"""The calls that a live judge is due apart from its votes: sets of probes, and a night's sentinels.

Read from what lies on disk, so that `plan cost` counts just the calls that will be made.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.contracts.judging import Judge
from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.live_judges import live_judging
from eval_pipeline.orchestration.stages import judge_probes, judge_votes, pair_plan

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.judging.asking.asks import Ask

PairKey = tuple[str, str, str]  # item, model_a, model_b


@dataclass(frozen=True)
class Sentinels:
    """The pairs that are judged again each night; what lands later changes none.

    texts: what is shown of them. lacking: of `planned` pairs those that were never in the draw,
    since one of their replies is missing or failed: nobody can judge them.
    """

    pairs: Sequence[PairKey]
    texts: Mapping[tuple[str, str], str]
    planned: int
    lacking: int

    @property
    def lack(self) -> str | None:
        """What was left out of the draw, in a sentence; None where nothing was."""
        if not self.lacking:
            return None
        return (
            f"sentinels are drawn from {self.planned - self.lacking} of {self.planned} planned "
            f"pairs: {self.lacking} lack a reply"
        )


@dataclass(frozen=True)
class TrialCalls:
    """What a contract's live judges are due on trial: its items and targets as they lie on disk."""

    root: DataRoot
    contract: Contract
    targets: Sequence[str]  # by (date, name)
    items: "pa.Table"

    @cached_property
    def _questions(self) -> dict[str, str]:
        return live_judging.questions_of(self.items)

    @cached_property
    def sentinels(self) -> Sentinels:
        """Drawn once and for all of the first checkpoint whose pairs have both replies.

        Raises ValueError where the contract asks for none, or no pair can be judged yet.
        """
        from eval_pipeline.judging.audits.drift import sentinel_pairs

        judging, title = self.contract.judging, self.contract.title
        if judging is None or judging.sentinels is None:
            raise ValueError(f"{title} asks for no sentinels: give judging.sentinels, a number")
        planned = 0
        for checkpoint in self.targets:
            rows = pair_plan.planned_rows(self.root, self.contract, checkpoint, self.items)
            pairs = [(row["item_id"], row["model_a"], row["model_b"]) for row in rows]
            planned += len(pairs)
            texts, whole = self._judgeable(pairs)
            if whole:
                drawn = sentinel_pairs(whole, judging.sentinels, self.contract.statistics.seed)
                return Sentinels(drawn, texts, len(pairs), len(pairs) - len(whole))
        if planned:
            raise ValueError(f"{title}: each of its {planned} planned pairs lacks a reply")
        raise ValueError(
            f"{title} has no planned pair yet: two checkpoints to pair must land first"
        )

    def _judgeable(
        self, pairs: Sequence[PairKey]
    ) -> tuple[Mapping[tuple[str, str], str], list[PairKey]]:
        """The texts of all models, and the pairs of which both are there."""
        models = {model for _, *pair in pairs for model in pair}
        items = {item for item, *_ in pairs}
        texts, _ = judge_votes.shown_texts(self.root, self.contract, models, items)
        whole = [(i, a, b) for i, a, b in pairs if (a, i) in texts and (b, i) in texts]
        return texts, whole

    def on_sentinels(self, judge: Judge, night: str) -> "list[Ask]":
        """Each sentinel in both orders, for one night."""
        from eval_pipeline.judging.asking.asks import pair_asks

        asked = live_judging.live_judge(self.root, judge)
        drawn = self.sentinels
        return pair_asks(asked, drawn.pairs, self._questions, drawn.texts, repeats=1, night=night)

    def on_probes(self, judge: Judge, name: str) -> "list[Ask]":
        """Each probe of a set in both orders. Raises ValueError where there is no such set."""
        from eval_pipeline.judging.asking.trials import probe_asks
        from eval_pipeline.judging.probes.writing import Probe

        path = self.root.probes(name)
        if not path.exists():
            raise ValueError(f"{path} is not there: `eval-pipeline probe write` makes it")
        columns = (self.items["item_id"].to_pylist(), self.items["cluster_id"].to_pylist())
        clusters = dict(zip(*columns, strict=True))
        read = judge_probes.read_set(self.root, name, clusters).probes
        if not read:
            raise ValueError(
                f"{path} holds no probe on an item of {self.contract.title}: write the set anew"
            )
        probes = [Probe(probe, **vars(text)) for probe, text in read.items()]
        return probe_asks(live_judging.live_judge(self.root, judge), probes, self._questions)


def sentinel_file(root: DataRoot, contract: Contract, judge: Judge, night: str) -> Path:
    """The file of a judge's sentinel votes of one night."""
    return root.sentinels(judge.name, contract.benchmark) / f"{night}.jsonl"


def was_asked(file: Path, asks: "Iterable[Ask]", judge: Judge) -> bool:
    """Whether the file of votes on these calls is written.

    Raises ValueError where a file of other votes stands in its place.
    """
    from eval_pipeline.judging.asking.trials import is_record_of

    if not file.exists():
        return False
    if not is_record_of(_rows(file), asks):
        raise ValueError(
            f"{file} is there, with other votes than {judge.name} would be asked for now: keep it, "
            "or move it away and ask again"
        )
    return True


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
