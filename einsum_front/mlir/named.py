"""What the named operations of linalg stand for: maps, iterators and payload, as if they were `linalg.generic`.

    make("matmul", (a, b), (c,), (result,))

Maps are those of MLIR's definitions: iterators in the same order.
"""

import re
from collections.abc import Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.named_tables import (
    BINARY,
    BINARY_OF_INTEGERS,
    CONTRACTIONS,
    CONVOLUTIONS,
    OF_BOOLEANS,
    OF_COMPLEX,
    OF_INTEGERS,
    OF_UNSIGNED,
    QUANTIZED,
    STRUCTURED,
    UNARY,
)


class UnfitError(Exception):
    """Operands that a named operation does not take, in words."""


@dataclass(frozen=True, slots=True)
class Attributes:
    """What else an operation says; its maps where it says them, else none.

    One that `is_unsigned` takes integers for numbers without a sign where it gives them another type.
    """

    maps: tuple[mlir.AffineMap, ...] = ()
    kind: str = ""
    dimensions: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    dilations: tuple[int, ...] = ()
    is_unsigned: bool = False


def make(
    name: str,
    inputs: Sequence[mlir.Value],
    outputs: Sequence[mlir.Value],
    results: Sequence[mlir.Value] = (),
    attributes: Attributes = Attributes(),  # noqa: B008 - it is frozen
    payload: mlir.Payload | None = None,
    location: str = "",
    origin: Origin = (),
) -> mlir.Structured:
    """A named operation with what it stands for; `matmul_transpose_a` is `matmul` with other maps, and so on.

    `payload` is that of `reduce` and `map`, or what the text has.

    Raises `UnfitError` if there is no such operation or the operands are not so many or of such ranks.
    """
    ins, outs = tuple(inputs), tuple(outputs)
    maps, iterators = shape_of(name, ins, outs, attributes)
    made = payload or payload_of(name, ins, outs, attributes.kind, is_unsigned=attributes.is_unsigned)
    if attributes.is_unsigned:  # the payload says it, a name does not
        return mlir.Structured(
            "generic", ins, outs, maps, iterators, made, tuple(results), location=location, origin=origin
        )
    strides, dilations = attributes.strides, attributes.dilations
    if has_window(name):
        window = _window(QUANTIZED.get(name, name))
        strides, dilations = strides or (1,) * window, dilations or (1,) * window
    return mlir.Structured(
        name.partition("_transpose_")[0],
        ins,
        outs,
        maps,
        iterators,
        made,
        tuple(results),
        dimensions=attributes.dimensions,
        strides=strides,
        dilations=dilations,
        kind=attributes.kind,
        location=location,
        origin=origin,
    )


def shape_of(
    name: str, inputs: tuple[mlir.Value, ...], outputs: tuple[mlir.Value, ...], attributes: Attributes
) -> tuple[tuple[mlir.AffineMap, ...], tuple[mlir.IteratorType, ...]]:
    """The maps and iterators of a named operation."""
    if name not in STRUCTURED or name == "generic":
        raise UnfitError(f"`linalg.{name}` is no named operation")
    _check_count(name, inputs, outputs)
    rank = rank_of(outputs[0])
    match name:
        case "reduce":
            return _reduce(inputs, attributes.dimensions)
        case "transpose":
            order = attributes.dimensions
            if sorted(order) != list(range(rank)):
                raise UnfitError(f"`permutation` is no order of the {rank} modes")
            inverse = tuple(order.index(mode) for mode in range(rank))
            return _parallel(mlir.AffineMap.of_dims(rank, inverse), mlir.AffineMap.of_dims(rank, tuple(range(rank))))
        case "broadcast":
            kept = tuple(mode for mode in range(rank) if mode not in attributes.dimensions)
            return _parallel(mlir.AffineMap.of_dims(rank, kept), mlir.AffineMap.of_dims(rank, tuple(range(rank))))
        case "fill":
            return _parallel(mlir.AffineMap(rank, ()), mlir.AffineMap.of_dims(rank, tuple(range(rank))))
        case _ if name in QUANTIZED:
            (first, second, last), iterators = shape_of(QUANTIZED[name], inputs[:2], outputs, attributes)
            number = mlir.AffineMap(first.dims, ())
            return (first, second, number, number, last), iterators
        case _ if name in CONVOLUTIONS:
            return _convolution(name, attributes)
        case _ if attributes.maps or name == "contract":
            return attributes.maps, iterators_of(attributes.maps)
        case _ if name in CONTRACTIONS:
            dims, spec = CONTRACTIONS[name]
            parts = spec.replace("->", ",").split(",")
            maps = tuple(mlir.AffineMap.of_dims(len(dims), tuple(map(dims.index, part))) for part in parts)
            return maps, iterators_of(maps)
        case _:  # open: all that is left of `STRUCTURED` works entry by entry
            return _parallel(*(mlir.AffineMap.of_dims(rank, tuple(range(rank))) for _ in (*inputs, *outputs)))


