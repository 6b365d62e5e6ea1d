"""What a live judge is tried on apart from its votes: probes, and the sentinels of a night.

Its answers are written as recorded votes are, so one reader takes both. Each row names its call,
under which the raw reply is kept.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from eval_pipeline.judging.asking.asks import Ask, LiveJudge, pair_asks
from eval_pipeline.judging.asking.live_rows import Answered, VoteRow, vote_rows
from eval_pipeline.judging.probes.votes import ORIGINAL, VARIANT
from eval_pipeline.judging.probes.writing import Probe

Row = VoteRow
CALL = "call"
_SIDES = {"model_a": ORIGINAL, "model_b": VARIANT, "tie": "tie"}


def probe_asks(
    judge: LiveJudge, probes: Iterable[Probe], questions: Mapping[str, str]
) -> list[Ask]:
    """Each probe once in both orders, sorted by name; the subject's item_id names the probe."""
    known = {probe.name: probe for probe in probes}
    pairs = [(name, ORIGINAL, VARIANT) for name in sorted(known)]
    texts = {(ORIGINAL, name): probe.original for name, probe in known.items()}
    texts |= {(VARIANT, name): probe.variant for name, probe in known.items()}
    asked = {name: questions[probe.item_id] for name, probe in known.items()}
    return pair_asks(judge, pairs, asked, texts, repeats=1)


def probe_votes(answered: Answered) -> list[Row]:
    """Rows of a file of probe votes, in the order of the asks."""

    def about(row: Row) -> Row:
        first = ORIGINAL if row["slot_order"] == "a_first" else VARIANT
        return {"probe": row["item_id"], "shown_first": first}

    return _recorded(answered, about, lambda row: _SIDES.get(str(row["verdict"])))


def sentinel_votes(answered: Answered) -> list[Row]:
    """Rows of a file of recorded votes, in the order of the asks; a verdict names a model."""

    def about(row: Row) -> Row:
        first = row["model_a"] if row["slot_order"] == "a_first" else row["model_b"]
        pair = {name: row[name] for name in ("item_id", "model_a", "model_b")}
        return {**pair, "shown_first": first}

    return _recorded(answered, about, lambda row: row.get(str(row["verdict"]), row["verdict"]))


def is_record_of(rows: Sequence[Mapping[str, object]], asks: Iterable[Ask]) -> bool:
    """Whether the rows are the votes that these calls gave, and no others."""
    return [row.get(CALL) for row in rows] == [ask.key for ask in asks]


def _recorded(
    answered: Answered, about: Callable[[Row], Row], verdict: Callable[[Row], str | int | None]
) -> list[Row]:
    """A call that failed has an error, and a reply that holds no verdict has null."""
    kept = list(answered)
    items = {str(ask.subject["item_id"]) for ask, *_ in kept}
    votes = vote_rows(kept, {item: item for item in items})
    rows = []
    for (ask, *_), vote in zip(kept, votes, strict=True):
        row: Row = {**about(vote), "repeat": vote["repeat"], "verdict": verdict(vote)}
        if vote["status"] == "judge_error":
            row["error"] = vote["detail"]
        rows.append({**row, CALL: ask.key})
    return rows
