"""The files that a contract pins by digest: its items and its prompt template."""

import hashlib
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from eval_pipeline.contracts.digest import Pinned, identity
from eval_pipeline.contracts.faults import Path as FieldPath
from eval_pipeline.contracts.faults import nearest, shown
from eval_pipeline.contracts.model import Contract, Prompt
from eval_pipeline.contracts.shape import Problem
from eval_pipeline.layout import DataRoot, FileRead, is_regular

FileDigest = Callable[[Path], str]


def sha256_of(path: Path) -> str:
    """Digest of a file's bytes, hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def pinned_files(root: DataRoot, contract: Contract) -> list[Path]:
    """The files whose digests stand in the identity: items, then the template if there is one."""
    items = root.items(contract.task.benchmark)
    if isinstance(contract.prompt, Prompt):
        return [items, root.path / contract.prompt.template]
    return [items]


def pinned(root: DataRoot, contract: Contract, file_digest: FileDigest = sha256_of) -> Pinned:
    """The digests of the files that the contract pins.

    Raises ValueError that names a file which is not there.
    """
    paths = pinned_files(root, contract)
    for path in paths:
        if not is_regular(path):
            name = path.relative_to(root.path).as_posix()
            raise ValueError(f"contract {contract.title} pins {name}, which {_lack(path)}: add it")
    digests = [file_digest(path) for path in paths]
    return Pinned(digests[0], digests[1] if len(digests) > 1 else None)


def identified(root: DataRoot, contract: Contract, file_digest: FileDigest = sha256_of) -> str:
    """The identity of the contract with the files that it pins as they are now."""
    files = pinned(root, contract, file_digest)
    return identity(contract, files.items, files.template)


def evidence(root: DataRoot, path: Path) -> FileRead:
    """The file as it is now, for lineage."""
    name = path.relative_to(root.path).as_posix()
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return FileRead(name, digest, stream.tell())


def absent_files(
    root: DataRoot, sections: Mapping[str, Any], broken: Container[FieldPath]
) -> Iterator[Problem]:
    """Pinned files that are not there; fields that are broken already are not looked at."""
    benchmark = _named(sections, "task", "benchmark")
    if benchmark is not None and ("task", "benchmark") not in broken:
        path = root.items(benchmark)
        if not is_regular(path):
            place = path.relative_to(root.path).as_posix()
            mend = _add(place, nearest(benchmark, known_benchmarks(root)))
            yield Problem(("task", "benchmark"), f"is {benchmark}, which {_lack(path)}", mend)
    template = _named(sections, "prompt", "template")
    if template is None or ("prompt", "template") in broken:
        return
    path = root.path / template
    if not is_regular(path):
        mend = _add(template, nearest(template, known_templates(root)))
        yield Problem(("prompt", "template"), f"is {shown(template)}, which {_lack(path)}", mend)


def known_benchmarks(root: DataRoot) -> list[str]:
    """Benchmarks with items, as `name@version`, sorted."""
    files = (root.path / "benchmarks").glob("*/v*/items.jsonl")
    return sorted(f"{file.parent.parent.name}@{file.parent.name[1:]}" for file in files)


def known_templates(root: DataRoot) -> list[str]:
    """Prompt templates, as a contract names them, sorted."""
    return sorted(
        path.relative_to(root.path).as_posix() for path in root.prompts.rglob("*") if path.is_file()
    )


def _add(place: str, otherwise: str) -> str:
    return f"add {place}" + (f"; {otherwise}" if otherwise else "")


def _lack(path: Path) -> str:
    if path.exists() or path.is_symlink():
        return "is a link, a folder or a pipe, not the file itself"
    return "is not there"


def _named(sections: Mapping[str, Any], section: str, key: str) -> str | None:
    values = sections.get(section)
    value = values.get(key) if isinstance(values, dict) else None
    return value if isinstance(value, str) else None