def has_window(name: str) -> bool:
    """True for convolutions and poolings, which have strides and dilations."""
    return QUANTIZED.get(name, name) in CONVOLUTIONS


def iterators_of(maps: Sequence[mlir.AffineMap]) -> tuple[mlir.IteratorType, ...]:
    """Iterators of the last map, the output's, are parallel, others are reductions."""
    kept = maps[-1].positions or () if maps else ()
    dims = maps[-1].dims if maps else 0
    return tuple(mlir.IteratorType.PARALLEL if dim in kept else mlir.IteratorType.REDUCTION for dim in range(dims))


def rank_of(value: mlir.Value) -> int:
    """The number of modes; 0 for a number."""
    return len(value.type.shape) if isinstance(value.type, mlir.TensorType | mlir.MemrefType) else 0


def _check_count(name: str, inputs: tuple[mlir.Value, ...], outputs: tuple[mlir.Value, ...]) -> None:
    if not outputs:
        raise UnfitError(f"`linalg.{name}` has no output")
    wanted = {"map": None, "reduce": None, "elementwise": None, "contract": 2, "select": 3}.get(name, 0)
    if wanted == 0:
        is_binary = name in CONTRACTIONS or name in CONVOLUTIONS or name in BINARY or name in BINARY_OF_INTEGERS
        wanted = 4 if name in QUANTIZED else 2 if is_binary else 1
    if wanted is not None and len(inputs) != wanted:
        raise UnfitError(f"`linalg.{name}` has {wanted} input{'s' * (wanted != 1)}, not {len(inputs)}")
    if name != "reduce" and len(outputs) != 1:
        raise UnfitError(f"`linalg.{name}` has 1 output, not {len(outputs)}")


def _parallel(*maps: mlir.AffineMap) -> tuple[tuple[mlir.AffineMap, ...], tuple[mlir.IteratorType, ...]]:
    return maps, (mlir.IteratorType.PARALLEL,) * maps[-1].dims


def _reduce(
    inputs: tuple[mlir.Value, ...], dimensions: tuple[int, ...]
) -> tuple[tuple[mlir.AffineMap, ...], tuple[mlir.IteratorType, ...]]:
    if not inputs:
        raise UnfitError("`linalg.reduce` has no input")
    if list(dimensions) != sorted(dimensions):
        raise UnfitError(f"the dimensions of `linalg.reduce` stand in ascending order, not as {list(dimensions)}")
    rank = rank_of(inputs[0])
    kept = tuple(mode for mode in range(rank) if mode not in dimensions)
    maps = [mlir.AffineMap.of_dims(rank, tuple(range(rank)))] * len(inputs) + [
        mlir.AffineMap.of_dims(rank, kept)
    ] * len(inputs)
    types = (mlir.IteratorType.REDUCTION if mode in dimensions else mlir.IteratorType.PARALLEL for mode in range(rank))
    return tuple(maps), tuple(types)


