"""Judgments in the forms in which they are published, each row as votes on a pair of replies.

A form says which model is whose, who was shown first in each vote, and what was said. Where a file
does not record the order, its log-probabilities may tell it. A vote whose order nothing tells has
none: it can be counted, and never audited for position.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from eval_pipeline.ingest.rejects import RowFault
from eval_pipeline.judging.reading.recorded import seat_said

Row = Mapping[str, object]
Keys = Mapping[str, str]  # part of a row -> the key that a person named for it

A, B, TIE = "model_a", "model_b", "tie"
OTHER = {A: B, B: A}
BASELINE = "baseline"  # the first model of a table that names only the other one
SAME = 1e-9  # published preferences carry ten decimals
PARTS = (
    "item_id",
    "question",
    "model_a",
    "model_b",
    "reply_a",
    "reply_b",
    "shown_first",
    "verdict",
    "prob_first",
    "game",
    "label",
)
ABOUT = ("dataset", "source", "subset", "category")  # keys that tell of an item
# How the games of a pair are named where nothing else says who was shown first.
GAMES = {
    "1": "model_a",
    "g1": "model_a",
    "original": "model_a",
    "false": "model_a",
    "ab": "model_a",
}
GAMES |= {"2": "model_b", "g2": "model_b", "swapped": "model_b", "true": "model_b", "ba": "model_b"}
SEATS = {"1": "first", "a": "first", "first": "first", "left": "first"}
SEATS |= {"2": "second", "b": "second", "second": "second", "right": "second"}
TIES = ("tie", "c", "tie (bothbad)", "both_bad", "bothbad", "both bad", "draw", "equal")
NOTHING = ("", "nan", "none", "null")


@dataclass(frozen=True)
class Vote:
    """One vote. shown_first: model_a or model_b of its row, None where nobody recorded it.

    verdict: model_a, model_b, tie, or None. prob_first: chance of the model shown first; prob_a:
    of model_a, where the order is not known.
    """

    shown_first: str | None
    verdict: str | None
    prob_first: float | None = None
    failed: bool = False  # the call of the judge failed
    prob_a: float | None = None


@dataclass(frozen=True)
class PublishedRow:
    """What one row holds; a part that its file does not have is None.

    models, replies: of model_a and model_b. votes: in the row's order, so that a later one of the
    same order is a repeat. label: what people say of the pair: model_a, model_b or tie. about: what
    the row says of its item besides, such as the data set that it is from. place: where it stands,
    such as `votes.jsonl:12`.
    """

    item_id: str | None
    question: str | None
    models: tuple[str, str]
    replies: tuple[str | None, str | None] = (None, None)
    votes: tuple[Vote, ...] = ()
    label: str | None = None
    about: Mapping[str, str] = field(default_factory=dict)
    place: str = ""


def published_row(row: Row, form: str, keys: Keys) -> PublishedRow:
    """The row as its form reads it; keys: for the form `columns`.

    Raises RowFault where a part is missing or of a wrong kind, and where parts contradict.
    """
    said = ((key, row.get(key)) for key in ABOUT)
    about = {key: value for key, value in said if isinstance(value, str) and value.strip()}
    return replace(FORMS[form](row, keys), about=about)


def _llmbar(row: Row, keys: Keys) -> PublishedRow:
    """Output 1 and output 2; a winner names the output, whatever the order was."""
    label = {"1": A, "2": B}.get(str(row.get("label")))
    named = [str(row[key]) for key in ("dataset", "item") if row.get(key) is not None]
    return PublishedRow(
        "/".join(named) if row.get("item") is not None else None,
        _text(row, "input"),
        ("output_1", "output_2"),
        (_text(row, "output_1"), _text(row, "output_2")),
        tuple(_llmbar_votes(row)),
        label,
    )


def _llmbar_votes(row: Row) -> list[Vote]:
    if "results" not in row:
        pairs = (("winner_ab", A), ("winner_ba", B))
        return [Vote(first, _output(row[key])) for key, first in pairs if key in row]
    found = []
    for result in _list(row, "results"):
        for key, first in (("swap = False", A), ("swap = True", B)):
            game = result.get(key) if isinstance(result, Mapping) else None
            if not isinstance(game, Mapping) or "winner" not in game:
                raise RowFault("missing_key", f"results lack the winner of {key!r}")
            found.append(Vote(first, _output(game["winner"])))
    return found


def _output(winner: Any) -> str | None:
    said = _said(winner)
    return said if said is None else {"1": A, "2": B, **dict.fromkeys(TIES, TIE)}.get(said, said)


def _judge_bench(row: Row, keys: Keys) -> PublishedRow:
    """Response A and B, a label A>B or B>A, and one judgment, or two with the seats exchanged."""
    label = _seat_label(row.get("label"))
    games = _list(row, "judgments") if row.get("judgments") else []
    if len(games) > 2:
        raise RowFault("wrong_type", f"judgments must be one or two, got {len(games)}")
    votes = []
    for first, game in zip((A, B), games, strict=False):
        said = game.get("decision") if isinstance(game, Mapping) else game
        seat = _seat_label(said)
        votes.append(Vote(first, seat if first == A or seat is None else OTHER.get(seat, seat)))
    named = row.get("pair_id")
    return PublishedRow(
        None if named is None else str(named),
        _text(row, "question"),
        ("response_A", "response_B"),
        (_text(row, "response_A"), _text(row, "response_B")),
        tuple(votes),
        label,
    )


def _seat_label(said: Any) -> str | None:
    """A>B, B>A or A=B as the reply that they name first, of what was shown first as A."""
    text = str(said).strip().upper() if isinstance(said, str) else ""
    return {"A>B": A, "A>>B": A, "B>A": B, "B>>A": B, "A=B": TIE}.get(text)


def _alpaca_eval(row: Row, keys: Keys) -> PublishedRow:
    """1: output 1 is preferred, 2: output 2; between: 1 + the chance of output 2."""
    second = row.get("generator_2", row.get("model"))
    if not isinstance(second, str):
        raise RowFault("missing_key", "the row names no generator_2 and no model")
    first = row.get("generator_1") or BASELINE
    named = row.get("instruction_id")
    if "preference" not in row:
        raise RowFault("missing_key", "preference is absent: write null where there is none")
    return PublishedRow(
        None if named is None else str(named),
        _text(row, "instruction"),
        (str(first), second),
        (_text(row, "output_1"), _text(row, "output_2")),
        (_preferred(_number(row["preference"], "preference"), _chances(row)),),
    )


def _preferred(preference: float | None, chances: tuple[float, float] | None) -> Vote:
    """chances: of the token of the reply shown first, and of the other's."""
    if preference is None:
        if chances is None:
            return Vote(None, None)
        raise RowFault("unknown_slot", "without a preference nothing tells the order")
    if preference == 0 and chances is None:
        return Vote(None, TIE)  # as older files write it
    if not 1 <= preference <= 2:
        raise RowFault("out_of_range", f"preference={preference:g} lies outside 1..2")
    of_b = preference - 1
    verdict = TIE if of_b == 0.5 else B if of_b > 0.5 else A
    if chances is None:
        return Vote(None, verdict, prob_a=1 - of_b)
    as_first, as_second = (abs(of_b - chance) < SAME for chance in chances)
    if as_first == as_second:
        why = "both tokens fit it" if as_first else "it is the chance of neither token"
        raise RowFault("unknown_slot", f"the preference does not tell the order: {why}")
    return Vote(B if as_first else A, verdict, of_b if as_first else 1 - of_b)


