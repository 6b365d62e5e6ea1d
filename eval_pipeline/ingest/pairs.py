"""The two models of a row, in the order in which tables hold them.

A row may name its models in either order; tables hold the name that sorts first as model_a. What
a row says of "model_a" is about the row's own key and is turned round with it.
"""

from dataclasses import dataclass

from eval_pipeline.ingest.rejects import RowFault

_OTHER = {"model_a": "model_b", "model_b": "model_a"}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two models, model_a sorting first; `turned` where the row names them the other way round."""

    model_a: str
    model_b: str
    turned: bool

    def side(self, said: str) -> str | None:
        """model_a or model_b, as the table has them, or None if neither is meant.

        `said` is one of the row's keys, "model_a" or "model_b", else a model's name.
        """
        if said in _OTHER:
            return _OTHER[said] if self.turned else said
        return {self.model_a: "model_a", self.model_b: "model_b"}.get(said)

    def verdict(self, said: str) -> str | None:
        """The side, or tie, or None for any other label: slots (A, first) name no model."""
        return "tie" if said == "tie" else self.side(said)


def pair_of(model_a: str, model_b: str) -> Pair:
    """The pair that a row names; raises RowFault where both are one model."""
    if model_a == model_b:
        raise RowFault("same_model", f"model_a and model_b are both {model_a!r:.80}")
    if model_a < model_b:
        return Pair(model_a, model_b, turned=False)
    return Pair(model_b, model_a, turned=True)
