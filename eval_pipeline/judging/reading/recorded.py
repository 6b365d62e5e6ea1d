"""Recorded verdicts in the forms that people have, each as what it says of seats or of models.

A seat (first, second) and a model are never one thing. Forms that name a seat are `slots`,
`brackets`, `graded_brackets`, `verdict_line`, `labels`, `json` and `logprobs`; `models` and
`preference` name the row's models; a row of `games` holds two votes, the second with the seats
exchanged. `labels`, `brackets` and `json` may have labels of their own.
Whatever holds no verdict is `judge_unknown` with its reason. It is never a tie.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from eval_pipeline.judging.reading.spelling import plain
from eval_pipeline.judging.verdicts import (
    BRACKETS,
    GRADED_BRACKETS,
    VERDICT_LINE,
    VerdictForm,
    bracket_form,
    choice_form,
    json_form,
    parse_verdict,
)

Row = Mapping[str, object]

FIRST, SECOND, TIE = "first", "second", "tie"
MODEL_A, MODEL_B = "model_a", "model_b"  # as the row names them
SEATS = {
    **dict.fromkeys(("1", "A", "FIRST", "A>B", "A>>B"), FIRST),
    **dict.fromkeys(("2", "B", "SECOND", "B>A", "B>>A"), SECOND),
    **dict.fromkeys(("TIE", "C", "A=B"), TIE),
}
TEXT_KEYS = ("judgment", "verdict")  # where the judge's reply stands
TEXT_FORMS = ("brackets", "graded_brackets", "verdict_line", "labels", "json")  # a judge's text
GAME_WINNERS = ("g1_winner", "g2_winner")
LOGPROBS = ("logprob_first", "logprob_second")

# What tells a form where none is declared: the keys that no other form has.
KEYS_OF = {
    "models": ("verdict",),
    "preference": ("preference",),
    "games": ("games", *GAME_WINNERS),
    "logprobs": LOGPROBS,
}
NUMERIC = ("preference", "games", "logprobs")


@dataclass(frozen=True, slots=True)
class SaidVote:
    """What one vote says: a seat, a model, tie, or nothing and why.

    winner: first, second, tie, model_a, model_b or a model's name; None where there is none.
    of_name: the winner is a model's own name, which may be any word. prob: chance of the first
    seat (of model_a where `of_model`). exchanged: whether the seats
    were the other way round than the row says. failed: the call failed.
    """

    winner: str | None
    detail: str | None = None
    prob: float | None = None
    of_model: bool = False
    of_name: bool = False
    exchanged: bool = False
    failed: bool = False


class AmbiguousFormError(ValueError):
    """A row that holds the keys of several forms, and none is declared."""


class NoVerdictKeyError(ValueError):
    """A row without a key that could hold a verdict."""


def recorded_votes(
    row: Row,
    form: str | None = None,
    key: str | None = None,
    labels: Mapping[str, str] | None = None,
    shown: Sequence[str] = (),
) -> list[SaidVote]:
    """The votes that a row records: one, or two of a row of games.

    form: as the contract declares it; None: by the row's keys. key: of the label, for json.
    labels: the judge's own words, and the seat that each names. shown: the replies that the judge
    saw, where they are known: a verdict that was quoted from one is none.
    Raises NoVerdictKeyError, AmbiguousFormError, and ValueError for a value of a wrong type.
    """
    form = form or form_of(row)
    if form in TEXT_FORMS:
        return [_read_text(row, _text_form(form, key, labels), shown)]
    return _READERS[form](row)


def seat_said(text: str, shown: Sequence[str] = ()) -> str | None:
    """The seat that a label or a judge's own text names, whichever marker it has; else None.

    For files that do not say which: `A`, `A>B`, `[[A]]`, `[[A>>B]]` and `VERDICT: 1`.
    """
    if (seat := SEATS.get(plain(text))) is not None:
        return seat
    for form in (BRACKETS, GRADED_BRACKETS, VERDICT_LINE):
        said = parse_verdict(text, form, shown)
        if said.label is not None:
            return SEATS[said.label]
        if said.detail not in ("no_marker", "unknown_label"):
            return None
    return None


def form_of(row: Row) -> str:
    """The form that the row's keys tell."""
    found = [form for form, keys in KEYS_OF.items() if any(key in row for key in keys)]
    if not found:
        raise NoVerdictKeyError("verdict is absent: write null where the judge gave none")
    if len(found) > 1:
        raise AmbiguousFormError(
            f"the row could be read as {' and '.join(found)}: say which in the contract, "
            "as the judge's `verdicts`"
        )
    return found[0]


