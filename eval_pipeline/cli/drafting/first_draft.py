"""From plain rows to items and samples, with every guess said in a sentence."""

import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from eval_pipeline.ingest.excerpts import excerpt
from eval_pipeline.ingest.plain.facts import is_place
from eval_pipeline.ingest.plain.files import Rejected
from eval_pipeline.ingest.plain.keys import FLAGS
from eval_pipeline.ingest.plain.rows import PlainFile, PlainRow
from eval_pipeline.layout import checked_name
from eval_pipeline.reply_text import spoken
from eval_pipeline.verification.choices.choice import LETTERS
from eval_pipeline.verification.choosing.choice import Choice, choose
from eval_pipeline.verification.choosing.reading import Reply
from eval_pipeline.verification.choosing.reference_type import Asked, reference_type
from eval_pipeline.verification.verdict import Item

MARKED = "####"  # before the final answer of a worked solution, as grade-school maths writes it


@dataclass(frozen=True)
class FirstDraft:
    """What a plain file becomes.

    items: in the order of the file. samples: model -> its rows, each with its item and draw.
    draws: the most that an item has of one model. guesses: what was assumed, a sentence each.
    flag: the key of the rows that may hold a publisher's verdicts, if there is one.
    """

    items: tuple[Item, ...]
    samples: Mapping[str, tuple[tuple[Item, int, PlainRow], ...]]
    draws: int
    chosen: Choice
    rejected: tuple[Rejected, ...]
    guesses: tuple[str, ...]
    flag: str | None = None


def first_draft(file: PlainFile, model: str, renamed: Mapping[str, str]) -> FirstDraft:
    """Items, samples and instruments for the rows of a file.

    model: the name for rows without one. renamed: name in the file -> name of the checkpoint.
    Raises ValueError where no row is left, or a model's name cannot be a checkpoint's.
    """
    guesses: list[str] = []
    rows = _with_final_answers(_with_items(file, guesses), guesses)
    kept, items, rejected = _of_one_mind(rows, guesses)
    rows, twice = _with_draws(file, [_named(row, model, renamed) for row in kept], guesses)
    rejected = [*file.rejected, *rejected, *twice]
    if not rows:
        first = rejected[0]
        raise ValueError(
            f"{file.name}: none of {len(rejected)} rows can be used; "
            f"line {first.line}: {first.reason} ({first.detail})"
        )
    if "model" not in file.keys:
        guesses.append(f"the file names no model: all replies are those of {model}")
    used = {row.item_id for row in rows}
    asked = [item for item in items if item.item_id in used]
    by_name = {item.item_id: item for item in asked}
    samples: dict[str, list[tuple[Item, int, PlainRow]]] = defaultdict(list)
    for row in rows:
        samples[row.model or model].append((by_name[row.item_id or ""], row.draw or 0, row))
    draws = 1 + max(row.draw or 0 for row in rows)
    if (flag := _flag(rows)) is not None:
        guesses.append(
            f"{flag} may be a publisher's verdict: it is kept, and counts for nothing until "
            "verification.recorded says who graded"
        )
    chosen, answers = _chosen(asked, samples)
    asked = [
        replace(item, answer=answers[item.item_id]) for item in asked if item.item_id in answers
    ]
    for item in chosen.kind.odd:
        detail = f"{chosen.kind.verifier} cannot hold the answer {by_name[item].reference!r:.80}"
        lines = [
            row.line for rows in samples.values() for one, _, row in rows if one.item_id == item
        ]
        rejected += [Rejected(line, "unreadable_reference", detail, "") for line in lines]
    if chosen.kind.dress is not None:
        guesses.append(f"references are in a dress ({chosen.kind.dress}), which is taken off")
    guesses += _doubts(chosen)
    return FirstDraft(
        items=tuple(asked),
        samples={
            name: tuple(one for one in found if one[0].item_id in answers)
            for name, found in samples.items()
        },
        draws=draws,
        chosen=chosen,
        rejected=tuple(sorted(rejected, key=lambda one: one.line)),
        guesses=tuple(guesses),
        flag=flag,
    )


def _flag(rows: Sequence[PlainRow]) -> str | None:
    """The first of FLAGS that every row holds with a value that is a verdict by itself."""
    from eval_pipeline.verification.recorded import by_itself

    for flag in FLAGS:
        if all(by_itself(row.rest.get(flag)) is not None for row in rows):
            return flag
    return None


def _with_items(file: PlainFile, guesses: list[str]) -> list[PlainRow]:
    """The rows, each with the name of its item."""
    if "item_id" in file.keys:
        ids = {row.item_id for row in file.rows}
        questions = {(row.question, row.options) for row in file.rows}
        if len(ids) > len(questions):
            guesses.append(
                f"{len(ids)} items have {len(questions)} questions: {file.keys['item_id']} names "
                "the items; where it numbers the rows, leave it out with --key item_id="
            )
        return list(file.rows)
    guesses.append("the file names no items: rows with the same question are one item")
    order = list(dict.fromkeys((row.question, row.options) for row in file.rows))
    width = max(4, len(str(len(order))))
    named = {question: f"item-{n:0{width}d}" for n, question in enumerate(order, start=1)}
    return [replace(row, item_id=named[row.question, row.options]) for row in file.rows]


