"""What the named operations of linalg stand for: maps, iterators and payload, as if they were `linalg.generic`.

    make("matmul", (a, b), (c,), (result,))

Maps are those of MLIR's definitions: iterators in the same order.
"""

import re
from collections.abc import Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.mlir import nodes as mlir

CONTRACTIONS = {
    "matmul": ("mnk", "mk,kn->mn"),
    "matmul_transpose_a": ("mnk", "km,kn->mn"),
    "matmul_transpose_b": ("mnk", "mk,nk->mn"),
    "batch_matmul": ("bmnk", "bmk,bkn->bmn"),
    "batch_matmul_transpose_a": ("bmnk", "bkm,bkn->bmn"),
    "batch_matmul_transpose_b": ("bmnk", "bmk,bnk->bmn"),
    "batch_reduce_matmul": ("bmnk", "bmk,bkn->mn"),
    "matvec": ("mn", "mn,n->m"),
    "vecmat": ("nm", "m,mn->n"),
    "batch_matvec": ("bmk", "bmk,bk->bm"),
    "batch_vecmat": ("bnk", "bk,bkn->bn"),
    "dot": ("m", "m,m->"),
    "mmt4d": ("mnkabc", "mkac,nkbc->mnab"),
    "batch_mmt4d": ("zmnkabc", "zmkac,znkbc->zmnab"),
}
"""Named contractions: their iterators in order, and the modes of inputs and output."""

WITH_MAPS = frozenset({"matmul", "batch_matmul", "batch_reduce_matmul", "contract", "elementwise", "generic"})
"""Operations that say their maps themselves, or may."""

CONVOLUTIONS = {
    "conv_1d": ("xX", "x:X,X->x"),
    "conv_2d": ("yxYX", "y:Y x:X,Y X->y x"),
    "conv_3d": ("zyxZYX", "z:Z y:Y x:X,Z Y X->z y x"),
    "conv_1d_nwc_wcf": ("nxfXc", "n x:X c,X c f->n x f"),
    "conv_1d_ncw_fcw": ("nfxcX", "n c x:X,f c X->n f x"),
    "conv_2d_nhwc_hwcf": ("nyxfYXc", "n y:Y x:X c,Y X c f->n y x f"),
    "conv_2d_nhwc_fhwc": ("nyxfYXc", "n y:Y x:X c,f Y X c->n y x f"),
    "conv_2d_nchw_fchw": ("nfyxcYX", "n c y:Y x:X,f c Y X->n f y x"),
    "conv_2d_ngchw_fgchw": ("ngfyxcYX", "n g c y:Y x:X,f g c Y X->n g f y x"),
    "conv_2d_ngchw_gfchw": ("ngfyxcYX", "n g c y:Y x:X,g f c Y X->n g f y x"),
    "conv_3d_ndhwc_dhwcf": ("nzyxfZYXc", "n z:Z y:Y x:X c,Z Y X c f->n z y x f"),
    "conv_3d_ncdhw_fcdhw": ("nfzyxcZYX", "n c z:Z y:Y x:X,f c Z Y X->n f z y x"),
    "depthwise_conv_1d_nwc_wc": ("nxcX", "n x:X c,X c->n x c"),
    "depthwise_conv_1d_ncw_cw": ("nxcX", "n c x:X,c X->n c x"),
    "depthwise_conv_1d_nwc_wcm": ("nxcmX", "n x:X c,X c m->n x c m"),
    "depthwise_conv_2d_nhwc_hwc": ("nyxcYX", "n y:Y x:X c,Y X c->n y x c"),
    "depthwise_conv_2d_nchw_chw": ("nyxcYX", "n c y:Y x:X,c Y X->n c y x"),
    "depthwise_conv_2d_nhwc_hwcm": ("nyxcmYX", "n y:Y x:X c,Y X c m->n y x c m"),
    "depthwise_conv_3d_ndhwc_dhwc": ("nzyxZYXc", "n z:Z y:Y x:X c,Z Y X c->n z y x c"),
    "depthwise_conv_3d_ncdhw_cdhw": ("nzyxZYXc", "n c z:Z y:Y x:X,c Z Y X->n c z y x"),
    "depthwise_conv_3d_ndhwc_dhwcm": ("nzyxmZYXc", "n z:Z y:Y x:X c,Z Y X c m->n z y x c m"),
    "pooling_nhwc_sum": ("nyxcYX", "n y:Y x:X c,Y X->n y x c"),
    "pooling_nhwc_max": ("nyxcYX", "n y:Y x:X c,Y X->n y x c"),
    "pooling_nhwc_min": ("nyxcYX", "n y:Y x:X c,Y X->n y x c"),
    "pooling_nchw_sum": ("ncyxYX", "n c y:Y x:X,Y X->n c y x"),
    "pooling_nchw_max": ("ncyxYX", "n c y:Y x:X,Y X->n c y x"),
    "pooling_nwc_sum": ("nxcX", "n x:X c,X->n x c"),
    "pooling_nwc_max": ("nxcX", "n x:X c,X->n x c"),
    "pooling_nwc_min": ("nxcX", "n x:X c,X->n x c"),
    "pooling_ncw_sum": ("ncxX", "n c x:X,X->n c x"),
    "pooling_ncw_max": ("ncxX", "n c x:X,X->n c x"),
    "pooling_ndhwc_sum": ("nzyxcZYX", "n z:Z y:Y x:X c,Z Y X->n z y x c"),
    "pooling_ndhwc_max": ("nzyxcZYX", "n z:Z y:Y x:X c,Z Y X->n z y x c"),
    "pooling_ndhwc_min": ("nzyxcZYX", "n z:Z y:Y x:X c,Z Y X->n z y x c"),
}
"""Convolutions and poolings: `x:X` is position `x * stride + X * dilation`; capital letters walk the window."""

