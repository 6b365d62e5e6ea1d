"""Values cross as they are, and nothing else crosses."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.verification.code.limits import TooLongError
from eval_pipeline.verification.code.values import NotPlain, decode, encode

KEYS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(), st.binary(), st.tuples(st.integers())
)
PLAIN = st.recursive(
    st.one_of(KEYS, st.floats(), st.complex_numbers(allow_nan=False), st.frozensets(KEYS)),
    lambda inner: st.one_of(
        st.lists(inner), st.tuples(inner, inner), st.dictionaries(KEYS, inner), st.sets(KEYS)
    ),
    max_leaves=20,
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
    lambda inner: st.one_of(
        st.lists(inner),
        st.dictionaries(
            st.sampled_from(["list", "tuple", "set", "dict", "int", "bytes", "complex", "x"]),
            inner,
            max_size=2,
        ),
    ),
    max_leaves=20,
)


@given(PLAIN)
def test_a_plain_value_comes_back_as_it_was(value: Any):
    back = decode(json.loads(json.dumps(encode(value))))
    assert repr(canonical(back)) == repr(canonical(value))


def canonical(value: Any) -> Any:
    """Sets in an order of their own."""
    if isinstance(value, set | frozenset):
        return type(value).__name__, sorted(map(repr, value))
    if isinstance(value, list | tuple):
        return type(value)(map(canonical, value))
    if isinstance(value, dict):
        return {k: canonical(v) for k, v in value.items()}
    return value


@given(JSON)
def test_data_of_a_stranger_are_a_value_or_a_value_error(data: Any):
    with suppress(ValueError):
        encode(decode(data))


class Number(int):
    pass


@pytest.mark.parametrize("value", [Number(3), Path(), object(), int, len, [Number(1)], iter([])])
def test_a_value_of_another_type_is_named(value: Any):
    with pytest.raises(NotPlain, match="a "):
        encode(value)


def test_what_has_no_end_is_refused():
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        encode(endless)
    with pytest.raises(TooLongError):
        encode(1 << 10**8)