def _with_final_answers(rows: list[PlainRow], guesses: list[str]) -> list[PlainRow]:
    """Answers as the verifiers read them: what follows ####, letters for places in the options."""
    if rows and all(MARKED in row.answer for row in rows):
        guesses.append(f"answers are worked solutions: what follows {MARKED} is the answer")
        finals = [row.answer.rpartition(MARKED)[2].strip() for row in rows]
        return [replace(row, answers=(final,)) for row, final in zip(rows, finals, strict=True)]
    for start in (0, 1):
        if rows and all(is_place(row, start) for row in rows):
            guesses.append(f"answers are places in the options, counted from {start}")
            return [replace(row, answers=(LETTERS[(row.index or 0) - start],)) for row in rows]
    return rows


def _of_one_mind(
    rows: Sequence[PlainRow], guesses: list[str]
) -> tuple[list[PlainRow], list[Item], list[Rejected]]:
    """Rows that say of an item what its first row said; the others are rejected."""
    items: dict[str, Item] = {}
    first: dict[str, int] = {}
    kept, rejected = [], []
    for row in rows:
        said = Item(row.item_id or "", row.question, row.answer, row.options)
        known = items.setdefault(said.item_id, said)
        line = first.setdefault(said.item_id, row.line)
        if said == known:
            kept.append(row)
            continue
        parts = ("question", "answer", "options")
        other = next(part for part in parts if getattr(said, part) != getattr(known, part))
        detail = f"item {said.item_id} has another {other} than in line {line}"
        rejected.append(Rejected(row.line, f"other_{other}", detail, excerpt(row.question)))
    return kept, list(items.values()), rejected


def _named(row: PlainRow, model: str, renamed: Mapping[str, str]) -> PlainRow:
    """The row with the name of its checkpoint; a name is never changed unasked."""
    given = row.model or model
    name = renamed.get(given, given)
    try:
        checked_name(name, "model")
    except ValueError as error:
        raise ValueError(f"{error}; choose a name with --rename '{given}=name'") from None
    return replace(row, model=name)


def _with_draws(
    file: PlainFile, rows: Sequence[PlainRow], guesses: list[str]
) -> tuple[list[PlainRow], list[Rejected]]:
    """The rows with draws from 0; a draw that stands twice is rejected."""
    if all(row.draw is None for row in rows):
        counts: Counter[tuple[str | None, str | None]] = Counter()
        numbered = []
        for row in rows:
            numbered.append(replace(row, draw=counts[row.model, row.item_id]))
            counts[row.model, row.item_id] += 1
        if any(count > 1 for count in counts.values()):
            guesses.append("the file numbers no draws: replies to one item are draws, in order")
        return numbered, []
    counts = Counter((row.model, row.item_id) for row in rows)
    least = min((row.draw for row in rows if row.draw is not None), default=0)
    if least:
        guesses.append(f"draws begin at {least} in the file and at 0 here")
    seen: dict[tuple[str | None, str | None, int], int] = {}
    kept, rejected = [], []
    for row in rows:
        if row.draw is None and counts[row.model, row.item_id] > 1:
            detail = f"item {row.item_id} by {row.model} stands here without a draw, and elsewhere"
            rejected.append(Rejected(row.line, "no_draw", detail, excerpt(row.reply)))
            continue
        draw = 0 if row.draw is None else row.draw - least
        line = seen.setdefault((row.model, row.item_id, draw), row.line)
        if line == row.line:
            kept.append(replace(row, draw=draw))
        else:
            detail = f"draw {row.draw} of item {row.item_id} by {row.model} stands in line {line}"
            rejected.append(Rejected(row.line, "duplicate", detail, excerpt(row.reply)))
    return kept, rejected


def _chosen(
    items: Sequence[Item], samples: Mapping[str, Sequence[tuple[Item, int, PlainRow]]]
) -> tuple[Choice, Mapping[str, str]]:
    """The instruments for these references and replies, and item -> the answer to compare."""
    asked = [Asked(one.item_id, one.question, (one.reference,), one.options) for one in items]
    kind = reference_type(asked)
    replies = [
        Reply(item, model, spoken(row.reply).text)
        for model, rows in samples.items()
        for item, _, row in rows
        if item.item_id in kind.answers
    ]
    return choose(kind, replies, len(os.sched_getaffinity(0))), kind.answers


def _doubts(chosen: Choice) -> list[str]:
    """What speaks against the choice, a sentence each, with replies to look at."""
    doubts = [str(alarm) for alarm in chosen.alarms] + list(chosen.dropped)
    if chosen.state != "read":
        worst = max(chosen.unread, key=lambda model: (chosen.unread[model], model), default="")
        share = chosen.unread.get(worst, 0.0)
        doubts.append(f"the replies are {chosen.state!r}: {share:.1%} of {worst}'s are unread")
    return doubts
