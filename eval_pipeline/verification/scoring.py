"""From generations to verifier scores: extraction, verdict, failure policy, one row a sample."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from eval_pipeline.verification.choices.choice import chance
from eval_pipeline.verification.policy import score
from eval_pipeline.verification.refusal import is_refusal
from eval_pipeline.verification.registry import Options, instruments, runs_code
from eval_pipeline.verification.verdict import (
    Extraction,
    Found,
    Item,
    Noted,
    RowVerifier,
    Verdict,
    Verifier,
    find_all,
)


@dataclass(frozen=True)
class Sample:
    """One generation as it came from ingest."""

    item_id: str
    draw: int
    text: str
    status: str
    detail: str | None = None
    extra: str | None = None  # further keys of its row, JSON


@dataclass(frozen=True)
class Grader:
    """An extraction and a verifier with their options."""

    name: str
    extraction: Extraction
    verifier: Verifier

    @classmethod
    def of(
        cls,
        verifier: str,
        extraction: str,
        options: Options,
        allow_unsafe_code: bool = False,
    ) -> "Grader":
        """The instruments of a contract; raises ValueError as `registry.instruments`."""
        finds, judges = instruments(verifier, extraction, options)
        if allow_unsafe_code and runs_code(verifier):
            judges = replace(cast(Any, judges), allow_unsafe_code=True)
        return cls(f"{extraction} + {verifier}", finds, judges)

    def notes(self) -> Mapping[str, str | int | float]:
        """What the lineage should know of how the verifier worked, such as its sandbox."""
        return self.verifier.notes() if isinstance(self.verifier, Noted) else {}

    def check(self, items: Sequence[Item]) -> None:
        """Raises ValueError that names the first items that cannot be judged, and their number."""
        faults = []
        for item in items:
            try:
                self.verifier.check(item)
            except ValueError as fault:
                faults.append(str(fault))
        if faults:
            more = f" ({len(faults)} such items)" if len(faults) > 1 else ""
            raise ValueError(f"{faults[0]}{more}")

    @property
    def reads_rows(self) -> bool:
        """Whether verdicts stand in the rows, so that samples need their `extra`."""
        return isinstance(self.verifier, RowVerifier)

    def of_samples(
        self, samples: Sequence[Sample], items: Mapping[str, Item], workers: int = 1
    ) -> list[Verdict]:
        """A verdict for each sample, in order: on its reply, or out of its row."""
        replies = [(items[sample.item_id], sample.text) for sample in samples]
        if not isinstance(self.verifier, RowVerifier):
            return self.verdicts(replies, workers)
        found = find_all(self.extraction, replies, workers)
        return [
            self.verifier.verdict_of(sample.extra, each.answer)
            for sample, each in zip(samples, found, strict=True)
        ]

    def verdicts(self, replies: Sequence[tuple[Item, str]], workers: int = 1) -> list[Verdict]:
        """A verdict for each reply, in order."""
        found = find_all(self.extraction, replies, workers)
        answered = [
            (item, each.answer)
            for (item, _), each in zip(replies, found, strict=True)
            if each.answer is not None
        ]
        judged = iter(self.verifier.verify_all(answered, workers))
        return [
            _without_answer(reply, each) if each.answer is None else _with_note(next(judged), each)
            for (_, reply), each in zip(replies, found, strict=True)
        ]


def score_samples(
    samples: Sequence[Sample],
    items: Mapping[str, Item],
    grader: Grader,
    failures: Mapping[str, str],
    workers: int = 1,
) -> list[dict[str, object]]:
    """One row a sample: status, detail, extracted, verdict, score, chance, explanation, verifier,
    engine.

    A sample that had failed before keeps its status, and its text is not judged.
    Raises ValueError for a sample of an unknown item.
    """
    if unknown := sorted({s.item_id for s in samples} - items.keys()):
        raise ValueError(f"generations of {len(unknown)} unknown items, such as {unknown[0]!r}")
    grader.check([items[i] for i in sorted({s.item_id for s in samples})])
    judged = iter(grader.of_samples([s for s in samples if s.status == "ok"], items, workers))
    rows = []
    for sample in samples:
        item = items[sample.item_id]
        verdict = next(judged) if sample.status == "ok" else _failed_before(sample)
        guess = chance(item)
        rows.append(
            {
                "item_id": sample.item_id,
                "draw": sample.draw,
                "status": verdict.status,
                "detail": verdict.detail,
                "extracted": verdict.extracted,
                "verdict": verdict.score,
                "score": score(verdict.status, verdict.score, failures, guess),
                "chance": guess,
                "explanation": verdict.explanation,
                "verifier": grader.name,
                "engine": verdict.engine,
            }
        )
    return rows


def _failed_before(sample: Sample) -> Verdict:
    explanation = f"not judged: the sample is {sample.status}"
    return Verdict(sample.status, None, None, explanation, sample.detail)


def _without_answer(reply: str, found: Found) -> Verdict:
    detail = _joined(found.step, found.detail)
    if found.status != "parser_failure":
        explanation = f"no answer: the extraction ended with {found.detail}"
        return Verdict(found.status, None, None, explanation, detail)
    if reply.strip() and is_refusal(reply):
        return Verdict(
            "model_refusal", None, None, "no answer, and it opens as a refusal", "refusal"
        )
    return Verdict.unreadable(detail or "no_answer", "no answer found in the reply")


def _with_note(verdict: Verdict, found: Found) -> Verdict:
    return replace(verdict, detail=_joined(found.step, verdict.detail, found.detail))


def _joined(*notes: str | None) -> str | None:
    return "; ".join(note for note in notes if note) or None
