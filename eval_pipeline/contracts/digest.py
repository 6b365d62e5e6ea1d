"""The identity of a contract: what its results belong to.

The canonical form covers the whole expanded contract except `status` and how sure a program was of
the instruments, and the digests of the files that it pins (items and prompt template); corpora,
judges, verifiers and extractions stand in it by name and version. Two contracts that mean the same
have one form: keys are sorted, 1 and 1.0 are one number, text is in Unicode NFC, defaults are
written out, and lists whose order means nothing are sorted. What is null or empty is left out, so
that an optional section which a later release adds changes no identity.

An identity carries the name of its algorithm. An algorithm is never changed once results may
have been recorded with it: add the next one beside it, and both resolve.
"""

import hashlib
import json
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pydantic import BaseModel

from eval_pipeline.contracts.model import Contract, MetricRequest

CURRENT = "c1"

# Lists of c1 in which order means nothing.
_UNORDERED = frozenset(
    {
        "contamination.canaries",
        "contamination.corpora",
        "contamination.fields",
        "decision.guardrails",
        "decoding.stop",
        "item_analysis.groups.focal",
        "item_analysis.groups.reference",
        "judging.annotations",
        "judging.judges",
        "judging.probes",
        "judging.sample.stratify",
        "metric_validity.annotations",
        "pairing.anchors",
        "targets.exclude",
        "targets.families",
        "task.slices",
    }
)


@dataclass(frozen=True)
class Pinned:
    """Digests (sha256, hex) of the files that a contract pins; no template where it is unknown.

    judge_prompts: by name and version, of judges asked live and of those that score replies.
    """

    items: str
    template: str | None
    judge_prompts: Mapping[str, str] = field(default_factory=dict)


def identity(
    contract: Contract,
    items_sha256: str,
    template_sha256: str | None,
    algorithm: str = CURRENT,
) -> str:
    """As `identity_of`, for a contract whose judges are recorded."""
    return identity_of(contract, Pinned(items_sha256, template_sha256), algorithm)


def identity_of(contract: Contract, pinned: Pinned, algorithm: str = CURRENT) -> str:
    """`c1:` and the sha256 of the canonical form."""
    form = canonical(contract, pinned, algorithm)
    return f"{algorithm}:{hashlib.sha256(form.encode()).hexdigest()}"


def canonical(contract: Contract, pinned: Pinned, algorithm: str = CURRENT) -> str:
    """The canonical form as JSON: what the identity is the digest of."""
    return written(ALGORITHMS[algorithm](contract, pinned))


def written(form: Mapping[str, object]) -> str:
    """A canonical form as the JSON text that is digested."""
    return json.dumps(
        form, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def algorithm_of(identity: str) -> str:
    """The algorithm that an identity was made with.

    Raises ValueError for one that this release does not know.
    """
    algorithm, colon, _ = identity.partition(":")
    if not colon or algorithm not in ALGORITHMS:
        known = ", ".join(ALGORITHMS)
        raise ValueError(
            f"identity {identity!r} was made by an algorithm that is not known here ({known}): "
            "use the release that recorded it, or a later one"
        )
    return algorithm


def form_c1(contract: Contract, pinned: Pinned) -> dict[str, object]:
    """The canonical form by algorithm c1."""
    sections = _of_model(contract, "")
    del sections["status"]
    if isinstance(asked := sections.get("verification"), dict):
        asked.pop("reading", None)
    files = {
        "items": pinned.items,
        "template": pinned.template,
        "judge_prompts": dict(pinned.judge_prompts) or None,
    }
    return {"contract": sections, "files": {k: v for k, v in files.items() if v is not None}}


ALGORITHMS: Mapping[str, Callable[[Contract, Pinned], dict[str, object]]] = {"c1": form_c1}


def _of_model(part: BaseModel, above: str) -> dict[str, object]:
    form: dict[str, object] = {}
    for name, value in part:
        path = f"{above}.{name}" if above else name
        if path == "metrics":
            value = _one_by_one(value)
        canon = _of_value(value, path)
        if canon is not None and canon != [] and canon != {}:
            form[name] = sorted(canon, key=_sort_key) if path in _UNORDERED else canon
    return form


def _one_by_one(requests: list[MetricRequest]) -> list[dict[str, object]]:
    """Requests with a single k each: [1, 4] at once or one after the other ask for the same.

    Options stand in the form where there are any.
    """
    singles: list[dict[str, object]] = [
        {
            "name": request.name,
            **({} if k is None else {"k": k}),
            **({"options": request.options} if request.options else {}),
        }
        for request in requests
        for k in (request.k if isinstance(request.k, list) else [request.k])
    ]
    return sorted(singles, key=_sort_key)


def _of_value(value: Any, path: str) -> Any:
    if isinstance(value, BaseModel):
        return _of_model(value, path)
    if isinstance(value, list):
        return [_of_value(element, path) for element in value]
    if isinstance(value, dict):
        return _of_mapping(value, path)
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return int(value)  # -0.0 as well
    return value


def _of_mapping(values: Mapping[str, object], path: str) -> dict[str, object]:
    form = {unicodedata.normalize("NFC", key): _of_value(v, path) for key, v in values.items()}
    if len(form) != len(values):
        raise ValueError(f"{path}: two keys are one after Unicode normalisation; rename one")
    return form


def _sort_key(value: Any) -> str:
    return written({"": value})