def _chances(row: Row) -> tuple[float, float] | None:
    """Chance of the tokens m (shown first) and M (second), of the two alone."""
    if row.get("logprob_m") is not None and row.get("logprob_M") is not None:
        m, big = (_number(row[f"logprob_{token}"], f"logprob_{token}") for token in ("m", "M"))
    else:
        told = _top_logprobs(row.get("raw_completion"))
        m, big = told.get("m"), told.get("M")
    if m is None or big is None:
        return None
    first = 1 / (1 + math.exp(min(big - m, 700.0)))
    return first, 1 - first


def _top_logprobs(completion: Any) -> dict[str, float]:
    """Token -> log-probability, at the place of the first token; empty where there is none."""
    try:
        told = completion["logprobs"]["content"][0]["top_logprobs"]
        return {one["token"]: float(one["logprob"]) for one in told}
    except (KeyError, IndexError, TypeError, ValueError):
        return {}


def _mt_bench(row: Row, keys: Keys) -> PublishedRow:
    """Two games, the seats exchanged in the second; each winner names a model."""
    question, turn = row.get("question_id"), row.get("turn")
    models = _required(row, "model_1"), _required(row, "model_2")
    votes = []
    for key, first in (("g1_winner", A), ("g2_winner", B)):
        said = _said(row[key]) if key in row else None
        if key not in row:
            raise RowFault("missing_key", f"{key} is absent: write null where there is none")
        named = {"model_1": A, "model_2": B, "tie": TIE}
        failed = said == "error"
        votes.append(Vote(first, None if failed else named.get(said or "", said), failed=failed))
    later = f"/turn{turn}" if turn not in (None, 1) else ""
    item = None if question is None else f"{question}{later}"
    return PublishedRow(item, None, models, votes=tuple(votes))


def _arena(row: Row, keys: Keys) -> PublishedRow:
    """One vote of one person; model_a stands on the left, which is read first."""
    said = _said(row["winner"]) if "winner" in row else None
    if "winner" not in row:
        raise RowFault("missing_key", "winner is absent: write null where there is none")
    turns = [_turns(row.get(f"conversation_{side}")) for side in ("a", "b")]
    named = row.get("question_id")
    return PublishedRow(
        None if named is None else str(named),
        turns[0][0],
        (_required(row, A), _required(row, B)),
        (turns[0][1], turns[1][1]),
        (Vote(A, TIE if said in TIES else said),),
    )


