"""Constants as they are written: numbers, lists, and the bytes of whole tensors."""

import re
import struct
from math import prod

import numpy as np
from lark import Token

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.parse.syntax import Dense
from einsum_front.mlir.scalars import DTYPES

NO_PAIR = "a pair of numbers is a complex one, and the entries are not complex"

HEADER = 4
"""Bytes in front of the entries of a resource: their alignment."""


def dense_of(written: Token | tuple[Token, Token] | list[object] | None, type_: mlir.Type) -> Dense | str:
    """`dense<…>`: a list of lists, one number for all entries, or bytes; else why it is none of these."""
    if isinstance(type_, mlir.ScalarType):
        return "the entries are those of a number"
    element = type_.element
    if isinstance(written, Token) and written.type == "STRING":
        text = unquoted(written)
        if not re.fullmatch(r"0x(?:[0-9a-fA-F]{2})*", text):
            return "entries of a tensor as a string of characters are not read"
        return of_bytes(bytes.fromhex(text[2:]), type_)
    if isinstance(written, Token) and element.part is None:
        return Dense(_entry(written, element), (), type_)
    flat: list[int | float] = []
    if isinstance(written, Token | tuple):
        is_fit = _flatten([written], element, flat) == (1,)
        return Dense(tuple(flat), (), type_) if is_fit else NO_PAIR
    shape = _flatten(written or [], element, flat)
    return Dense(tuple(flat), shape, type_)


def of_resource(text: str, type_: mlir.Type) -> Dense | str:
    """The entries of `dense_resource`, of the text of their bytes."""
    found = re.fullmatch(r"0x((?:[0-9a-fA-F]{2})*)", text)
    if found is None or len(found[1]) < 2 * HEADER:
        return "a resource is a string of bytes in hexadecimal, of which the first four are its alignment"
    return of_bytes(bytes.fromhex(found[1])[HEADER:], type_)


def of_bytes(data: bytes, type_: mlir.Type) -> Dense | str:
    """Entries as they lie in memory; one for all that are the same."""
    if isinstance(type_, mlir.ScalarType) or None in type_.shape:
        return "bytes are entries of a tensor whose sizes are known"
    shape = tuple(size for size in type_.shape if size is not None)
    dtype = np.dtype(np.uint16 if type_.element is mlir.ScalarType.BF16 else DTYPES[type_.element]).newbyteorder("<")
    if type_.element is mlir.ScalarType.I1 and len(data) == -(-prod(shape) // 8) and len(data) > 1:
        values = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")[: prod(shape)].astype(np.int8)
    elif len(data) % dtype.itemsize:
        return f"{len(data)} bytes are no entries of `{type_.element.value}`"
    else:
        values = np.frombuffer(data, dtype)
    if type_.element is mlir.ScalarType.BF16:
        values = (values.astype(np.uint32) << np.uint32(16)).view(np.float32)
    count = len(values)
    if type_.element.part is not None:
        values = values.view(DTYPES[type_.element.part])
    if count not in (1, prod(shape)):
        return f"there are bytes of {count} entries, and the tensor has {prod(shape)}"
    if len(values) == 1:
        return Dense(values[0].item(), (), type_)
    return Dense(tuple(values.tolist()), () if count == 1 else shape, type_)


def _flatten(values: list[object], element: mlir.ScalarType, flat: list[int | float]) -> tuple[int, ...]:
    """The shape of nested lists, whose numbers are added to `flat`; -1 where lengths differ."""
    shapes = set()
    for value in values:
        if isinstance(value, list):
            shapes.add(_flatten(value, element, flat))
        elif isinstance(value, Token | tuple):
            pair = value if isinstance(value, tuple) else (value,)
            flat += [_entry(each, element) for each in pair]
            flat += [0.0] * (element.part is not None and len(pair) == 1)
            shapes.add(() if len(pair) == 1 or element.part is not None else (-1,))
    if len(shapes) > 1:
        return (-1,)
    return (len(values), *next(iter(shapes), ()))


def unquoted(token: str) -> str:
    """The text of a string."""
    return re.sub(r"\\([0-9a-fA-F]{2}|.)", lambda found: _escaped(found[1]), token[1:-1])


def _escaped(code: str) -> str:
    if len(code) == 2:
        return chr(int(code, 16))
    return {"n": "\n", "t": "\t"}.get(code, code)


def number_of(token: Token) -> int | float:
    """A number, 0 and 1 for false and true."""
    if token.type in ("TRUE", "FALSE"):
        return int(token.type == "TRUE")
    return float(token) if token.type == "FLOAT" else int(token)


def _entry(token: Token, element: mlir.ScalarType) -> int | float:
    if token.type == "HEX":
        bits = int(token, 16)
        return of_bits(bits, element) if element.is_floating else bits
    return number_of(token)


def of_bits(bits: int, element: mlir.ScalarType) -> float:
    """The number that has these bits."""
    if element is mlir.ScalarType.BF16:
        bits, element = bits << 16, mlir.ScalarType.F32
    code = {mlir.ScalarType.F32: ("I", "f", 32), mlir.ScalarType.F16: ("H", "e", 16)}.get(element, ("Q", "d", 64))
    number: float = struct.unpack(code[1], struct.pack(code[0], bits % 2 ** code[2]))[0]
    return number
