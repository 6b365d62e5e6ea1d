"""A newcomer's plain file: one reply a row, JSONL or CSV, with the keys that people use.

Each part of a row is looked for under several keys; the first of them that the file has is taken
for the whole file, and said. A row that cannot be used is rejected with its line and a reason.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from eval_pipeline.cli.drafting.row_files import Raw, Rejected, is_whole, raw_rows
from eval_pipeline.cli.drafting.row_keys import NEEDED, SYNONYMS
from eval_pipeline.ingest.excerpts import excerpt, shown_name
from eval_pipeline.verification.choices.choice import LETTERS


@dataclass(frozen=True)
class PlainRow:
    """A usable row. answer: None where the row has none; options: None where it has none.

    index: the answer as the whole number that stood there, None for text. rest: all other keys.
    """

    line: int
    item_id: str | None
    question: str
    answer: str
    index: int | None
    reply: str
    model: str | None
    draw: int | None
    options: tuple[str, ...] | None
    rest: Mapping[str, object]


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
    rejected: list[Rejected] = []
    raws = list(raw_rows(path, rejected))
    if not raws:
        first = f" ({rejected[0].detail})" if rejected else ""
        raise ValueError(
            f"{path.name} holds no row that can be read{first}: "
            "write one JSON object a line, a JSON array of objects, or CSV with a heading"
        )
    taken = _taken_keys(path, raws, keys or {})
    rows = []
    for line, row, content in raws:
        try:
            rows += _plain_rows(line, row, taken)
        except UnusableRowError as fault:
            rejected.append(Rejected(line, fault.reason, fault.detail, excerpt(content)))
    rejected.sort(key=lambda one: one.line)
    return PlainFile(shown_name(path), tuple(rows), tuple(rejected), taken)


def _taken_keys(path: Path, raws: Sequence[Raw], named: Mapping[str, str]) -> dict[str, str]:
    """Part of a row -> the key that the file has for it."""
    there = {key for _, row, _ in raws for key, value in row.items() if value is not None}
    by_folded = {key.casefold(): key for key in sorted(there, reverse=True)}
    taken: dict[str, str] = {}
    for part, known in SYNONYMS.items():
        if part in named:
            if named[part] and not any(_value(row, named[part]) is not None for _, row, _ in raws):
                raise ValueError(f"{path.name}: no row has the key {named[part]!r} ({part})")
            if named[part]:
                taken[part] = named[part]
            elif part in NEEDED:
                raise ValueError(f"--key {part}=: a {part} is needed, so it must have a key")
            continue
        free = (by_folded[key] for key in known if key in by_folded)
        found = next((key for key in free if key not in named.values()), None)
        if found is not None:
            taken[part] = found
        elif part in NEEDED:
            have = ", ".join(sorted(map(str, there))[:12])
            raise ValueError(
                f"{path.name}: no row has a {part} (looked for {', '.join(known)}; the keys are "
                f"{have}): say which it is with --key {part}=..."
            )
    return taken


def _value(row: Mapping[str, object], key: str) -> Any:
    """What stands at a key, or at the end of a path into nested values; None where nothing does."""
    if key in row:
        return row[key]
    value: Any = row
    for step in key.split("."):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isascii() and step.isdigit() and len(step) < 10:
            value = value[int(step)] if int(step) < len(value) else None
        else:
            return None
    return value


def _plain_rows(line: int, row: dict[str, object], keys: Mapping[str, str]) -> list[PlainRow]:
    """The row, or one for each text where its reply is a list of them."""
    values = {part: _value(row, key) for part, key in keys.items()}
    replies = values["reply"]
    if not isinstance(replies, list) or not replies:
        return [_plain_row(line, row, values, keys)]
    if values.get("draw") is not None:
        said = f"{keys['reply']} is a list, and {keys['draw']} numbers the row as one draw"
        raise UnusableRowError("draws_in_a_draw", said)
    return [
        replace(_plain_row(line, row, {**values, "reply": reply}, keys), draw=draw)
        for draw, reply in enumerate(replies)
    ]


def _plain_row(
    line: int, row: dict[str, object], values: Mapping[str, object], keys: Mapping[str, str]
) -> PlainRow:
    question, answer = _text(values["question"]), _text(values["answer"])
    if question is None or not question.strip():
        raise UnusableRowError("no_question", _said("question", keys, values))
    if answer is None or not answer.strip():
        raise UnusableRowError("no_answer", _said("answer", keys, values))
    reply = _text(values["reply"])
    if reply is None:
        raise UnusableRowError("no_reply", _said("reply", keys, values))
    options = _options(values.get("options"), row)
    for part, texts in {"question": [question], "answer": [answer], "options": options}.items():
        if not all(map(is_whole, texts or ())):
            raise UnusableRowError("lone_surrogate", f"{part} holds half of a character")
    return PlainRow(
        line=line,
        item_id=_name("item_id", keys, values),
        question=question,
        answer=answer.strip(),
        index=values["answer"] if type(values["answer"]) is int else None,
        reply=reply,
        model=_name("model", keys, values),
        draw=_draw(keys, values),
        options=options,
        rest={key: value for key, value in row.items() if key not in keys.values()},
    )


def _text(value: Any) -> str | None:
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


def _options(value: Any, row: Mapping[str, object]) -> tuple[str, ...] | None:
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
