"""Keeps the generated parts of the README: `python -m eval_pipeline_tests.readme` writes them anew.

A part stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import click

from eval_pipeline.cli.command import VERBS, group
from eval_pipeline.orchestration.chain import CHAIN
from eval_pipeline.orchestration.settings import UNSAFE_CODE_VARIABLE, WORKERS_VARIABLE
from eval_pipeline.warehouse.schemas import TABLES

README = Path(__file__).resolve().parent.parent / "README.md"


def verbs() -> str:
    """Each verb with its usage and options."""
    lines = []
    for verb in VERBS:
        command = group.get_command(click.Context(group), verb)
        if command is None:
            raise ValueError(f"the command has no verb {verb}")
        inner = command.commands if isinstance(command, click.Group) else {}
        named = {f"{verb} {name}": one for name, one in inner.items()} or {verb: command}
        for name, one in named.items():
            lines += _documented(name, one)
    return "\n".join(lines)


def _documented(name: str, command: click.Command) -> list[str]:
    context = click.Context(command, info_name=f"eval-pipeline {name}")
    usage = " ".join(command.collect_usage_pieces(context))
    options = [one for one in command.params if isinstance(one, click.Option)]
    head = f"- `{name} {usage}`: {_first_sentence(command)}"
    return [head, *(f"  - {_option(one)}" for one in options)]


def tables() -> str:
    """Each table: what it holds, its key, its columns."""
    blocks = []
    for table in TABLES.values():
        scope = "a checkpoint" if table.scope == "checkpoint" else "a contract version"
        head = f"<details><summary><code>{table.name}</code>: {table.meaning}</summary>\n\n"
        head += f"One part for {scope}; key: {', '.join(f'`{name}`' for name in table.key)}.\n\n"
        rows = ["| column | type | null | meaning |", "| --- | --- | --- | --- |"]
        for column in (*table.stamps, *table.columns):
            null = "yes" if column.nullable else ""
            meaning = column.meaning
            if column.allowed:
                meaning += f" One of {', '.join(f'`{word}`' for word in column.allowed)}."
            rows.append(f"| `{column.name}` | {column.type} | {null} | {meaning} |")
        blocks.append(head + "\n".join(rows) + "\n\n</details>")
    return "\n".join(blocks)


def chain() -> str:
    """The stages in order: what each reads and writes."""
    rows = ["| stage | per | reads | writes |", "| --- | --- | --- | --- |"]
    for stage in CHAIN:
        reads = ", ".join(f"`{name}`" for name in stage.reads) or "files"
        writes = ", ".join(f"`{name}`" for name in stage.tables)
        rows.append(f"| `{stage.name}` | {stage.scope} | {reads} | {writes} |")
    return "\n".join(rows)


def settings() -> str:
    """The environment variables."""
    known = {
        "EVAL_PIPELINE_DATA": "the data folder; `./data` where it is not set",
        UNSAFE_CODE_VARIABLE: "1 runs model-written code even where no sandbox can be made",
        WORKERS_VARIABLE: "processes for work that can be split; 1 where it is not set",
        "DAGSTER_HOME": "Dagster's home; `<data>/warehouse/dagster` where it is not set",
    }
    return "\n".join(f"- `{name}`: {meaning}." for name, meaning in known.items())


PARTS: dict[str, Callable[[], str]] = {
    "verbs": verbs,
    "tables": tables,
    "chain": chain,
    "settings": settings,
}


def renewed(text: str) -> str:
    """The README with its generated parts made anew; raises ValueError where a part is missing."""
    for name, make in PARTS.items():
        part = re.compile(rf"(<!-- generated: {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        if not part.search(text):
            raise ValueError(f"README.md has no part `generated: {name}`")
        made = make()
        text = part.sub(lambda match, made=made: f"{match[1]}{made}\n{match[2]}", text)
    return text


def _first_sentence(command: click.Command) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())


def _option(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    return f"{names}: {option.help}" if option.help else names


def main() -> int:
    text = README.read_text(encoding="utf-8")
    README.write_text(renewed(text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
