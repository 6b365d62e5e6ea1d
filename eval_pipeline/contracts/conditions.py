"""Declared conditions held against the run manifest: how replies were drawn, and from what prompt.

checkpoint.yaml states them as `decoding: {temperature: 0.7, ...}` and `prompt: {template: ...,
digest: ...}` for all benchmarks, or below `conditions: {<benchmark>: ...}` for one, which goes
first. What contradicts a contract is refused; what is not stated is unverified.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from eval_pipeline.contracts.faults import shown
from eval_pipeline.contracts.model import Contract, Decoding, Prompt
from eval_pipeline.contracts.targets import CheckpointFacts

DRAWN = ("temperature", "top_p", "max_tokens", "stop", "tools")
PUT = ("template", "digest", "few_shot")
# Their defaults say that nothing special was done, which a manifest seldom says.
SELDOM_STATED = {"tools": "none", "few_shot": 0}
NAMED = 3  # checkpoints that a sentence names
MOST_SAID = 80  # characters of a list or a mapping
Stated = Mapping[str, object]  # what a manifest states, as `CheckpointFacts.conditions` holds it


def contradictions(contract: Contract, facts: CheckpointFacts, template: str) -> list[str]:
    """Why the checkpoint was not run as the contract declares: one sentence, or none.

    template: sha256 of the template's file, hex; not looked at where the prompt is unknown.
    """
    found = [
        f"{place} is {_said(stated)} and {contract.title} declares {_said(declared)}"
        for place, stated, declared in _compared(contract, facts.conditions, template)
        if not _same(place.rpartition(".")[2], stated, declared)
    ]
    if not found:
        return []
    return [
        f"checkpoints/{facts.name}/checkpoint.yaml: {', '.join(found)}: mend what is wrong there, "
        f"or leave {facts.name} out by targets.exclude, of a frozen contract in a new version"
    ]


def unverified(contract: Contract, stated: Mapping[str, Stated]) -> str | None:
    """Which declared conditions no manifest vouches for, in one sentence; None for none.

    stated: checkpoint to its conditions.
    """
    lacking: dict[str, list[str]] = {}
    for name, conditions in stated.items():
        if lacks := ", ".join(_lacks(contract, conditions)):
            lacking.setdefault(lacks, []).append(name)
    if not lacking:
        return None
    parts = [
        f"{lacks} of {'every checkpoint' if len(names) == len(stated) else _names(names)}"
        for lacks, names in lacking.items()
    ]
    said = "; ".join(parts)
    return f"{contract.title}: declared and unverified: {said}: checkpoint.yaml does not state it"


def _said(value: object) -> str:
    if not isinstance(value, list | dict):
        return shown(value)
    text = json.dumps(value, ensure_ascii=False, default=str)
    return shown(text) if not text.isprintable() else f"{text:.{MOST_SAID}}"


def _names(names: Sequence[str]) -> str:
    beyond = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {beyond} more" if beyond > 0 else "")


def _declared(contract: Contract, template: str = "") -> dict[str, dict[str, object]]:
    """Section to key to declared value, of the sections that the contract knows."""
    found: dict[str, dict[str, object]] = {}
    if isinstance(contract.decoding, Decoding):
        found["decoding"] = {key: getattr(contract.decoding, key) for key in DRAWN}
    if isinstance(contract.prompt, Prompt):
        prompt = contract.prompt
        found["prompt"] = {
            "template": prompt.template,
            "digest": template,
            "few_shot": prompt.few_shot,
        }
    return found


def _of(contract: Contract, conditions: Stated, section: str) -> Iterator[tuple[str, object]]:
    """Place and value of a section where it is stated, that of the benchmark first."""
    own = conditions.get("conditions")
    of_benchmark = own.get(contract.benchmark) if isinstance(own, Mapping) else None
    if isinstance(of_benchmark, Mapping):
        yield f"conditions.{contract.benchmark}.{section}", of_benchmark.get(section)
    yield section, conditions.get(section)


def _compared(
    contract: Contract, conditions: Stated, template: str
) -> Iterator[tuple[str, object, object]]:
    """Place, stated and declared value of what is stated."""
    for section, declared in _declared(contract, template).items():
        seen: set[str] = set()
        for place, values in _of(contract, conditions, section):
            if values is None:
                continue
            if not isinstance(values, Mapping):
                yield place, values, declared
                continue
            for key in declared:
                if key not in seen and _is_stated(values, key):
                    seen.add(key)
                    yield f"{place}.{key}", values[key], declared[key]


def _lacks(contract: Contract, conditions: Stated) -> Iterator[str]:
    """Declared conditions that are not stated: a section where nothing of it is."""
    for section, declared in _declared(contract).items():
        stated = {
            key
            for _, values in _of(contract, conditions, section)
            if isinstance(values, Mapping)
            for key in declared
            if _is_stated(values, key)
        }
        if not stated:
            yield section
            continue
        if {"template", "digest"} & stated:  # either tells which prompt it was
            stated |= {"template", "digest"}
        wanted = (key for key in declared if key not in stated)
        yield from (
            f"{section}.{key}"
            for key in wanted
            if key not in SELDOM_STATED or declared[key] != SELDOM_STATED[key]
        )


def _is_stated(values: Mapping[str, object], key: str) -> bool:
    value = values.get(key)
    if isinstance(value, Mapping) and "unknown" in value:
        return False
    return value is not None or (key == "stop" and key in values)


def _same(key: str, stated: object, declared: object) -> bool:
    if key == "digest":
        return str(stated).removeprefix("sha256:").lower() == declared
    if key == "stop":
        return _stops(stated) == _stops(declared)
    if isinstance(declared, int | float):
        try:
            return float(str(stated)) == float(declared)
        except ValueError:
            return False
    return json.dumps(stated, sort_keys=True, default=str) == json.dumps(declared, sort_keys=True)


def _stops(value: object) -> list[str]:
    """Texts at which a reply ends; in which order they are named makes no difference."""
    texts = value if isinstance(value, list) else [] if value is None else [value]
    return sorted({str(text) for text in texts})