def _window(name: str) -> int:
    """The number of modes of the window."""
    return sum(letter.isupper() for letter in CONVOLUTIONS[name][0])


def _convolution(name: str, attributes: Attributes) -> tuple[tuple[mlir.AffineMap, ...], tuple[mlir.IteratorType, ...]]:
    dims, spec = CONVOLUTIONS[name]
    window = _window(name)
    strides, dilations = attributes.strides or (1,) * window, attributes.dilations or (1,) * window
    if len(strides) != window or len(dilations) != window:
        raise UnfitError(f"`linalg.{name}` has {window} strides and {window} dilations")
    walked = [letter for letter in dims if letter.isupper()]

    def position(word: str) -> mlir.AffineExpr:
        if ":" not in word:
            return mlir.Dim(dims.index(word))
        place, offset = word.split(":")
        number = walked.index(offset)
        return mlir.Add(
            _times(mlir.Dim(dims.index(place)), strides[number]),
            _times(mlir.Dim(dims.index(offset)), dilations[number]),
        )

    parts = (re.findall(r"\S+", part) for part in spec.replace("->", ",").split(","))
    maps = tuple(mlir.AffineMap(len(dims), tuple(map(position, part))) for part in parts)
    return maps, iterators_of(maps)


def _times(expression: mlir.AffineExpr, factor: int) -> mlir.AffineExpr:
    return expression if factor == 1 else mlir.Multiply(expression, factor)


# -- payloads ----------------------------------------------------------------------------------------------------------


def payload_of(
    name: str,
    inputs: tuple[mlir.Value, ...],
    outputs: tuple[mlir.Value, ...],
    kind: str = "",
    *,
    is_unsigned: bool = False,
) -> mlir.Payload:
    """What a named operation does with the numbers of its operands."""
    elements = [value.element for value in (*inputs, *outputs)]
    arguments = tuple(mlir.Value(f"in{n}", element) for n, element in enumerate(elements[: len(inputs)]))
    arguments += tuple(mlir.Value(f"out{n}", element) for n, element in enumerate(elements[len(inputs) :]))
    operation = kind or name
    if name in QUANTIZED:
        differences = ("arith.subf", (0, 2)), ("arith.subf", (1, 3))
        return _chain(arguments, *differences, ("arith.mulf", (5, 6)), ("arith.addf", (4, 7)), converts=True)
    if name in CONTRACTIONS or name == "contract" or (name in CONVOLUTIONS and "pooling" not in name):
        steps = ("arith.mulf", (0, 1)), ("arith.addf", (2, 3))
        return _chain(arguments, *steps, converts=True, is_unsigned=is_unsigned)
    if name.startswith("pooling"):
        word = name.removesuffix("_unsigned").rpartition("_")[2]
        combined = {"sum": "arith.addf", "max": "arith.maximumf", "min": "arith.minimumf"}[word]
        return _chain(arguments, (combined, (2, 0)), converts=True, is_unsigned=name.endswith("_unsigned"))
    match operation:
        case "fill" | "copy" | "transpose" | "broadcast":
            return mlir.Payload(arguments, (), arguments[:1])
        case "select":
            return _chain(arguments, ("arith.select", (0, 1, 2)))
        case "square":
            return _chain(arguments, ("arith.mulf", (0, 0)))
        case "reciprocal":
            one = mlir.Literal(mlir.Value("one", elements[0]), 1.0)
            divided = mlir.Scalar(mlir.Value("v0", elements[0]), "arith.divf", (one.result, arguments[0]))
            return mlir.Payload(arguments, (one, divided), (divided.result,))
        case _ if operation in UNARY:
            return _chain(arguments, (UNARY[operation], (0,)))
        case _ if operation in BINARY or operation in BINARY_OF_INTEGERS:
            return _chain(arguments, ((BINARY | BINARY_OF_INTEGERS)[operation], (0, 1)))
        case _:
            raise UnfitError(f"`linalg.{name}` needs a payload")


