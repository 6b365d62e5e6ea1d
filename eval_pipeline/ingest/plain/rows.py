"""A plain file, one reply a row, with the keys that people use.

Each part of a row is looked for under several keys; the first of them that the file has is taken
for the whole file, and said. A row that cannot be used is rejected with its line and a reason.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eval_pipeline.ingest.excerpts import excerpt
from eval_pipeline.ingest.peers.sources import File
from eval_pipeline.ingest.plain.cells import is_whole
from eval_pipeline.ingest.plain.files import Rejected, raw_rows
from eval_pipeline.ingest.plain.keys import NEEDED, KeySurvey, value_at
from eval_pipeline.ingest.samples import FORMS

OURS = ("item_id", "draw", "text", "published", "imported_from")  # keys of generations
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # of options


@dataclass(frozen=True)
class PlainRow:
    """A usable row. options: None where it has none. answers: every one that counts as right.

    index: the answer as the whole number that stood there, None for text. rest: all other keys.
    """

    line: int
    item_id: str | None
    question: str
    answers: tuple[str, ...]
    index: int | None
    reply: str
    model: str | None
    draw: int | None
    options: tuple[str, ...] | None
    rest: Mapping[str, object]

    @property
    def answer(self) -> str:
        """The right answer, the first one of several."""
        return self.answers[0]


@dataclass(frozen=True)
class PlainFile:
    """What a file holds: usable rows, rejected ones, and which key was taken for which part."""

    name: str
    rows: tuple[PlainRow, ...]
    rejected: tuple[Rejected, ...]
    keys: Mapping[str, str]


class UnusableRowError(ValueError):
    """A row that cannot be used: the reason in one word, and what exactly is wrong."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail


def read_plain(path: Path, keys: Mapping[str, str] | None = None) -> PlainFile:
    """All rows of a file; a row whose reply is a list of texts gives a draw for each.

    keys: part of a row -> key, where the file has a key of its own for it; `doc.question` leads
    into nested values, and an empty key says that the file has none.
    Raises ValueError where no row can be read, or where a part that is needed is in no row.
    """
    source = File(path)
    rejected: list[Rejected] = []
    survey = KeySurvey(keys or {})
    raws = []
    for raw in raw_rows(source, rejected):
        survey.look(raw[1])
        raws.append(raw)
    if not raws:
        raise ValueError(nothing_read(source.name, rejected))
    taken = survey.taken(source.name, NEEDED)
    rows = []
    for line, row, content in raws:
        try:
            rows += usable_rows(line, row, taken, NEEDED)
        except UnusableRowError as fault:
            rejected.append(Rejected(line, fault.reason, fault.detail, excerpt(content)))
    rejected.sort(key=lambda one: one.line)
    return PlainFile(source.name, tuple(rows), tuple(rejected), taken)


def sample_key(key: str, value: object) -> str:
    """The key of a row of generations; one that means something else there is kept as given_."""
    form = FORMS.get(key)
    ours = key in OURS or (form is not None and form.fault(key, value) is not None)
    return f"given_{key}" if ours else key


def nothing_read(name: str, rejected: Sequence[Rejected]) -> str:
    """What is said of a file without a row that can be read."""
    first = f" ({rejected[0].detail})" if rejected else ""
    return (
        f"{name} holds no row that can be read{first}: "
        "write one JSON object a line, a JSON array of objects, or CSV with a heading"
    )


def usable_rows(
    line: int, row: Mapping[str, object], keys: Mapping[str, str], needed: Sequence[str]
) -> list[PlainRow]:
    """The row, or one for each text where its reply is a list of them.

    needed: parts without which a row cannot be used; any other may be absent, and is empty then.
    Raises UnusableRowError.
    """
    values = {part: value_at(row, key) for part, key in keys.items()}
    replies = values.get("reply")
    if not isinstance(replies, list) or not replies:
        return [_usable(line, row, values, keys, needed)]
    if values.get("draw") is not None:
        said = f"{keys['reply']} is a list, and {keys['draw']} numbers the row as one draw"
        raise UnusableRowError("draws_in_a_draw", said)
    return [
        replace(_usable(line, row, {**values, "reply": reply}, keys, needed), draw=draw)
        for draw, reply in enumerate(replies)
    ]


