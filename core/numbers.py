"""Numbers as the languages write them, and the types that NumPy has for them."""

import math
from functools import cache
from typing import Any, TypeVar

import numpy as np

from einsum_front.core.storage import ElementType

Key = TypeVar("Key")

EPSILONS = {"bf16": 2.0**-7, "f16": 2.0**-10, "f32": 2.0**-23, "f64": 2.0**-52}
"""From 1 to the next number, by the name of the type."""

BF16_MAX = (2 - EPSILONS["bf16"]) * 2.0**127
"""The greatest number of bf16."""

DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
HEXADECIMAL = r"0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?"
"""Patterns of a floating-point number without its sign."""


@cache
def bf16() -> np.dtype[Any]:
    """The upper half of the bits of an f32; NumPy has the type from ml_dtypes.

    Raises `CompileError` (E0116) without it.
    """
    from einsum_front.core.optional import needed  # noqa: PLC0415 - for kernels with numbers of this type only

    found: np.dtype[Any] = np.dtype(needed("ml_dtypes", "the type bf16 in NumPy").bfloat16)
    return found


COMPLEX = {np.dtype(each): np.zeros(1, each).real.dtype for each in (np.complex64, np.complex128)}
"""Complex types of NumPy, and that of their parts."""


def in_parts(array: Any) -> Any:
    """Complex numbers, however they lie, with real and imaginary parts along a last axis: a view. Real ones as such."""
    parts = COMPLEX.get(array.dtype)
    return array if parts is None else array[..., None].view(parts)


def is_bf16(dtype: np.dtype[Any]) -> bool:
    """True for bf16, of which only who has such an array has loaded the type."""
    return dtype.kind == "V" and dtype.name == "bfloat16"


def is_floating(dtype: np.dtype[Any]) -> bool:
    """True for floating types, those that NumPy has from others too."""
    return dtype.kind == "f" or is_bf16(dtype)


class Dtypes(dict[Key, np.dtype[Any]]):
    """The types of NumPy by those of a language, whose word for bf16 is found when it is first looked up."""

    def __init__(self, types: dict[Key, type[np.generic]], word: Key) -> None:
        super().__init__({key: np.dtype(each) for key, each in types.items()})
        self._word = word

    def __missing__(self, key: Key) -> np.dtype[Any]:
        if key != self._word:
            raise KeyError(key)
        return self.setdefault(key, bf16())


def read_float(text: str) -> float:
    """The value as `strtod` has it; infinite where no double is near."""
    if "x" not in text.lower():
        return float(text)
    try:
        return float.fromhex(text)
    except OverflowError:
        return math.inf


def dtype_of(element: ElementType) -> np.dtype[Any]:
    """The type of NumPy that has the numbers of a program."""
    kinds = {"f": "float", "i": "int", "u": "uint", "b": ""}
    return np.dtype(f"{kinds[element.value[0]]}{element.value.lstrip('fiu')}")


def number_in(value: Any, dtype: np.dtype[Any]) -> Any:
    """The number in a type that is computed with: rounded to a floating one, wrapped around in integers.

    Of `bool` it is true where the number is not 0.
    """
    if dtype.kind not in "iu":
        return dtype.type(value)
    return np.array(int(value) % 2 ** (8 * dtype.itemsize), f"u{dtype.itemsize}").view(dtype)[()]


def wrapped(value: float, element: ElementType) -> int:
    """The integer that a number, which is one, is in an integer type."""
    return int(number_in(value, dtype_of(element)))


def bounds(element: ElementType) -> tuple[int, int]:
    """The least and the greatest number of an integer type."""
    high = 2 ** (element.bits - (element.value[0] == "i")) - 1
    return (-high - 1 if element.value[0] == "i" else 0), high


def fits(number: float, element: ElementType) -> bool:
    """True if a number that is finite is finite in the type, or is one of its integers."""
    if element.is_integer:
        low, high = bounds(element)
        return low <= number <= high and number == int(number)
    with np.errstate(over="ignore"):
        return element is ElementType.F64 or bool(np.isfinite(np.float32(number)))
