"""Tensor processing primitives: what is written becomes a node, types that are not written are found."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from math import isfinite

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.parse.operations import Reading
from einsum_front.mlir.parse.scope import wrong
from einsum_front.mlir.parse.syntax import Floating, Integer, Text
from einsum_front.mlir.tpp.operations import FORMS, LEFT_OUT, SYNONYMS, WITH_ALPHA, Kind, inputs_text

WORDS = ("unary", "binary", "unary_a", "unary_b")


def primitive(reading: Reading) -> mlir.Primitive:
    """The node of `tpp.name`. Raises `Mistake`."""
    written = reading.name.removeprefix("tpp.")
    name, place = SYNONYMS.get(written, written), reading.raw.name.span
    if written in LEFT_OUT:
        raise wrong(
            "E0851", f"`{reading.name}` is not read: {LEFT_OUT[written]} has no meaning in the reference", place
        )
    operands = reading.operands()
    if not operands:
        raise wrong("E0850", f"`{reading.name}` has no operands", place)
    inputs, outputs = _segments(reading, operands, 0 in FORMS[name].memref_inputs)
    if any(isinstance(value.type, mlir.MemrefType) for value in operands) and not outputs:
        raise wrong("E0850", f"`{reading.name}` on memrefs writes an output", place, "`outs(…)` is missing")
    found = mlir.Primitive(name, inputs, outputs, origin=(reading.raw.span,), location=reading.location)
    return replace(_with_options(found, reading), results=_results(reading, found))


def _segments(
    reading: Reading, operands: tuple[mlir.Value, ...], may_lack_inputs: bool
) -> tuple[tuple[mlir.Value, ...], tuple[mlir.Value, ...]]:
    """Inputs and outputs; one memref in brackets alone, as in `tpp.zero(%c)`, is an output where no input is needed."""
    counts = reading.integers("operandSegmentSizes")
    if len(counts) not in (2, 3) or min(counts) < 0 or sum(counts) != len(operands):
        raise reading.malformed("operandSegmentSizes", f"the number of inputs and outputs, {len(operands)} in all")
    is_alone = counts == (1, 0, 0) and isinstance(operands[0].type, mlir.MemrefType) and not reading.raw.results
    count = 0 if is_alone and may_lack_inputs else sum(counts[:-1])
    return operands[:count], operands[count:]


def _with_options(operation: mlir.Primitive, reading: Reading) -> mlir.Primitive:
    wanted = WORDS if operation.name == "fused_brgemm" else ("alpha",) if operation.name in WITH_ALPHA else ()
    for name, attribute in reading.raw.attributes.items():
        if name == "operandSegmentSizes":
            continue
        if name not in wanted and not get_close_matches(name, (*WORDS, "alpha"), n=1, cutoff=0.5):
            continue  # of another program
        if name not in wanted:
            takes = " and ".join(f"`{each}`" for each in wanted) or "nothing"
            raise wrong("E0859", f"`tpp.{operation.name}` takes {takes}, not `{name}`", attribute.span)
        match reading.scope.resolved(attribute).value:
            case Text(value=word) if name != "alpha":
                operation = replace(operation, **{name: "" if word == "none" else word})  # type: ignore[arg-type]  # a word of the four
            case Floating(value=number) | Integer(value=number) if name == "alpha" and isfinite(number):
                operation = replace(operation, alpha=float(number))
            case _:
                kind = "a finite number" if name == "alpha" else "the name of an operation"
                raise wrong("E0859", f"`{name}` of `tpp.{operation.name}` is {kind}", attribute.span)
    return operation


# -- results -----------------------------------------------------------------------------------------------------------


def _results(reading: Reading, operation: mlir.Primitive) -> tuple[mlir.Value, ...]:
    """The results with their types; on memrefs there are none, and types behind an arrow are those of the outputs."""
    raw, place = reading.raw, reading.raw.name.span
    written = [each.value for each in raw.result_types or ()]
    if not operation.outputs:
        return reading.results(types=written or _inferred(reading, operation))
    types = [each.type for each in operation.outputs]
    if written and written not in (types, types[:1]):
        raise wrong("E0812", f"the types behind `->` are not those of the outputs of `{reading.name}`", place)
    if raw.results:
        raise wrong("E0850", f"`{reading.name}` writes its outputs, and has no result", raw.results[0].span)
    return ()


def _inferred(reading: Reading, operation: mlir.Primitive) -> Sequence[mlir.Type]:
    """The types of results that are not written."""
    inputs = operation.inputs
    shaped = [each.type for each in inputs if isinstance(each.type, mlir.TensorType)]
    kind = FORMS[operation.name].kind
    if kind in (Kind.ELEMENTWISE, Kind.ZERO) and shaped:
        rank = max(len(each.shape) for each in shaped)
        whole = [(1,) * (rank - len(each.shape)) + each.shape for each in shaped]
        shape = tuple(next((size for size in sizes if size != 1), 1) for sizes in zip(*whole, strict=True))
        return [mlir.TensorType(shape, shaped[0].element)]
    if kind in (Kind.PRODUCT, Kind.FUSED) and len(shaped) > 2:
        return shaped[2:3]
    if operation.name == "transpose" and shaped:
        return [mlir.TensorType(shaped[0].shape[::-1], shaped[0].element)]
    if operation.name == "matmul" and [len(each.shape) for each in shaped] == [2, 2]:
        return [mlir.TensorType((shaped[0].shape[0], shaped[1].shape[1]), shaped[0].element)]
    if operation.name == "brgemm" and [len(each.shape) for each in shaped] == [3, 3]:
        return [mlir.TensorType((shaped[0].shape[1], shaped[1].shape[2]), shaped[0].element)]
    if len(inputs) not in FORMS[operation.name].tensor_inputs:
        message = f"{inputs_text(operation.name, is_memory=False)}, not {len(inputs)}"
        raise wrong("E0850", message, reading.raw.name.span)
    message = f"`{reading.name}` on tensors says the type of its result"
    raise wrong("E0850", message, reading.raw.name.span, "`-> tensor<…>` is missing")


def pack(reading: Reading) -> mlir.Pack:
    """The node of `tensor.pack` or `tensor.unpack`. Raises `Mistake`."""
    source, target, *_ = reading.operands() if len(reading.raw.operands) > 2 else reading.operands(2)
    listed = "static_inner_tiles" if reading.optional("static_inner_tiles") is not None else "inner_tiles"
    positions, tiles = reading.integers("inner_dims_pos"), reading.integers(listed)
    outer = reading.integers("outer_dims_perm") if reading.optional("outer_dims_perm") is not None else ()
    is_unpack = reading.name.endswith("unpack")
    place = (reading.raw.span,)
    return mlir.Pack(reading.result(), source, target, positions, tiles, outer, is_unpack, reading.location, place)