REAL = {mlir.ScalarType.BF16: 16, mlir.ScalarType.F16: 16, mlir.ScalarType.F32: 32, mlir.ScalarType.F64: 64}
"""Bits of the types of real numbers."""

BITS = REAL | {
    mlir.ScalarType.I1: 1,
    mlir.ScalarType.I8: 8,
    mlir.ScalarType.I16: 16,
    mlir.ScalarType.I32: 32,
    mlir.ScalarType.I64: 64,
}
"""Bits of the types between which there are conversions."""


def _conversion(from_: mlir.Type, to: mlir.Type, *, is_unsigned: bool) -> str | None:
    """The operation that converts one type of numbers into another; None if there is none, or nothing to do."""
    if not (isinstance(from_, mlir.ScalarType) and isinstance(to, mlir.ScalarType)):
        return None
    if not {from_, to} <= BITS.keys():
        return "complex.create" if from_.is_floating and to.part is not None else None
    sign = "u" if is_unsigned else "s"
    if from_.is_floating != to.is_floating:
        return f"arith.{sign}itofp" if to.is_floating else f"arith.fpto{sign}i"
    if BITS[from_] == BITS[to]:
        return None
    if from_.is_floating:
        return "arith.extf" if BITS[from_] < BITS[to] else "arith.truncf"
    return f"arith.ext{sign}i" if BITS[from_] < BITS[to] else "arith.trunci"


def operation_on(name: str, type_: mlir.Type, *, is_unsigned: bool = False) -> str:
    """The operation that does the same with numbers of a type."""
    if not isinstance(type_, mlir.ScalarType) or type_.is_floating:
        return name
    if type_.part is not None:
        return OF_COMPLEX.get(name, name)
    if type_ is mlir.ScalarType.I1 and name in OF_BOOLEANS:
        return OF_BOOLEANS[name]
    found = OF_INTEGERS.get(name, name)
    return OF_UNSIGNED.get(found, found) if is_unsigned else found


def _chain(
    arguments: tuple[mlir.Value, ...],
    *steps: tuple[str, tuple[int, ...]],
    converts: bool = False,
    is_unsigned: bool = False,
) -> mlir.Payload:
    """Operations on the values so far, arguments first; the last result is yielded.

    Of what `converts`, numbers of other types than the output's are converted to that first.
    """
    values, operations = list(arguments), list[mlir.PayloadOperation]()
    used = {place for _, places in steps for place in places}
    for place, value in enumerate(arguments[:-1]) if converts else ():
        conversion = _conversion(value.type, arguments[-1].type, is_unsigned=is_unsigned) if place in used else None
        if conversion == "complex.create":
            part = arguments[-1].element.part or arguments[-1].element
            real = value if value.element is part else mlir.Value(f"r{place}", part)
            word = _conversion(value.type, part, is_unsigned=False)
            operations += [mlir.Scalar(real, word, (value,))] if word else []
            zero = mlir.Literal(mlir.Value(f"z{place}", part), 0.0)
            values[place] = mlir.Value(f"c{place}", arguments[-1].type)
            operations += [zero, mlir.Scalar(values[place], conversion, (real, zero.result))]
        elif conversion is not None:
            values[place] = mlir.Value(f"c{place}", arguments[-1].type)
            operations.append(mlir.Scalar(values[place], conversion, (value,)))
    for number, (name, operands) in enumerate(steps):
        result = mlir.Value(f"v{number}", arguments[-1].type)
        word = operation_on(name, arguments[-1].type, is_unsigned=is_unsigned)
        operations.append(mlir.Scalar(result, word, tuple(values[each] for each in operands)))
        values.append(result)
    return mlir.Payload(arguments, tuple(operations), (values[-1],))
