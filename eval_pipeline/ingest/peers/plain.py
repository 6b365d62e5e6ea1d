"""Plain rows of question, answer and reply, for files that have no form of a tool.

Several files are one benchmark. Rows with a reference and no reply are items, and rows with a
reply and no reference are joined to them by id. The model stands in a column, else in what tells
the names of the files apart.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerGuess, PeerReject, PeerReply
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.plain.facts import Facts, item_name, verdict
from eval_pipeline.ingest.plain.files import Rejected, raw_rows
from eval_pipeline.ingest.plain.keys import KeySurvey
from eval_pipeline.ingest.plain.rows import (
    LETTERS,
    PlainRow,
    UnusableRowError,
    nothing_read,
    sample_key,
    usable_rows,
)

ROWS = "rows"
NAME = "plain"
SURVEYED = 20_000  # rows of a file by which its keys are told
SHOWN_IDS = 3
PUBLISHED = "published"  # the part that only a person can name
_JOINTS = " -_.+@"  # what parts the words of a file's name


@dataclass(frozen=True)
class _Table:
    """A file of rows: which key each part has, and whose replies it holds where no column says."""

    glance: Glance
    keys: Mapping[str, str]
    survey: KeySurvey

    @property
    def is_answered(self) -> bool:
        return "reply" in self.keys

    def rows(self, needed: Sequence[str]) -> Iterator[PlainRow | PeerReject]:
        """All rows in order, and those that cannot be used where they stand."""
        lost: list[Rejected] = []
        for line, row, _ in raw_rows(self.glance.source, lost):
            yield from self._rejects(lost)
            try:
                yield from usable_rows(line, row, self.keys, needed)
            except UnusableRowError as fault:
                yield PeerReject(f"{self.glance.name}:{line}", fault.reason, fault.detail)
        yield from self._rejects(lost)

    def _rejects(self, lost: list[Rejected]) -> Iterator[PeerReject]:
        for one in lost:
            yield PeerReject(f"{self.glance.name}:{one.line}", one.reason, one.detail)
        lost.clear()


def form(named: Mapping[str, str]) -> PeerForm:
    """The form; named: part -> the key that a person says, which may lead into nested values."""
    return PeerForm(
        NAME, "rows of question, answer and reply", _claims, partial(_read, named=named)
    )


def _claims(glance: Glance) -> str | None:
    if glance.members:
        return None
    return ROWS if next(raw_rows(glance.source, []), None) is not None else None


def _read(files: Claimed, named: Mapping[str, str]) -> Iterator[Entry]:
    tables = _tables(files[ROWS], {k: v for k, v in named.items() if k != PUBLISHED})
    answered = [table for table in tables if table.is_answered]
    models = models_of([table.glance for table in answered])
    items = dict[str, PlainRow]()
    for table in tables:
        if not table.is_answered:
            yield from _gather(table, items)
    facts = Facts(named.get(PUBLISHED))
    for table, model in zip(answered, models, strict=True):
        for row in table.rows(("reply",)):
            if isinstance(row, PlainRow):
                facts.look(row, row.model or model)
    facts.close()
    if items and not facts.items & items.keys():
        theirs, ours = sorted(items)[:SHOWN_IDS], sorted(facts.items)[:SHOWN_IDS]
        raise ValueError(
            f"no reply is to an item of the other file: the items are {', '.join(theirs)} ..., "
            f"the replies are to {', '.join(ours)} ...: say which key is the id with --key item_id="
        )
    yield from _guesses(answered, models, facts)
    task = _task([table.glance for table in answered])
    for table, model in zip(answered, models, strict=True):
        for row in table.rows(("reply",)):
            if isinstance(row, PeerReject):
                yield row
                continue
            place = f"{table.glance.name}:{row.line}"
            yield _reply(row, (task, row.model or model, place), facts, items)


def _tables(glances: Sequence[Glance], named: Mapping[str, str]) -> list[_Table]:
    """The files with their keys; a key that a person says must be in one of them."""
    surveys = [(glance, _surveyed(glance, named)) for glance in glances]
    absent = [
        (part, key)
        for part, key in named.items()
        if key and not any(survey.has(key) for _, survey in surveys)
    ]
    for part, key in absent:
        names = ", ".join(glance.name for glance in glances[:SHOWN_IDS])
        raise ValueError(f"{names}: no row has the key {key!r} ({part})")
    tables = [_Table(glance, survey.taken(glance.name, ()), survey) for glance, survey in surveys]
    if not any(table.is_answered for table in tables):
        tables[0].survey.taken(tables[0].glance.name, ("reply",))
    for table in tables:
        if table.is_answered and not {"question", "item_id"} & table.keys.keys():
            table.survey.taken(table.glance.name, ("question",))
    return tables


def _surveyed(glance: Glance, named: Mapping[str, str]) -> KeySurvey:
    survey, lost, n = KeySurvey(named, lenient=True), list[Rejected](), 0
    for _, row, _ in islice(raw_rows(glance.source, lost), SURVEYED):
        survey.look(row)
        n += 1
    if not n:
        raise ValueError(nothing_read(glance.name, lost))
    return survey


def _gather(table: _Table, items: dict[str, PlainRow]) -> Iterator[PeerReject]:
    """The items of a file without replies, by their ids."""
    for row in table.rows(("item_id",)):
        if isinstance(row, PeerReject):
            yield row
        elif row.item_id is None:
            raise ValueError(
                f"{table.glance.name} holds no reply, and no id by which replies are found: "
                "say which key it is with --key item_id=... or reply=..."
            )
        elif items.setdefault(row.item_id, row) is not row:
            detail = f"item {row.item_id} stood before"
            yield PeerReject(f"{table.glance.name}:{row.line}", "duplicate_item", detail)


def _guesses(tables: Sequence[_Table], models: Sequence[str], facts: Facts) -> Iterator[PeerGuess]:
    """What was assumed, a sentence each."""
    for table, model in zip(tables, models, strict=True):
        keys = {part: key for part, key in table.keys.items() if part != key}
        if keys:
            said = ", ".join(f"{part} is {key}" for part, key in keys.items())
            yield PeerGuess(f"{table.glance.name}: {said}", table.keys)
        else:
            yield PeerGuess(f"{table.glance.name}: keys are as named", table.keys)
        if "model" not in table.keys:
            yield PeerGuess(f"{table.glance.name} names no model: its replies are those of {model}")
        if "item_id" not in table.keys:
            yield PeerGuess(f"{table.glance.name} names no items: one question is one item")
        if "question" not in table.keys:
            yield PeerGuess(f"{table.glance.name} holds no questions: items bear their ids")
    yield from map(PeerGuess, facts.told())


def _reply(
    row: PlainRow, named: tuple[str, str, str], facts: Facts, items: Mapping[str, PlainRow]
) -> Entry:
    task, model, place = named
    item = item_name(row)
    known = items.get(item)
    if items and known is None:
        return PeerReject(place, "unknown_item", f"item {item} is not among the items")
    asked = row if known is None else known
    draw = facts.draw(row, model)
    if draw is None:
        detail = f"item {item} by {model} stands here without a draw, and elsewhere"
        return PeerReject(place, "no_draw", detail)
    answers = asked.answers or row.answers
    if facts.start is not None and asked.index is not None:
        answers = (LETTERS[asked.index - facts.start],)
    columns: dict[str, Json] = {}
    item_columns = {} if known is None else dict(_json(known.rest))
    for key, value in _json(row.rest):
        if key == facts.flag:
            continue
        if key in facts.of_items:
            item_columns.setdefault(key, value)
        else:
            columns[sample_key(key, value)] = value
    said = {} if facts.flag is None else {facts.flag: verdict(row.rest.get(facts.flag))}
    return PeerReply(
        task=task,
        item_id=item,
        model=model,
        draw=draw,
        question=asked.question or row.question or f"item {item}",
        text=row.reply,
        place=place,
        references=answers,
        options=asked.options or row.options,
        said=said,
        item_columns={_item_key(key): value for key, value in item_columns.items()},
        columns=columns,
    )


def _item_key(key: str) -> str:
    """A key that has a meaning of its own in items is kept apart."""
    return f"given_{key}" if key in ("prompt", "test", "entry_point", "right_answers") else key


def _json(rest: Mapping[str, object]) -> Iterator[tuple[str, Json]]:
    for key, value in rest.items():
        if isinstance(value, bool | int | float | str | list | dict):
            yield key, value


def models_of(glances: Sequence[Glance]) -> list[str]:
    """Of each file, whose replies they are where nothing else says: what its name alone has."""
    stems = [_stem(glance) for glance in glances]
    if len(stems) < 2:
        return stems
    head = len(_whole_words(_common(stems)))
    tail = len(_whole_words(_common([stem[head:][::-1] for stem in stems])))
    own = [stem[head : len(stem) - tail].strip(_JOINTS) for stem in stems]
    if all(own) and len(set(own)) == len(own):
        return own
    folders = [glance.path.parent.name for glance in glances]
    return folders if len(set(folders)) == len(folders) and all(folders) else stems


def _task(glances: Sequence[Glance]) -> str:
    """The name of the benchmark: the file's, or what the names of several begin with."""
    stems = [_stem(glance) for glance in glances]
    common = stems[0] if len(stems) == 1 else _whole_words(_common(stems)).strip(_JOINTS)
    return common or glances[0].path.absolute().parent.name or stems[0]


def _whole_words(text: str) -> str:
    """The text up to its last joint, so that no word is cut."""
    return text[: 1 + max(text.rfind(joint) for joint in _JOINTS)]


def _common(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    least, most = min(texts), max(texts)
    differ = (n for n, (a, b) in enumerate(zip(least, most, strict=False)) if a != b)
    return least[: next(differ, len(least))]


def _stem(glance: Glance) -> str:
    return glance.path.name.partition(".")[0] or glance.path.name


FORM = form({})
