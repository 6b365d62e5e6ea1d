"""What a metric takes, checked once: vectors of numbers, probabilities, labels and flags.

A fault is a ValueError that names the place and the mend. A truth value is no number and a number
is no truth value: `True` in a list of numbers is a slip that arithmetic would hide.
"""

from collections.abc import Iterable, Mapping, Sized
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

LARGEST_WHOLE = 2**63 - 1  # what an int64 holds
SUM_TOLERANCE = 1e-6  # how far from 1 the probabilities of one sample may add up


def numbers(
    values: ArrayLike | Iterable[Any],
    name: str,
    least: float = -np.inf,
    most: float = np.inf,
    *,
    undefined: bool = False,
) -> Floats:
    """The values as a vector of finite numbers in [least, most], at least one.

    undefined: NaN and null are let through, as NaN.
    """
    x = _vector(values, name, "iuf", "a number", missing=True)
    known = ~np.isnan(x) if undefined else np.ones(len(x), dtype=bool)
    inside = np.isfinite(x) & (x >= least) & (x <= most)
    _all(inside | ~known, x, name, _wanted(least, most))
    return x


def reals(values: Any, name: str, *, undefined: bool = False) -> Floats:
    """One number, or a vector or an array of them, finite; shape as given, () for one.

    undefined: as in `numbers`.
    """
    if isinstance(values, np.ndarray):
        return numbers(values.ravel(), name, undefined=undefined).reshape(values.shape)
    if isinstance(values, list | tuple):
        return numbers(values, name, undefined=undefined)
    return numbers([values], name, undefined=undefined).reshape(())


def probabilities(values: ArrayLike | Iterable[Any], name: str) -> Floats:
    """The values as a vector of numbers in [0, 1]."""
    return numbers(values, name, 0.0, 1.0)


def outcomes(values: ArrayLike | Iterable[Any], name: str) -> Floats:
    """The values as a vector of the numbers 0 and 1."""
    y = _vector(values, name, "iuf", "the number 0 or 1", missing=True)
    _all((y == 0) | (y == 1), y, name, "the number 0 or 1")
    return y


def flags(values: ArrayLike | Iterable[Any], name: str) -> Bools:
    """The values as a vector of truth values, at least one."""
    return _vector(values, name, "b", "true or false").astype(bool)


def class_probabilities(values: ArrayLike | Iterable[Any], name: str) -> Floats:
    """A row of probabilities a sample, shape (samples, classes), each row adding up to 1."""
    if not isinstance(values, np.ndarray):
        rows = list(_sequence(values, name))
        checked = [probabilities(row, f"{name}[{i}]") for i, row in enumerate(rows)]
        widths = {len(row) for row in checked}
        if len(widths) > 1:
            odd = next(i for i, row in enumerate(checked) if len(row) != len(checked[0]))
            raise ValueError(
                f"{name}[{odd}] has {len(checked[odd])} classes and {name}[0] has "
                f"{len(checked[0])}: give every sample the same classes"
            )
        values = np.array(checked)
    if values.ndim != 2 or not values.size or values.dtype.kind not in "iuf":
        raise ValueError(
            f"{name} must be numbers of shape (samples, classes), got {values.dtype}{values.shape}"
        )
    p = values.astype(np.float64)
    bad = ~((p >= 0) & (p <= 1)).all(axis=1)
    if bad.any():
        i = int(np.flatnonzero(bad)[0])
        raise ValueError(f"{name}[{i}] holds a probability outside [0, 1]: {p[i].tolist()}")
    off = np.abs(p.sum(axis=1) - 1) > SUM_TOLERANCE
    if off.any():
        i = int(np.flatnonzero(off)[0])
        raise ValueError(
            f"{name}[{i}] adds up to {p[i].sum():g}, not 1 ({off.sum()} such samples): "
            "give all classes, as probabilities and not as logits"
        )
    return p


def class_numbers(values: ArrayLike | Iterable[Any], name: str, n_classes: int) -> Ints:
    """The values as whole numbers in 0..n_classes - 1."""
    y = numbers(values, name)
    _all((y == np.floor(y)) & (y >= 0) & (y < n_classes), y, name, f"a class in 0..{n_classes - 1}")
    return y.astype(np.int64)


def counts(values: ArrayLike | Iterable[Any], name: str) -> Floats:
    """The values as whole numbers, 0 or more."""
    n = numbers(values, name, least=0)
    _all(n == np.floor(n), n, name, "a whole number")
    return n


