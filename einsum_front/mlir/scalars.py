"""Operations of `arith` and `math` on numbers: how many operands they have, and what they are in NumPy."""

from collections.abc import Callable
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.functions import Function
from einsum_front.mlir import nodes as mlir

Array = NDArray[np.generic]


class Kind(Enum):
    """What an operation takes."""

    FLOATING = "real numbers"
    INTEGER = "integers"
    CONVERSION = "a number of another type"
    COMPARISON = "numbers to compare"
    SELECTION = "a condition and two values"
    POWER = "a real number and an integer"
    COMPLEX = "complex numbers"
    PARTS = "a complex number, and gives a real one"
    CREATION = "two real numbers, and gives a complex one"


@dataclass(frozen=True, slots=True)
class Meaning:
    """`count` operands of a kind; `numpy` computes it, None where the type of the result decides."""

    count: int
    kind: Kind
    numpy: Callable[..., Array] | None = None


def _one(function: Callable[..., object], count: int = 1) -> Meaning:
    return Meaning(count, Kind.FLOATING, function)  # type: ignore[arg-type]  # of NumPy


def _two(function: Callable[..., object]) -> Meaning:
    return _one(function, 2)


def _integers(function: Callable[..., object]) -> Meaning:
    return Meaning(2, Kind.INTEGER, function)  # type: ignore[arg-type]  # of NumPy


