"""Which parts of an item are looked for, and what kind of text each is."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eval_pipeline.contamination.text.normalise import CODE, TEXT, Normaliser

Kind = Literal["text", "answer", "code", "source"]

COLUMNS = ("question", "answer", "options", "entry_point", "test")
KINDS: Mapping[str, Kind] = {
    "answer": "answer",
    "canonical_solution": "code",
    "code": "code",
    "test": "code",
    "article": "source",  # a passage that the item quotes: overlap alone is no leak of the item
    "context": "source",
    "passage": "source",
    "source": "source",
}
SHARED = " (shared passage)"  # ends the name of a field that is a passage of several items


@dataclass(frozen=True)
class Field:
    """One part of one item; `text` is None where the item has no such part."""

    item_id: str
    name: str
    text: str | None

    @property
    def kind(self) -> Kind:
        return kind_of(self.name)

    @property
    def is_passage(self) -> bool:
        """Whether it is a passage that several items are about, and was made of another field."""
        return self.name.endswith(SHARED)

    @property
    def normaliser(self) -> Normaliser:
        return CODE if self.kind == "code" else TEXT


def kind_of(name: str) -> Kind:
    """What kind of text a field holds, by its name."""
    if name.endswith(SHARED):
        return "source"
    return KINDS.get(name, "text")


def fields_of(items: Sequence[Mapping[str, object]], names: Sequence[str]) -> list[Field]:
    """The named parts of all items (rows of the `items` table), sorted by item and name.

    A name is a column of the table or a key of `extra`. Raises ValueError for a name that no item
    has.
    """
    fields = present_fields(items, names)
    present = {field.name for field in fields if field.text is not None}
    if fields and (missing := sorted(set(names) - present)):
        extra = sorted({key for item in items for key in _extra(item)})
        raise ValueError(
            f"contamination.fields: no item has {missing[0]!r}; an item's parts are "
            f"{', '.join([*COLUMNS, *extra])}"
        )
    return fields


def present_fields(items: Sequence[Mapping[str, object]], names: Sequence[str]) -> list[Field]:
    """As `fields_of`, also where no item has a name."""
    return [
        Field(str(item["item_id"]), name, _text(_value(item, name)))
        for item in sorted(items, key=lambda item: str(item["item_id"]))
        for name in sorted(names)
    ]


def _value(item: Mapping[str, object], name: str) -> object:
    return item.get(name) if name in COLUMNS else _extra(item).get(name)


def _extra(item: Mapping[str, object]) -> Mapping[str, object]:
    extra = json.loads(str(item.get("extra") or "{}"))
    return extra if isinstance(extra, dict) else {}


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, list):
        return "\n".join(text for one in value if (text := _text(one))) or None
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
