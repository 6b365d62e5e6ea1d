"""What is generated in the pages: `python -m eval_pipeline_tests.documents` writes it anew.

A part stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from eval_pipeline.cli.command import VERBS, group
from eval_pipeline.metrics.entry import Metric, Option
from eval_pipeline.metrics.registry import METRICS
from eval_pipeline.orchestration.chain import CHAIN
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.documents.contract_keys import contract_keys
from eval_pipeline_tests.documents.environment import settings
from eval_pipeline_tests.documents.formulas import formulas
from eval_pipeline_tests.documents.vocabulary import statuses
from eval_pipeline_tests.test_rooms import GROUND, MAY_IMPORT

ROOT = Path(__file__).resolve().parent.parent.parent
README = ROOT / "README.md"
DOCS = ROOT / "eval_pipeline" / "docs"


def verbs() -> str:
    """Each verb with its usage and options."""
    lines: list[str] = []
    for name, command in verbs_by_name().items():
        lines += _documented(name, command)
    return "\n".join(lines)


def verbs_by_name() -> dict[str, click.Command]:
    """Each verb, and each verb of a verb (`label export`), by how it is called."""
    named: dict[str, click.Command] = {}
    for verb in VERBS:
        command = group.get_command(click.Context(group), verb)
        if command is None:
            raise ValueError(f"the command has no verb {verb}")
        inner = command.commands if isinstance(command, click.Group) else {}
        if not inner or (isinstance(command, click.Group) and command.invoke_without_command):
            named[verb] = command
        named |= {f"{verb} {name}": one for name, one in inner.items()}
    return named


def _documented(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=f"eval-pipeline {name}")
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"- `{name} {usage}`: {_first_sentence(command)}"
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            yield f"  - {_option_of_verb(option)}"


def _first_sentence(command: click.Command) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())


def _option_of_verb(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    return f"{names}: {option.help}" if option.help else names


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


def verifiers() -> str:
    """Each verifier with its options."""
    return "\n".join(_instruments("verifier"))


def extractions() -> str:
    """Each extraction with its options."""
    return "\n".join(_instruments("extraction"))


def _instruments(kind: str) -> Iterator[str]:
    for one in json.loads(_told("check", "--list", "--json")):
        if one["kind"] == kind:
            yield f"- `{one['name']}`: {one['meaning']}."
            for option in one["options"]:
                yield f"  - {_option_of_instrument(option)}"


def _told(*call: str) -> str:
    """What a call of the command prints."""
    return CliRunner().invoke(group, call, catch_exceptions=False).stdout


def _option_of_instrument(option: dict[str, Any]) -> str:
    meaning = f": {option['meaning']}" if option["meaning"] else ""
    return f"`{option['name']}` = `{option['default']!r}`{meaning}"


def metrics() -> str:
    """Each metric by family: unit, direction, options, meaning, source."""
    blocks = []
    for family in dict.fromkeys(metric.family for metric in METRICS.values()):
        of_family = [metric for metric in METRICS.values() if metric.family == family]
        blocks.append("\n".join([f"**{family.replace('_', ' ')}**\n", *map(_metric, of_family)]))
    return "\n\n".join(blocks)


def _metric(metric: Metric) -> str:
    better = {True: "higher is better", False: "lower is better", None: "neither is better"}
    head = f"- `{metric.name}` ({metric.unit}; {better[metric.higher_is_better]})"
    source = f" Source: {metric.source}." if metric.source else ""
    options = "".join(f"\n  - {_option_of_metric(option)}" for option in metric.options)
    return f"{head}: {_sentence(metric.meaning)}{source}{options}"


def _option_of_metric(option: Option) -> str:
    default = "must be given" if option.required else f"`{option.default}`"
    return f"`{option.name}`, {default}: {option.meaning}"


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def imports() -> str:
    """Each room with the rooms that it may import."""
    rows = ["| room | may import |", "| --- | --- |"]
    for room, known in MAY_IMPORT.items():
        if room not in GROUND:
            rows.append(f"| `{room}` | {', '.join(f'`{one}`' for one in sorted(known))} |")
    return "\n".join(rows)


PAGES: dict[str, dict[str, Callable[[], str]]] = {
    "REFERENCE.md": {
        "verbs": verbs,
        "contract": contract_keys,
        "verifiers": verifiers,
        "extractions": extractions,
        "metrics": metrics,
        "chain": chain,
        "tables": tables,
        "statuses": statuses,
        "settings": settings,
    },
    "METHODS.md": {"formulas": formulas},
    "ARCHITECTURE.md": {"imports": imports},
}


def renewed(page: str, text: str) -> str:
    """The page with its generated parts made anew; raises ValueError where a part is missing."""
    for name, make in PAGES[page].items():
        part = re.compile(rf"(<!-- generated: {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        if not part.search(text):
            raise ValueError(f"{page} has no part `generated: {name}`")
        made = make()
        text = part.sub(lambda match, made=made: f"{match[1]}{made}\n{match[2]}", text)
    return text