def _models(row: Row) -> list[SaidVote]:
    value = _required(row, "verdict")
    if value is not None and not isinstance(value, str):
        raise ValueError(f"verdict must be a string, got {value!r:.80}")
    return [SaidVote(value, None if value is not None else "empty", of_name=True)]


def _slots(row: Row) -> list[SaidVote]:
    return [_seat(_required(row, "verdict"))]


def _seat(value: Any) -> SaidVote:
    """A seat's label: 1, 2, A, B, first, second, a graded A>B, or tie."""
    if isinstance(value, bool | list | dict):
        raise ValueError(f"verdict must be a label, got {value!r:.80}")
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return SaidVote(None, "empty")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    winner = SEATS.get(str(value).strip().upper())
    return SaidVote(winner, None if winner else "unknown_label")


def _text_form(name: str, key: str | None, labels: Mapping[str, str] | None) -> VerdictForm:
    """How the judge's text is read; means of its labels: the seats."""
    return _made_form(name, key, None if labels is None else tuple(labels.items()))


@lru_cache(maxsize=256)
def _made_form(
    name: str, key: str | None, labels: tuple[tuple[str, str], ...] | None
) -> VerdictForm:
    own = dict(labels or ())
    if name == "json":
        if key is None:
            raise ValueError("verdicts of form json need the key that holds the label: verdict_key")
        words = own or SEATS
        return json_form(key, *words, means=tuple(words.values()))
    if name == "labels":
        if not own:
            raise ValueError("verdicts of form labels need the words that name the seats: labels")
        return choice_form(*own, means=tuple(own.values()))
    if own and name == "brackets":
        return bracket_form(own)
    return {
        "brackets": BRACKETS,
        "graded_brackets": GRADED_BRACKETS,
        "verdict_line": VERDICT_LINE,
    }[name]


def _read_text(row: Row, form: VerdictForm, shown: Sequence[str]) -> SaidVote:
    there = [name for name in TEXT_KEYS if row.get(name) is not None]
    if not there:
        if not any(name in row for name in TEXT_KEYS):
            raise NoVerdictKeyError("verdict is absent: write null where the judge gave none")
        return SaidVote(None, "empty")
    if len(there) > 1 and row[there[0]] != row[there[1]]:
        raise AmbiguousFormError("judgment and verdict differ: keep the one that is to be read")
    text = row[there[0]]
    if not isinstance(text, str):
        raise ValueError(f"{there[0]} must be the judge's text, got {text!r:.80}")
    said = parse_verdict(text, form, shown)
    if said.label is None:
        return SaidVote(None, said.detail)
    graded = ">>" in said.label
    notes = [*([said.label] if graded else []), *said.flags]
    seat = form.meaning(plain(said.label)) if form.means else SEATS[said.label.upper()]
    return SaidVote(seat, ", ".join(notes) or None)


def _preference(row: Row) -> list[SaidVote]:
    """1: the row's model_a; 2: its model_b; 1.5, or 0: a tie; between: a chance of model_b + 1."""
    number = _number(_required(row, "preference"), "preference")
    if number is None:
        return [SaidVote(None, "empty")]
    if number == 0:
        return [SaidVote(TIE, None)]
    if not 1 <= number <= 2:
        return [SaidVote(None, "unknown_label")]
    winner = TIE if number == 1.5 else MODEL_A if number < 1.5 else MODEL_B
    weighed = number not in (1, 1.5, 2)
    return [SaidVote(winner, None, 2 - number if weighed else None, of_model=True)]