def labels(values: Iterable[Any], name: str) -> list[Any]:
    """The values as labels: all texts, or all whole numbers."""
    given = _sequence(values, name)
    given = [v.item() if isinstance(v, np.generic) else v for v in given]
    if not given:
        raise ValueError(f"{name} is empty: give at least one sample")
    kind = type(given[0]) if type(given[0]) in (str, int) else str
    if set(map(type, given)) == {kind}:
        return given
    wrong = next(i for i, value in enumerate(given) if type(value) is not kind)
    raise ValueError(
        f"{name}[{wrong}] is {given[wrong]!r}: give labels that are all texts or all whole numbers"
    )


def texts(values: Iterable[Any], name: str) -> list[str]:
    """The values as a list of texts, at least one."""
    given = list(_sequence(values, name))
    if not given:
        raise ValueError(f"{name} is empty: give at least one text")
    if set(map(type, given)) - {str}:
        wrong = next(i for i, v in enumerate(given) if type(v) is not str)
        raise ValueError(f"{name}[{wrong}] is {given[wrong]!r}: give a text")
    return given


def rows(values: Any, name: str) -> list[Any]:
    """The values as a list of anything, perhaps empty; a text, a mapping or a number is none."""
    return list(_sequence(values, name))


def mapping(value: Any, name: str) -> Mapping[str, object]:
    """The value, if it maps names to something."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} must map names to values, got {value!r:.60}")
    return value


def same_length(**vectors: Sized) -> int:
    """How many samples the named vectors share; ValueError where they differ."""
    lengths = {name: len(vector) for name, vector in vectors.items()}
    if len(set(lengths.values())) != 1:
        told = ", ".join(f"{n} of {name}" for name, n in lengths.items())
        raise ValueError(f"each sample needs one value of each, but there are {told}")
    return next(iter(lengths.values()))


def whole(value: object, name: str, least: int) -> int:
    """The value, if it is a whole number of at least `least`; True is no number here."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} must be a whole number, got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value!r:.40}")
    if value > LARGEST_WHOLE:
        raise ValueError(
            f"{name} is a whole number too large to reckon with: it must be below 2^63"
        )
    return int(value)


def number(value: object, name: str, least: float = -np.inf, most: float = np.inf) -> float:
    """The value, if it is a finite number in [least, most]."""
    return float(numbers([value], name, least, most)[0])


def _vector(
    values: ArrayLike | Iterable[Any], name: str, kinds: str, wanted: str, *, missing: bool = False
) -> NDArray[Any]:
    """A vector of those numpy kinds; nulls become NaN where `missing` says that NaN can stand."""
    found = _sequence(values, name)
    if not isinstance(found, np.ndarray):
        found = list(found)
        allowed = (bool, np.bool_) if kinds == "b" else (int, float, np.integer, np.floating)
        for kind in sorted(set(map(type, found)), key=str):
            null = missing and kind is type(None)
            is_flag = issubclass(kind, bool | np.bool_)
            if null or (issubclass(kind, allowed) and (kinds == "b" or not is_flag)):
                continue
            i = next(i for i, value in enumerate(found) if type(value) is kind)
            raise ValueError(f"{name}[{i}] is {found[i]!r}: give {wanted}")
        try:
            found = np.array(found, dtype=bool if kinds == "b" else np.float64)
        except OverflowError as error:
            raise ValueError(f"{name} holds a whole number too large to reckon with") from error
    if found.ndim != 1:
        raise ValueError(f"{name} must be a vector, got shape {found.shape}")
    if not found.size:
        raise ValueError(f"{name} is empty: give at least one sample")
    if found.dtype.kind not in kinds:
        raise ValueError(f"{name} holds {found.dtype} values: give {wanted} each")
    return np.asarray(found if kinds == "b" else found.astype(np.float64))


def _sequence(values: Any, name: str) -> Any:
    if isinstance(values, str | bytes | Mapping | set | frozenset) or not isinstance(
        values, Iterable
    ):
        raise ValueError(f"{name} must be a list, got {values!r:.60}")
    return values


def _all(good: Bools, x: Floats, name: str, wanted: str) -> None:
    if (bad := np.flatnonzero(~good)).size:
        i = bad[0]
        more = f" ({bad.size} such samples)" if bad.size > 1 else ""
        said = "undefined" if np.isnan(x[i]) else f"{x[i]:g}"
        raise ValueError(f"{name}[{i}] is {said}: it must be {wanted}{more}")


def _wanted(least: float, most: float) -> str:
    if np.isinf(least) and np.isinf(most):
        return "a finite number"
    if np.isinf(most):
        return f"a finite number of at least {least:g}"
    return f"a number in [{least:g}, {most:g}]"
