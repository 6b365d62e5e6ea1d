"""`chain@1`: several extractions, tried in order until one finds an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from eval_pipeline.verification.registry import EXTRACTIONS, Options, extraction_of
from eval_pipeline.verification.verdict import EMPTY, Extraction, Found, Item, find_all

ON_BROKEN = ("end", "next")
NAME = "chain@1"
_EXAMPLE = "[{boxed@2: {}}, {last_number@2: {thousands: ','}}]"


@dataclass(frozen=True)
class Step:
    """One extraction of a chain; `name` is what the verdict's detail says of it."""

    name: str
    extraction: Extraction


@dataclass(frozen=True)
class Chain:
    """The answer that the first step finds which finds one; its name begins the verdict's detail.

    A place that is there and cannot be read (an unclosed box, a cut object, a marker with nothing
    after it) ends the chain for that reply. Options: `steps`, a list of extractions, each with its
    version and options of its own; `strict`, how many of the first steps make the strict number:
    where it is given the detail says `strict` or `lenient` after the step; `on_broken`, end (the
    default) or next, which asks the next step after a broken place.
    """

    steps: tuple[Any, ...] = field(default=(), hash=False)
    strict: int = 0
    on_broken: str = "end"
    made: tuple[Step, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "made", _made(self.steps))
        is_count = isinstance(self.strict, int) and not isinstance(self.strict, bool)
        if not is_count or not 0 <= self.strict <= len(self.made):
            raise ValueError(
                f"strict must be how many of the {len(self.made)} steps count, got {self.strict!r}"
            )
        if self.on_broken not in ON_BROKEN:
            raise ValueError(f"on_broken must be end or next, got {self.on_broken!r}")

    def extract(self, reply: str, item: Item) -> Found:
        return self.extract_all([(item, reply)], 1)[0]

    def extract_all(self, replies: Sequence[tuple[Item, str]], workers: int) -> list[Found]:
        """Each step is asked at once for all replies that no earlier one has decided."""
        found: list[Found | None] = [None] * len(replies)
        broken: dict[int, Found] = {}
        for number, step in enumerate(self.made):
            open_ones = [i for i, one in enumerate(found) if one is None]
            asked = [replies[i] for i in open_ones]
            for i, one in zip(open_ones, find_all(step.extraction, asked, workers), strict=True):
                told = replace(one, step=self._told(number))
                ends = self.on_broken == "end" or one.status != "parser_failure"
                if one.answer is not None or (_is_broken(one) and ends):
                    found[i] = told
                elif _is_broken(one):
                    broken.setdefault(i, told)
        return [
            one or broken.get(i) or (Found(None, "no_step") if reply.strip() else EMPTY)
            for i, (one, (_, reply)) in enumerate(zip(found, replies, strict=True))
        ]

    def _told(self, number: int) -> str:
        name = self.made[number].name
        if not self.strict:
            return name
        return f"{name}; {'strict' if number < self.strict else 'lenient'}"


def step_names(options: Options) -> list[str]:
    """The extractions that a chain's options name, with their versions; errors as `Chain`."""
    return [_named(step, i)[0] for i, step in enumerate(_listed(options.get("steps")))]


def instrument_names(extraction: str, options: Options) -> str:
    """The extraction with its version, and those of its steps where it is a chain."""
    if not extraction.startswith("chain@"):
        return extraction
    return f"{extraction}: {', '.join(step_names(options))}"


def _made(steps: Any) -> tuple[Step, ...]:
    made: list[Step] = []
    for i, step in enumerate(_listed(steps)):
        reference, options = _named(step, i)
        try:
            extraction = extraction_of(reference, options)
        except ValueError as fault:
            raise ValueError(f"steps.{i} ({reference}): {fault}") from None
        name = reference.split("@")[0]
        again = sum(one.name.startswith(name) for one in made)
        made.append(Step(f"{name}_{again + 1}" if again else name, extraction))
    return tuple(made)


def _listed(steps: Any) -> Sequence[Any]:
    if not isinstance(steps, list | tuple) or not steps:
        raise ValueError(f"{NAME} needs verification.options.steps: a list such as {_EXAMPLE}")
    return steps


def _named(step: Any, i: int) -> tuple[str, Options]:
    """The extraction of a step, and its options."""
    if isinstance(step, str):
        step = {step: {}}
    if not isinstance(step, Mapping) or len(step) != 1:
        raise ValueError(
            f"steps.{i} must be one extraction with its options, such as {{boxed@2: {{}}}}, "
            f"got {step!r:.100}"
        )
    ((reference, options),) = step.items()
    known = [name for name in EXTRACTIONS if name != NAME]
    if reference not in known:
        versions = [name for name in known if name.split("@")[0] == str(reference).split("@")[0]]
        mend = f"write {versions[-1]}" if versions else f"there are {', '.join(known)}"
        raise ValueError(f"steps.{i}: there is no extraction {reference!r} for a step: {mend}")
    if not isinstance(options or {}, Mapping):
        raise ValueError(f"steps.{i} ({reference}): its options must be a mapping, got {options!r}")
    return reference, options or {}


def _is_broken(found: Found) -> bool:
    """Whether a place is there that cannot be read; details of what is not there begin with no_."""
    if found.answer is not None:
        return False
    nothing = found.detail == EMPTY.detail or (found.detail or "").startswith("no_")
    return not nothing or found.status != EMPTY.status
