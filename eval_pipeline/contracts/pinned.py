"""The files that a contract pins by digest: its items and its prompt template."""

import hashlib
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from eval_pipeline.contracts.digest import Pinned, identity_of
from eval_pipeline.contracts.faults import Path as FieldPath
from eval_pipeline.contracts.faults import nearest, shown
from eval_pipeline.contracts.model import Contract, Prompt
from eval_pipeline.contracts.shape import Problem
from eval_pipeline.layout import DataRoot, FileRead, is_regular

PROMPTS = "prompts"
FileDigest = Callable[[Path], str]


def sha256_of(path: Path) -> str:
    """Digest of a file's bytes, hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def pinned_files(root: DataRoot, contract: Contract) -> list[Path]:
    """The files whose digests stand in the identity: items, template, prompts of judges."""
    prompts = (root.judge_prompt(name) for name in judge_prompts(contract))
    return [root.items(contract.task.benchmark), *template_file(root, contract), *prompts]


def template_file(root: DataRoot, contract: Contract) -> list[Path]:
    """The prompt's template; none where the contract does not know its prompt."""
    prompt = contract.prompt
    return [root.path / prompt.template] if isinstance(prompt, Prompt) else []


def judge_prompts(contract: Contract) -> list[str]:
    """The prompts, `name@1`, sorted: of judges that are asked live, and the rubrics of scores."""
    judges = contract.judging.judges if contract.judging else []
    return sorted(
        {prompt_name(j.prompt) for j in judges if j.prompt and _rests_on_prompt(j.source, j.form)}
    )


def _rests_on_prompt(source: Any, form: Any) -> bool:
    """Whether a judge's results mean nothing without its prompt; else it is a remark."""
    return bool(source == "openai" or form == "pointwise")


def prompt_name(reference: str) -> str:
    """`name@1` of a judge's prompt, which may be written as `prompts/name@1`."""
    return reference.removeprefix(f"{PROMPTS}/")


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
    names = judge_prompts(contract)
    others = digests[1 : len(digests) - len(names)]
    prompts = dict(zip(names, digests[len(digests) - len(names) :], strict=True))
    return Pinned(digests[0], others[0] if others else None, prompts)


def identified(root: DataRoot, contract: Contract, file_digest: FileDigest = sha256_of) -> str:
    """The identity of the contract with the files that it pins as they are now."""
    return identity_of(contract, pinned(root, contract, file_digest))


def evidence(root: DataRoot, path: Path) -> FileRead:
    """The file as it is now, for lineage."""
    name = path.relative_to(root.path).as_posix()
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return FileRead(name, digest, stream.tell())


def absent_files(
    root: DataRoot, sections: Mapping[str, object], broken: Container[FieldPath]
) -> Iterator[Problem]:
    """Pinned files that are not there; fields that are broken already are not looked at."""
    benchmark = _named(sections, "task", "benchmark")
    if benchmark is not None and ("task", "benchmark") not in broken:
        path = root.items(benchmark)
        if not is_regular(path):
            place = path.relative_to(root.path).as_posix()
            mend = _add(place, nearest(benchmark, known_benchmarks(root)))
            yield Problem(("task", "benchmark"), f"is {benchmark}, which {_lack(path)}", mend)
    yield from _absent_judge_prompts(root, sections, broken)
    template = _named(sections, "prompt", "template")
    if template is None or ("prompt", "template") in broken:
        return
    path = root.path / template
    if not is_regular(path):
        mend = _add(template, nearest(template, known_templates(root)))
        yield Problem(("prompt", "template"), f"is {shown(template)}, which {_lack(path)}", mend)


def _absent_judge_prompts(
    root: DataRoot, sections: Mapping[str, object], broken: Container[FieldPath]
) -> Iterator[Problem]:
    judging = sections.get("judging")
    judges = judging.get("judges") if isinstance(judging, dict) else None
    for i, judge in enumerate(judges if isinstance(judges, list) else ()):
        path: FieldPath = ("judging", "judges", i, "prompt")
        if not isinstance(judge, dict) or path in broken:
            continue
        rests = _rests_on_prompt(judge.get("source"), judge.get("form"))
        if not rests or not isinstance(judge.get("prompt"), str):
            continue
        name = prompt_name(judge["prompt"])
        try:
            file = root.judge_prompt(name)
        except ValueError:  # a rule says so
            continue
        if not is_regular(file):
            mend = _add(file.relative_to(root.path).as_posix(), nearest(name, known_judges(root)))
            yield Problem(path, f"is {shown(name)}, which {_lack(file)}", mend)


def known_judges(root: DataRoot) -> list[str]:
    """Prompts of judges, as `name@version`, sorted."""
    files = (root.prompts / "judges").glob("*/v*.yaml")
    return sorted(f"{file.parent.name}@{file.stem[1:]}" for file in files)


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


def _named(sections: Mapping[str, object], section: str, key: str) -> str | None:
    values = sections.get(section)
    value = values.get(key) if isinstance(values, dict) else None
    return value if isinstance(value, str) else None