def _turns(conversation: Any) -> tuple[str | None, str | None]:
    """Question and reply of a conversation of one turn; None of any other."""
    if not isinstance(conversation, list) or len(conversation) != 2:
        return None, None
    texts = [one.get("content") if isinstance(one, Mapping) else None for one in conversation]
    question, reply = (text if isinstance(text, str) else None for text in texts)
    return question, reply


def _columns(row: Row, keys: Keys) -> PublishedRow:
    """One vote a row, in the columns that were named; each part else under its own name.

    The verdict names a model or a seat, or is the judge's own text with a marker in it.
    """
    part = {name: row.get(keys.get(name, name)) for name in PARTS}
    a, b = part["model_a"], part["model_b"]
    if not isinstance(a, str) or not isinstance(b, str):
        raise RowFault("missing_key", "model_a and model_b must be names: say them with --key")
    first = _first_of(part, a, b)
    verdict = _said(part["verdict"])
    if part["verdict"] in (a, b):
        verdict = A if part["verdict"] == a else B
    elif verdict in TIES:
        verdict = TIE
    elif verdict in SEATS:
        verdict = _on(first, SEATS[verdict])
    elif isinstance(part["verdict"], str):
        shown = [text for text in (part["reply_a"], part["reply_b"]) if isinstance(text, str)]
        verdict = _on(first, seat_said(part["verdict"], shown)) or verdict
    named, chance = part["item_id"], _number(part["prob_first"], "prob_first")
    if first is None and chance is not None:
        raise RowFault("unknown_slot", "prob_first without shown_first: nothing says whose it is")
    return PublishedRow(
        None if named is None else str(named),
        part["question"] if isinstance(part["question"], str) else None,
        (a, b),
        (
            part["reply_a"] if isinstance(part["reply_a"], str) else None,
            part["reply_b"] if isinstance(part["reply_b"], str) else None,
        ),
        (Vote(first, verdict, None if first is None else chance),),
        _column_label(part["label"], a, b),
    )


def _column_label(value: Any, a: str, b: str) -> str | None:
    """What people say of the pair: a model's name, 1 or 2 of the row's models, or a tie."""
    if value in (a, b):
        return A if value == a else B
    said = _said(value)
    if said is None or said in TIES or said == "0":
        return None if said is None else TIE
    seat = SEATS.get(said) or {"model_a": "first", "model_b": "second"}.get(said)
    if seat is None:
        raise RowFault("wrong_type", f"label {value!r:.80} names neither model, nor a tie")
    return A if seat == "first" else B


def _first_of(part: Row, a: str, b: str) -> str | None:
    """Who was shown first: as shown_first or the game says; None where nothing does."""
    said = part["shown_first"]
    if _said(said) is not None:
        first = {a: A, b: B, A: A, B: B}.get(str(said))
        if first is None:
            raise RowFault("unknown_slot", f"shown_first {said!r:.80} is neither {a!r} nor {b!r}")
        return first
    game = _said(str(part["game"]) if isinstance(part["game"], bool) else part["game"])
    if game is None:
        return None
    if game not in GAMES:
        raise RowFault("unknown_slot", f"game {game!r:.80} is none of {', '.join(GAMES)}")
    return GAMES[game]


def _on(first: str | None, seat: str | None) -> str | None:
    """The model on a seat; tie, or None, where no seat is named.

    Raises RowFault for a seat in an order that nobody recorded.
    """
    if first is None:
        if seat in ("first", "second"):
            why = "and nothing says which reply was shown first: name shown_first or game"
            raise RowFault("unknown_slot", f"the verdict names a seat, {why}")
        return seat
    return {"first": first, "second": OTHER[first], "tie": TIE}.get(seat or "")


def _said(value: Any) -> str | None:
    """A label in lower case; None where nothing was said."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool | list | dict):
        raise RowFault("wrong_type", f"a verdict must be a label, got {value!r:.80}")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    said = str(value).strip().lower()
    return None if said in NOTHING else said


def _text(row: Row, key: str) -> str | None:
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise RowFault("wrong_type", f"{key} must be a string, got {value!r:.80}")
    return value


def _required(row: Row, key: str) -> str:
    value = _text(row, key)
    if value is None:
        raise RowFault("missing_key", f"{key} is absent or null")
    return value


def _list(row: Row, key: str) -> list[Any]:
    value = row[key]
    if not isinstance(value, list):
        raise RowFault("wrong_type", f"{key} must be a list, got {value!r:.80}")
    return value


def _number(value: Any, name: str) -> float | None:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, str):
        try:
            value = float(value) if value.strip().lower() not in NOTHING else None
        except ValueError:
            raise RowFault("wrong_type", f"{name} must be a number, got {value!r:.80}") from None
    if isinstance(value, bool) or not isinstance(value, int | float | None):
        raise RowFault("wrong_type", f"{name} must be a number, got {value!r:.80}")
    return None if value is None else float(value)


FORMS: Mapping[str, Callable[[Row, Keys], PublishedRow]] = {
    "llmbar": _llmbar,
    "judge_bench": _judge_bench,
    "alpaca_eval": _alpaca_eval,
    "mt_bench": _mt_bench,
    "arena": _arena,
    "columns": _columns,
}