UNARY = {
    "exp": "math.exp",
    "log": "math.log",
    "abs": "math.absf",
    "ceil": "math.ceil",
    "floor": "math.floor",
    "negf": "arith.negf",
    "round": "math.round",
    "sqrt": "math.sqrt",
    "rsqrt": "math.rsqrt",
    "tanh": "math.tanh",
    "erf": "math.erf",
    "reciprocal": "",
    "square": "",
}
"""Elementwise operations on one tensor, and the operation on numbers; `reciprocal` and `square` are made of others."""

BINARY = {
    "add": "arith.addf",
    "sub": "arith.subf",
    "mul": "arith.mulf",
    "div": "arith.divf",
    "max": "arith.maximumf",
    "min": "arith.minimumf",
    "max_signed": "arith.maximumf",
    "min_signed": "arith.minimumf",
    "powf": "math.powf",
}
"""Elementwise operations on two tensors of real numbers."""

ELEMENTWISE = frozenset({*UNARY, *BINARY, "select"})
KINDS = ELEMENTWISE - {"max", "min"}
"""What `linalg.elementwise` does."""

STRUCTURED = frozenset(
    {"generic", "contract", "elementwise", "reduce", "map", "fill", "copy", "transpose", "broadcast"}
    | set(CONTRACTIONS)
    | set(CONVOLUTIONS)
    | (ELEMENTWISE - {"max_signed", "min_signed"})
)
"""The structured operations that there are, without `linalg.`."""


class UnfitError(Exception):
    """Operands that a named operation does not take, in words."""


@dataclass(frozen=True, slots=True)
class Attributes:
    """What else an operation says; its maps where it says them, else none."""

    maps: tuple[mlir.AffineMap, ...] = ()
    kind: str = ""
    dimensions: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    dilations: tuple[int, ...] = ()


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
    made = payload or payload_of(name, ins, outs, attributes.kind)
    strides, dilations = attributes.strides, attributes.dilations
    if name in CONVOLUTIONS:
        window = _window(name)
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


