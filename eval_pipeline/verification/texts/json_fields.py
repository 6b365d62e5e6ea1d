"""`json_fields@1`: how many fields of a JSON object are right, by precision and recall.

Fields are leaves: `person.name`, `items.0.price`. An empty list or object is a leaf of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from eval_pipeline.metrics.field_extraction.documents import field_counts
from eval_pipeline.metrics.text_policies import POLICIES
from eval_pipeline.verification.first.json_field import NotJsonError, read_json
from eval_pipeline.verification.verdict import Item, Verdict

SCORES = ("f1", "precision", "recall", "all")


@dataclass(frozen=True)
class JsonFields:
    """Agreement of the fields of a JSON object with the item's answer, a JSON object too.

    Options: `score`, f1 (the default), precision, recall, or all (1 where every field is right and
    none is added); `policy`, how texts are compared (identity unless declared).
    """

    score: str = "f1"
    policy: str = "identity"

    def __post_init__(self) -> None:
        if self.score not in SCORES:
            raise ValueError(f"score must be one of {SCORES}, got {self.score!r}")
        if self.policy not in POLICIES:
            raise ValueError(f"policy must be one of {sorted(POLICIES)}, got {self.policy!r}")

    def check(self, item: Item) -> None:
        try:
            wanted = read_json(item.reference)
        except NotJsonError as fault:
            raise ValueError(f"item {item.item_id!r}: its answer is no JSON ({fault})") from None
        if not isinstance(wanted, dict) or not wanted:
            raise ValueError(f"item {item.item_id!r}: its answer must be an object with fields")

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        return [self.verify(item, answer) for item, answer in answers]

    def verify(self, item: Item, answer: str) -> Verdict:
        try:
            said = read_json(answer)
        except NotJsonError as fault:
            return Verdict.unreadable(str(fault), f"{answer[:200]!r} is no JSON", answer)
        if not isinstance(said, dict):
            return Verdict.unreadable("no_object", f"{answer[:200]!r} is no JSON object", answer)
        counts = field_counts(said, read_json(item.reference), self.policy)
        precision = 0.0 if not counts.said else counts.precision
        scores = {
            "f1": counts.f1,
            "precision": precision,  # of an empty object: nothing said is right
            "recall": counts.recall,
            "all": float(counts.right == counts.said == counts.wanted),
        }
        explanation = (
            f"{counts.right} of {counts.said} fields said are right, {counts.wanted} are wanted: "
            f"precision {precision:.3f}, recall {counts.recall:.3f}"
        )
        return Verdict.judged(scores[self.score], answer, explanation)
