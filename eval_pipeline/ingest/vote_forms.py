"""Which form of published judgments a row has, told by its keys."""

from collections.abc import Mapping

from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.published_rows import ENDINGS, published_rows

# Form -> sets of keys, one of which a row must hold whole.
KEYS_OF: Mapping[str, tuple[frozenset[str], ...]] = {
    "llmbar": (
        frozenset({"output_1", "output_2", "results"}),
        frozenset({"output_1", "output_2", "winner_ab", "winner_ba"}),
    ),
    "judge_bench": (frozenset({"response_A", "response_B", "label"}),),
    "alpaca_eval": (frozenset({"output_1", "output_2", "generator_2", "preference"}),),
    "mt_bench": (frozenset({"model_1", "model_2", "g1_winner", "g2_winner"}),),
    "arena": (frozenset({"model_a", "model_b", "winner", "conversation_a", "conversation_b"}),),
    "columns": (frozenset({"model_a", "model_b", "reply_a", "reply_b", "verdict"}),),
}
JUDGES = ("judge_name", "annotator", "judge")  # keys that may name whose votes they are
PEOPLE = "people"


def form_of_row(row: Mapping[str, object]) -> str | None:
    """The form that the row's keys tell; None where it is none of them."""
    keys = row.keys()
    return next(
        (form for form, sets in KEYS_OF.items() if any(one <= keys for one in sets)),
        None,
    )


def first_row(glance: Glance) -> Mapping[str, object]:
    """The first row of a file of rows; empty for any other file."""
    if not glance.path.name.lower().endswith(ENDINGS):
        return {}
    if glance.path.suffix.lower() in (".csv", ".tsv", ".parquet"):
        return next(published_rows(glance.source), (0, {}))[1]
    first = glance.rows[0] if glance.rows else glance.first
    return first if isinstance(first, dict) else {}


def judge_of_rows(form: str, rows: list[Mapping[str, object]]) -> str | None:
    """Whose votes they are by what the rows say: one name in all of them; people in an arena."""
    if form == "arena":
        return PEOPLE
    for key in JUDGES:
        named = [row.get(key) for row in rows]  # FastChat: a model and its prompt
        if named and all(isinstance(one, list) and one for one in named):
            rows = [{key: one[0]} for one in named if isinstance(one, list)]
        said = {row.get(key) for row in rows if not isinstance(row.get(key), list | dict)}
        if len(said) == 1 and isinstance(only := said.pop(), str) and only.strip():
            return only
    return None