def _truncated(left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]:
    """Division towards zero."""
    if left.dtype.kind == "u":
        return np.asarray(left // right)
    return np.asarray(np.sign(left) * np.sign(right) * (abs(left) // abs(right)), np.int64)


def _created(real: Array, imaginary: Array) -> Array:
    made = np.empty(np.broadcast_shapes(real.shape, imaginary.shape), np.complex128)
    made.real, made.imag = real, imaginary
    return made


def _complex(function: Callable[..., object], count: int = 2, kind: Kind = Kind.COMPLEX) -> Meaning:
    return Meaning(count, kind, function)  # type: ignore[arg-type]  # of NumPy


SCALARS: dict[str, Meaning] = {
    "complex.add": _complex(np.add),
    "complex.sub": _complex(np.subtract),
    "complex.mul": _complex(np.multiply),
    "complex.div": _complex(np.divide),
    "complex.neg": _complex(np.negative, 1),
    "complex.conj": _complex(np.conj, 1),
    "complex.re": _complex(np.real, 1, Kind.PARTS),
    "complex.im": _complex(np.imag, 1, Kind.PARTS),
    "complex.abs": _complex(np.abs, 1, Kind.PARTS),
    "complex.create": _complex(_created, 2, Kind.CREATION),
    "complex.eq": Meaning(2, Kind.COMPARISON, np.equal),
    "complex.neq": Meaning(2, Kind.COMPARISON, np.not_equal),
    "arith.remf": _two(np.fmod),
    "arith.negf": _one(np.negative),
    "arith.cmpf": Meaning(2, Kind.COMPARISON),
    "arith.cmpi": Meaning(2, Kind.COMPARISON),
    "arith.select": Meaning(3, Kind.SELECTION, np.where),
    "arith.extf": Meaning(1, Kind.CONVERSION),
    "arith.truncf": Meaning(1, Kind.CONVERSION),
    "arith.sitofp": Meaning(1, Kind.CONVERSION),
    "arith.uitofp": Meaning(1, Kind.CONVERSION),
    "arith.fptosi": Meaning(1, Kind.CONVERSION),
    "arith.fptoui": Meaning(1, Kind.CONVERSION),
    "arith.extsi": Meaning(1, Kind.CONVERSION),
    "arith.extui": Meaning(1, Kind.CONVERSION),
    "arith.trunci": Meaning(1, Kind.CONVERSION),
    "arith.index_cast": Meaning(1, Kind.CONVERSION),
    "arith.index_castui": Meaning(1, Kind.CONVERSION),
    "arith.addi": _integers(np.add),
    "arith.subi": _integers(np.subtract),
    "arith.muli": _integers(np.multiply),
    "arith.divsi": _integers(_truncated),
    "arith.divui": _integers(_truncated),
    "arith.floordivsi": _integers(np.floor_divide),
    "arith.ceildivsi": _integers(lambda left, right: -(-left // right)),
    "arith.remsi": _integers(np.fmod),
    "arith.remui": _integers(np.fmod),
    "arith.minsi": _integers(np.minimum),
    "arith.maxsi": _integers(np.maximum),
    "arith.minui": _integers(np.minimum),
    "arith.maxui": _integers(np.maximum),
    "arith.andi": _integers(np.bitwise_and),
    "arith.ori": _integers(np.bitwise_or),
    "arith.xori": _integers(np.bitwise_xor),
    **{each.row.mlir: _one(each.row.numpy, each.arity) for each in Function if each.row.mlir},
    "math.sin": _one(np.sin),
    "math.cos": _one(np.cos),
    "math.rsqrt": _one(lambda value: 1 / np.sqrt(value)),
    "math.fpowi": Meaning(2, Kind.POWER, lambda value, exponent: np.power(value, exponent.astype(value.dtype))),
    "math.fma": _one(lambda a, b, c: a * b + c, 3),
}
"""All of them, by name."""

OF_SIGNED = frozenset({"arith.extsi", "arith.sitofp"})
"""Conversions that take the only bit of an `i1` for its sign: true is -1."""

ENTRIES = frozenset({"tensor.extract", "memref.load"})
"""Operations that give an entry of their first operand, at the positions that are the others."""

COMPARISONS: dict[str, Callable[..., object]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}

DTYPES: dict[mlir.ScalarType, type[np.generic]] = {
    mlir.ScalarType.F16: np.float16,
    mlir.ScalarType.BF16: np.float32,
    mlir.ScalarType.F32: np.float32,
    mlir.ScalarType.F64: np.float64,
    mlir.ScalarType.C32: np.complex64,
    mlir.ScalarType.C64: np.complex128,
    mlir.ScalarType.INDEX: np.int64,
    mlir.ScalarType.I1: np.bool_,
    mlir.ScalarType.I8: np.int8,
    mlir.ScalarType.I16: np.int16,
    mlir.ScalarType.I32: np.int32,
    mlir.ScalarType.I64: np.int64,
}
"""NumPy's types; it has none for bf16, which is computed in f32."""


OF_UNSIGNED = frozenset(
    f"arith.{word}" for word in ("extui", "uitofp", "index_castui", "divui", "remui", "minui", "maxui")
)
"""Operations on integers whose highest bit is no sign."""


def _without_sign(value: Array) -> Array:
    return value.view(f"u{value.dtype.itemsize}") if value.dtype.kind == "i" else value


def compute(name: str, predicate: str, operands: list[Array], type_: mlir.ScalarType) -> Array:
    """The result of an operation in NumPy, on numbers or entry by entry."""
    if name in ENTRIES:  # of a position outside, which MLIR leaves open, the nearest one
        places = zip(operands[1:], operands[0].shape, strict=True)
        return np.asarray(operands[0][tuple(np.clip(place, 0, size - 1) for place, size in places)])
    meaning = SCALARS[name]
    if name in OF_UNSIGNED or (name == "arith.cmpi" and predicate[0] == "u"):
        operands = [_without_sign(np.asarray(each)) for each in operands]
    with np.errstate(all="ignore"):
        if name == "arith.cmpf":
            return _compared(predicate, *operands)
        if name == "arith.cmpi":
            return np.asarray(COMPARISONS[predicate[-2:]](*operands))
        found = operands[0] if meaning.numpy is None else meaning.numpy(*operands)
        if name in OF_SIGNED and found.dtype == np.bool_:
            found = -found.astype(np.int8)
        return stored(np.asarray(found), type_)


def stored(values: Array, type_: mlir.ScalarType) -> Array:
    """The values as a type has them: those of bf16 are the nearest ones, ties to even, and stay in f32."""
    found = values.astype(DTYPES[type_])
    if type_ is not mlir.ScalarType.BF16:
        return found
    bits = found.view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(found), found, rounded.astype(np.uint32).view(np.float32))


def _compared(predicate: str, left: Array, right: Array) -> Array:
    """`oeq` and the like: an unordered comparison is true where an operand is nan, an ordered one false."""
    unordered = np.isnan(left) | np.isnan(right)
    match predicate:
        case "true" | "false":
            return np.full_like(unordered, predicate == "true")
        case "ord":
            return np.logical_not(unordered)
        case "uno":
            return np.asarray(unordered)
        case _:  # open: the table raises for other words
            compared = np.asarray(COMPARISONS[predicate[1:]](left, right))
            return compared | unordered if predicate[0] == "u" else compared & ~unordered
