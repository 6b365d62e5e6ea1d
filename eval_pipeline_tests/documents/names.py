"""What a page names, and whether it is there: code, files, columns, keys, verbs, settings."""

import importlib
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click

from eval_pipeline.cli.command import VERBS
from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import NAME_FORM
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.documents.environment import KNOWN
from eval_pipeline_tests.documents.generated import DOCS, PAGES, README, ROOT, verbs_by_name

WRITTEN = [README, *sorted(path for path in DOCS.glob("*.md") if path.name not in {"REFERENCE.md"})]
PACKAGE = ROOT / "eval_pipeline"
CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)+")
SETTING = re.compile(r"EVAL_PIPELINE_[A-Z_]*[A-Z]")
MODULE = re.compile(r"python3? -m (eval_pipeline[\w.]*)")
RECIPE = re.compile(r"^just ([a-z]+)")
FILES = (
    "py",
    "pyi",
    "md",
    "yaml",
    "toml",
    "json",
    "jsonl",
    "gz",
    "parquet",
    "duckdb",
    "html",
    "txt",
)
OF_DATA = ("data/", "warehouse/", "contracts/", "tables/", "checkpoints/")  # written by a run
Json = dict[str, Any]


def spoken(page: Path) -> list[str]:
    """Inline code of a page, generated parts and blocks left out."""
    text = page.read_text(encoding="utf-8")
    for part in PAGES.get(page.name, {}):
        text = re.sub(rf"<!-- generated: {part} -->.*?<!-- end of {part} -->", "", text, flags=re.S)
    return CODE.findall(FENCE.sub("", text))


def is_dotted(name: str) -> bool:
    whole = DOTTED.fullmatch(name.removesuffix("()"))
    return bool(whole) and name.rpartition(".")[2] not in FILES


def exists(name: str) -> bool:
    """Whether the name is code of ours or of a package, a column, or a key of a contract."""
    name = name.removesuffix("()")
    first, _, rest = name.partition(".")
    if first in TABLES:
        return rest in TABLES[first].stored_schema.names
    of_us = name if first.startswith("eval_pipeline") else f"eval_pipeline.{name}"
    return is_code(of_us) or is_key(name) or (not is_room(first) and is_code(name))


def is_room(name: str) -> bool:
    return (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()


def is_code(name: str) -> bool:
    """Whether a module of that name can be imported, or what stands in one."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[cut:]:
            if not hasattr(found, attribute):
                return False
            found = getattr(found, attribute)
        return True
    return False


@cache
def keys() -> frozenset[str]:
    """Every key of a contract, by its way from the top."""
    schema = Contract.model_json_schema()
    parts: Json = schema["$defs"]

    def below(part: Json, before: str) -> Iterator[str]:
        for key, one in part.get("properties", {}).items():
            yield f"{before}{key}"
            for name in re.findall(r"#/\$defs/(\w+)", str(one)):
                yield from below(parts[name], f"{before}{key}.")

    return frozenset(below(schema, ""))


def is_key(name: str) -> bool:
    return name in keys() or any(key.startswith(f"{name}.") for key in keys())


def is_path(name: str) -> bool:
    return (
        "/" in name
        and re.fullmatch(r"[\w./-]+", name) is not None
        and not name.startswith(("/", "../", *OF_DATA))
    )


def is_there(name: str) -> bool:
    return any((root / name).exists() for root in (ROOT, PACKAGE, ROOT / "data", DOCS))


def calls(page: Path) -> Iterator[str]:
    """Calls of the command: lines of blocks, and inline code that begins with a verb."""
    for language, block in FENCE.findall(page.read_text(encoding="utf-8")):
        joined = block.replace("\\\n", " ") if language in ("", "sh") else ""
        for line in joined.splitlines():
            for part in line.split(" && "):
                if found := re.match(r"(?:\$ )?eval-pipeline (.+)", part.strip()):
                    yield found[1]
    for name in spoken(page):
        if name.startswith("eval-pipeline "):
            yield name.removeprefix("eval-pipeline ")
        elif " -" in name and name.split()[0] in VERBS:
            yield name


def fault_of(call: str) -> str | None:
    """What is wrong with a call: its verb, or an option that the verb does not have."""
    try:
        words = shlex.split(call.split(" | ")[0].split(" > ")[0].rstrip(".:,"))
    except ValueError:
        words = call.split()  # a question in SQL that goes on in the next line
    if words[0].startswith("-"):
        return None
    named = verbs_by_name()
    verb = " ".join(words[:2]) if " ".join(words[:2]) in named else words[0]
    if verb not in named:
        return None if any(known.startswith(f"{verb} ") for known in named) else call
    params = [one for one in named[verb].params if isinstance(one, click.Option)]
    known = {name for one in params if not one.hidden for name in one.opts} | {"--help"}
    used = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    return f"{call}: {sorted(used - known)}" if used - known else None


def is_setting(name: str) -> bool:
    """Whether a setting is known: by its name, by its beginning, or as one judge's own."""
    own = re.sub(rf"^EVAL_PIPELINE_JUDGE_(?:{NAME_FORM})_", "EVAL_PIPELINE_JUDGE_", name)
    return any(known == name or known.startswith(f"{name}_") for known in KNOWN) or own in KNOWN


def is_run(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()


@cache
def recipes() -> frozenset[str]:
    text = (ROOT / ".justfile").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^([a-z]+)(?: [^:=]*)?:(?!=)", text, re.MULTILINE))
