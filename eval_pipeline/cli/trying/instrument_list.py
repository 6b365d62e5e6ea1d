"""`check --list`: which verifiers and extractions there are, and what each may be told."""

import inspect
import re
import textwrap
from dataclasses import MISSING, Field, fields
from typing import Any, TypedDict

import click

from eval_pipeline.cli.showing.printing import print_json, terminal_width
from eval_pipeline.cli.trying.trial import KNOWN
from eval_pipeline.reporting.escaping import for_terminal
from eval_pipeline.verification.option_meanings import meaning
from eval_pipeline.verification.registry import options_of, resolve

_SENTENCE = re.compile(r"(.+?[.:;])(?:\s|\Z)", re.DOTALL)


class ListedInstrument(TypedDict):
    """A verifier or an extraction as the list tells it, with its options."""

    kind: str
    name: str
    meaning: str
    options: list[dict[str, object]]


def show_list(verifier: str | None, extraction: str | None, as_json: bool) -> None:
    """Prints all instruments, or those that are named."""
    named = {"verifier": verifier, "extraction": extraction}
    asked = set(named.values()) - {None}
    rows = [
        _row(kind, name)
        for kind, known in KNOWN.items()
        for name in known
        if not asked or name in asked
    ]
    if as_json:
        print_json(rows)
        return
    for kind in KNOWN:
        of_kind = [row for row in rows if row["kind"] == kind]
        if of_kind:
            click.echo(f"{kind}s")
        for row in of_kind:
            _say(2, f"{row['name']}  {row['meaning']}")
            for option in row["options"]:
                meaning = f": {option['meaning']}" if option["meaning"] else ""
                _say(6, f"{option['name']} = {option['default']!r}{meaning}")


def _say(indent: int, text: str) -> None:
    """One line, or several where it is too long for the terminal."""
    begin = " " * indent
    lines = textwrap.wrap(
        for_terminal(text),
        terminal_width(),
        initial_indent=begin,
        subsequent_indent=begin + "    ",
        break_on_hyphens=False,
    )
    click.echo("\n".join(lines))


def _row(kind: str, name: str) -> ListedInstrument:
    made = resolve(name)
    words = " ".join((inspect.getdoc(made) or "").split()).removeprefix(f"`{name}`: ")
    allowed = options_of(made)
    options = [
        {"name": one.name, "default": _default(one), "meaning": meaning(name, one.name)}
        for one in fields(made)
        if one.name in allowed
    ]
    first = _SENTENCE.match(words)
    says = (first[1] if first else words).rstrip(":;.")
    return {"kind": kind, "name": name, "meaning": says, "options": options}


def _default(option: "Field[Any]") -> Any:
    if option.default is not MISSING:
        return list(option.default) if isinstance(option.default, tuple) else option.default
    return option.default_factory() if option.default_factory is not MISSING else None