def _logprobs(row: Row) -> list[SaidVote]:
    """Chance of the first seat: 1 / (1 + exp(l2 - l1)), of the two tokens alone."""
    first, second = (_number(_required(row, name), name) for name in LOGPROBS)
    if first is None or second is None:
        return [SaidVote(None, "empty")]
    if first > 0 or second > 0:
        raise ValueError(f"log-probabilities must be 0 or less, got {first:g} and {second:g}")
    if math.isinf(first) and math.isinf(second):
        return [SaidVote(None, "no_marker")]  # neither token was ever an option
    prob = _logistic(first - second)
    winner = TIE if first == second else FIRST if first > second else SECOND
    return [SaidVote(winner, None, prob)]


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(max(x, -745.0)) / (1 + math.exp(x))


def _games(row: Row) -> list[SaidVote]:
    """Two games, the seats exchanged in the second."""
    if "games" not in row:
        return [_winner(_required(row, name), bool(i)) for i, name in enumerate(GAME_WINNERS)]
    if any(name in row for name in GAME_WINNERS):
        raise AmbiguousFormError("games and g1_winner both stand there: keep one of them")
    games = row["games"]
    if not isinstance(games, list) or len(games) != 2:
        raise ValueError(f"games must be a list of two, got {games!r:.80}")
    return [_game(game, bool(i)) for i, game in enumerate(games)]


def _game(game: Any, exchanged: bool) -> SaidVote:
    if game is None:
        return SaidVote(None, "empty", exchanged=exchanged)
    if not isinstance(game, Mapping):
        raise ValueError(f"a game must be an object with score or winner, got {game!r:.80}")
    there = [name for name in ("score", "scores", "winner") if name in game]
    if len(there) != 1:
        raise ValueError(f"a game must have one of score, scores and winner, it has {there}")
    value = game[there[0]]
    if isinstance(value, list):
        return _of_scores(value, exchanged)
    if there[0] == "winner":
        return _winner(value, exchanged)
    return _placed(_seat(value), exchanged)


def _of_scores(scores: Sequence[Any], exchanged: bool) -> SaidVote:
    """The higher score wins; [-1, -1] is how a failed reading is written."""
    if len(scores) != 2:
        raise ValueError(f"scores must be two numbers, got {scores!r:.80}")
    first, second = (_number(score, "score") for score in scores)
    if first is None or second is None or min(first, second) < 0:
        return SaidVote(None, "unknown_label", exchanged=exchanged)
    winner = TIE if first == second else FIRST if first > second else SECOND
    return SaidVote(winner, exchanged=exchanged)


def _winner(value: Any, exchanged: bool) -> SaidVote:
    """A game's winner by the row's model (model_1, model_2, or its name), or by its seat."""
    if value is not None and not isinstance(value, str):
        raise ValueError(f"a winner must be a string, got {value!r:.80}")
    if value is not None and value.strip().lower() == "error":
        return SaidVote(None, "error", exchanged=exchanged, failed=True)
    named = {"model_1": MODEL_A, "model_2": MODEL_B}.get(value or "")
    if named or (value is not None and value.strip().upper() not in SEATS):
        return SaidVote(named or value, of_name=True, exchanged=exchanged)
    return _placed(_seat(value), exchanged)


def _placed(said: SaidVote, exchanged: bool) -> SaidVote:
    return SaidVote(said.winner, said.detail, said.prob, exchanged=exchanged)


def _required(row: Row, name: str) -> Any:
    if name not in row:
        raise NoVerdictKeyError(f"{name} is absent: write null where the judge gave none")
    return row[name]


def _number(value: Any, name: str) -> float | None:
    """A number, or its text; None for null, NaN and an empty text."""
    if isinstance(value, bool | list | dict):
        raise ValueError(f"{name} must be a number, got {value!r:.80}")
    if value is None or (isinstance(value, str) and value.strip().lower() in ("", "nan", "none")):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        raise ValueError(f"{name} must be a number, got {value!r:.80}") from None
    return None if math.isnan(number) else number


_READERS: Mapping[str, Callable[[Row], list[SaidVote]]] = {
    "models": _models,
    "slots": _slots,
    "preference": _preference,
    "games": _games,
    "logprobs": _logprobs,
}