def _usable(
    line: int,
    row: Mapping[str, object],
    values: Mapping[str, object],
    keys: Mapping[str, str],
    needed: Sequence[str],
) -> PlainRow:
    question, reply = _text(values.get("question")), _text(values.get("reply"))
    answers = _answers(values.get("answer"), several="answer" not in needed)
    if "question" in needed and (question is None or not question.strip()):
        raise UnusableRowError("no_question", _said("question", keys, values))
    if "answer" in keys and not answers and ("answer" in needed or values["answer"] is not None):
        raise UnusableRowError("no_answer", _said("answer", keys, values))
    if "reply" in needed and reply is None:
        raise UnusableRowError("no_reply", _said("reply", keys, values))
    options = _options(values.get("options"), row)
    given = {"question": [question or ""], "answer": answers, "options": options}
    for part, texts in given.items():
        if not all(map(is_whole, texts or ())):
            raise UnusableRowError("lone_surrogate", f"{part} holds half of a character")
    place = values.get("answer")
    return PlainRow(
        line=line,
        item_id=_name("item_id", keys, values),
        question=question or "",
        answers=tuple(answers),
        index=place if isinstance(place, int) and not isinstance(place, bool) else None,
        reply=reply or "",
        model=_name("model", keys, values),
        draw=_draw(keys, values),
        options=options,
        rest={key: value for key, value in row.items() if key not in keys.values()},
    )


def _answers(value: object, several: bool) -> list[str]:
    """The right answers; a list of them only where there may be several."""
    listed = value if isinstance(value, list) and several else [value]
    found = [text.strip() for one in listed if (text := _text(one)) is not None]
    return found if len(found) == len(listed) and all(found) else []


def _text(value: object) -> str | None:
    """Text, or a number as it is written; None for anything else."""
    if isinstance(value, str):
        return value
    if type(value) in (int, float):
        return json.dumps(value)
    return None


def _said(part: str, keys: Mapping[str, str], values: Mapping[str, object]) -> str:
    value = values[part]
    what = "is absent or null" if value is None else f"is {value!r:.60}"
    return f"{keys[part]} {what}: text or a number is needed"


def _name(part: str, keys: Mapping[str, str], values: Mapping[str, object]) -> str | None:
    """The item's or the model's name; None where the file has no such key."""
    if part not in keys:
        return None
    name = _text(values[part])
    if name is None or not name.strip() or not name.isprintable():
        raise UnusableRowError(
            f"no_{part}", f"{keys[part]} is {values[part]!r:.60}: a name is needed"
        )
    return name.strip()


def _draw(keys: Mapping[str, str], values: Mapping[str, object]) -> int | None:
    """Its number; None where the row has none, which says nothing yet: it may be the only one."""
    if "draw" not in keys or values["draw"] in (None, ""):
        return None
    value = values["draw"]
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        value = int(value)
    if type(value) is not int or not 0 <= value < 2**31:
        raise UnusableRowError(
            "no_draw", f"{keys['draw']} is {values['draw']!r:.60}: a number from 0"
        )
    return value


def _options(value: object, row: Mapping[str, object]) -> tuple[str, ...] | None:
    """The choices: a list of texts (or such a list as JSON text), letters to texts, columns A, B.

    The form {"text": [...], "label": [...]} of some public sets is read too.
    """
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        try:
            value = json.loads(value)
        except ValueError:
            raise UnusableRowError(
                "no_options", f"options are {value!r:.60}: no list of texts"
            ) from None
    if isinstance(value, dict) and isinstance(value.get("text"), list):
        value = value["text"]
    elif isinstance(value, dict):
        value = list(value.values()) if list(value) == list(LETTERS[: len(value)]) else value
    if value is None or value == "":
        lettered = _leading(row)
        return tuple(lettered) if len(lettered) > 1 else None
    texts = [_text(one) for one in value] if isinstance(value, list) else []
    whole = [text for text in texts if text is not None]
    if len(whole) < 2 or len(whole) < len(texts):
        raise UnusableRowError(
            "no_options", f"options are {value!r:.60}: two or more texts are needed"
        )
    return tuple(whole)


def _leading(row: Mapping[str, object]) -> list[str]:
    """The texts of the columns A, B and so on, as far as they go."""
    texts: list[str] = []
    for letter in LETTERS:
        text = _text(row.get(letter))
        if not text:
            break
        texts.append(text)
    return texts


def reasons(rejected: Iterable[Rejected]) -> dict[str, int]:
    """How many rows were rejected for each reason, sorted."""
    counts: dict[str, int] = {}
    for one in rejected:
        counts[one.reason] = counts.get(one.reason, 0) + 1
    return dict(sorted(counts.items()))
