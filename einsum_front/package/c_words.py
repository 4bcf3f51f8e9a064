"""Types, numbers and lists as C spells them."""

from collections.abc import Iterable

import numpy as np

from einsum_front.core.limits import LARGEST_INTEGER
from einsum_front.runtime.artifact import COMPLEX

C_TYPES = {
    "i1": "uint8_t",
    "i8": "int8_t",
    "i16": "int16_t",
    "i32": "int32_t",
    "i64": "int64_t",
    "index": "int64_t",
    "u8": "uint8_t",
    "u16": "uint16_t",
    "u32": "uint32_t",
    "u64": "uint64_t",
    "f32": "float",
    "f64": "double",
    "bf16": "uint16_t",
    "f16": "uint16_t",
    "c32": "float",
    "c64": "double",
}
"""Element types in C; complex numbers are two of theirs, one behind the other, as in every language."""

COLUMNS = 116


def listed(words: Iterable[str], indent: str) -> str:
    """Words with commas between, as many on a line as fit."""
    lines, line = [], indent
    for word in words:
        if len(line) + len(word) > COLUMNS and line != indent:
            lines.append(line.rstrip())
            line = indent
        line += f"{word}, "
    return "\n".join([*lines, line.rstrip()] if line != indent else lines)


def literal(value: float, type_: str) -> str:
    """A number that C reads back exactly, or a part of a complex one."""
    type_ = COMPLEX.get(type_, type_)
    if type_ == "f64":
        return repr(float(value))
    if type_ == "f32":
        text = str(np.float32(value))
        return f"{text}f" if any(mark in text for mark in ".en") else f"{text}.0f"
    whole = int(value)
    if whole == -(2**63):
        return f"{whole + 1} - 1"  # C has no negative constants
    return f"{whole}u" if whole > LARGEST_INTEGER else str(whole)
