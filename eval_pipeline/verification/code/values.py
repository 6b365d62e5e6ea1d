"""Values as plain data: what crosses between the tests and the candidate, both ways.

Only values of exact builtin types cross. What comes out of `decode` was made here, from JSON: it
has no method, no hidden type and no reference that its sender chose.
"""

import builtins
from typing import Any

from eval_pipeline.verification.code.limits import MESSAGE_BYTES, TooLongError

_SMALL = 2**53
UNSENT: dict[str, list[str]] = {"unsent": []}  # in the place of what cannot be sent
_SEQUENCES = ("list", "tuple", "set", "frozenset")


class NotPlain(TypeError):  # noqa: N818 - reads as what is said of the value
    """A value that is not of an exact builtin type; the message names its type."""


class Unsent:
    """Stands for what a program put into an argument and could not send: it equals nothing."""


def encode(value: Any) -> Any:
    """The value as JSON data; NotPlain, RecursionError for one that holds itself, TooLongError."""
    kind = type(value)
    if kind is str or kind is bool or kind is float or value is None:
        return value
    if kind is int:
        if -_SMALL < value < _SMALL:
            return value
        if value.bit_length() > 4 * MESSAGE_BYTES:  # four bits a digit
            raise TooLongError(f"a number of {value.bit_length()} bits")
        return {"int": hex(value)}
    if kind is list:
        return [encode(v) for v in value]
    if kind is tuple or kind is set or kind is frozenset:
        return {kind.__name__: [encode(v) for v in value]}
    if kind is dict:
        return {"dict": [[encode(k), encode(v)] for k, v in value.items()]}
    if kind is bytes or kind is bytearray:
        return {kind.__name__: value.hex()}
    if kind is complex:
        return {"complex": [value.real, value.imag]}
    if kind is Unsent:
        raise TooLongError("what the program could not send")
    raise NotPlain(f"a {type.__dict__['__name__'].__get__(kind)}")


def decode(data: Any) -> Any:
    """The value of JSON data; ValueError for data that `encode` does not make."""
    kind = type(data)
    if kind is list:
        return [decode(v) for v in data]
    if kind is not dict:
        return data
    if len(data) != 1:
        raise ValueError("a value with more than one mark")
    ((mark, inside),) = data.items()
    try:
        if mark in _SEQUENCES and type(inside) is list:
            return getattr(builtins, mark)([decode(v) for v in inside])
        if mark == "dict":
            return {decode(k): decode(v) for k, v in inside}
        if mark == "int":
            return int(inside, 16)
        if mark == "unsent":
            return Unsent()
        if mark == "bytes":
            return bytes.fromhex(inside)
        if mark == "bytearray":
            return bytearray.fromhex(inside)
        if mark == "complex":
            real, imaginary = inside
            return complex(float(real), float(imaginary))
    except TypeError as error:  # such as a list as a key
        raise ValueError(str(error)) from error
    raise ValueError(f"an unknown mark {mark!r}"[:100])