def iterators_of(maps: Sequence[mlir.AffineMap]) -> tuple[mlir.IteratorType, ...]:
    """Iterators of the last map, the output's, are parallel, others are reductions."""
    kept = maps[-1].positions or () if maps else ()
    dims = maps[-1].dims if maps else 0
    return tuple(mlir.IteratorType.PARALLEL if dim in kept else mlir.IteratorType.REDUCTION for dim in range(dims))


def rank_of(value: mlir.Value) -> int:
    """The number of modes; 0 for a number."""
    return len(value.type.shape) if isinstance(value.type, mlir.TensorType | mlir.MemrefType) else 0


def element_of(value: mlir.Value) -> mlir.ScalarType:
    """The type of the entries, or of the number."""
    return value.type.element if isinstance(value.type, mlir.TensorType | mlir.MemrefType) else value.type


def _check_count(name: str, inputs: tuple[mlir.Value, ...], outputs: tuple[mlir.Value, ...]) -> None:
    if not outputs:
        raise UnfitError(f"`linalg.{name}` has no output")
    wanted = {"map": None, "reduce": None, "elementwise": None, "contract": 2, "select": 3}.get(name, 0)
    if wanted == 0:
        is_binary = name in CONTRACTIONS or name in CONVOLUTIONS or name in BINARY
        wanted = 2 if is_binary else 1
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
    name: str, inputs: tuple[mlir.Value, ...], outputs: tuple[mlir.Value, ...], kind: str = ""
) -> mlir.Payload:
    """What a named operation does with the numbers of its operands."""
    elements = [element_of(value) for value in (*inputs, *outputs)]
    arguments = tuple(mlir.Value(f"in{n}", element) for n, element in enumerate(elements[: len(inputs)]))
    arguments += tuple(mlir.Value(f"out{n}", element) for n, element in enumerate(elements[len(inputs) :]))
    operation = kind or name
    if name in CONTRACTIONS or name == "contract" or (name in CONVOLUTIONS and "pooling" not in name):
        return _chain(arguments, ("arith.mulf", (0, 1)), ("arith.addf", (2, 3)), converts=True)
    if name.startswith("pooling"):
        combined = {"sum": "arith.addf", "max": "arith.maximumf", "min": "arith.minimumf"}[name.rpartition("_")[2]]
        return _chain(arguments, (combined, (2, 0)), converts=True)
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
        case _ if operation in BINARY:
            return _chain(arguments, (BINARY[operation], (0, 1)))
        case _:
            raise UnfitError(f"`linalg.{name}` needs a payload")


REAL = {mlir.ScalarType.BF16: 16, mlir.ScalarType.F16: 16, mlir.ScalarType.F32: 32, mlir.ScalarType.F64: 64}
"""Bits of the types of real numbers."""


def _conversion(from_: mlir.Type, to: mlir.Type) -> str | None:
    """The operation that converts one type of real numbers into another; None if there is none, or nothing to do."""
    if from_ is to or from_ not in REAL or to not in REAL or REAL[from_] == REAL[to]:
        return None
    return "arith.extf" if REAL[from_] < REAL[to] else "arith.truncf"


def _chain(
    arguments: tuple[mlir.Value, ...], *steps: tuple[str, tuple[int, ...]], converts: bool = False
) -> mlir.Payload:
    """Operations on the values so far, arguments first; the last result is yielded.

    Of what `converts`, real numbers of other types than the output's are converted to that first.
    """
    values, operations = list(arguments), list[mlir.Scalar]()
    for place, value in enumerate(arguments[:-1]) if converts else ():
        conversion = _conversion(value.type, arguments[-1].type)
        if conversion is not None:
            values[place] = mlir.Value(f"c{place}", arguments[-1].type)
            operations.append(mlir.Scalar(values[place], conversion, (value,)))
    for number, (name, operands) in enumerate(steps):
        result = mlir.Value(f"v{number}", arguments[-1].type)
        operations.append(mlir.Scalar(result, name, tuple(values[each] for each in operands)))
        values.append(result)
    return mlir.Payload(arguments, tuple(operations), (values[-1],))
