"""Definitions as structured operations of linalg, and as functions around them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import Linear
from einsum_front.tc.extents import value_of
from einsum_front.tc.nodes import Access, Affine, Apply, Definition, Expression, Program, TensorDef
from einsum_front.tc.operations import meaning
from einsum_front.tc.structure import structure_of


def structured(
    definition: Definition,
    inputs: Sequence[mlir.Value],
    outputs: Sequence[mlir.Value],
    results: Sequence[mlir.Value] = (),
) -> mlir.Structured:
    """A definition that is verified as `linalg.generic` on these values; the maps are those of `structure_of`."""
    structure = structure_of(definition)
    maps = tuple(_map(positions, structure.iterators) for positions in structure.maps)
    reduced = structure.reductions
    kinds = (
        mlir.IteratorType.REDUCTION if name in reduced else mlir.IteratorType.PARALLEL for name in structure.iterators
    )
    payload = _payload(definition)
    return mlir.Structured(
        *("generic", tuple(inputs), tuple(outputs), maps, tuple(kinds), payload, tuple(results)),
        location=definition.name,
        origin=definition.origin,
    )


def function_of(
    definition: Definition, sizes: Mapping[str, int] | None = None, *, is_on_tensors: bool = True
) -> mlir.Function:
    """A function that applies the definition; a mode has the extent that the sizes make, else `?`.

    On tensors, outputs are arguments as well and results; on memrefs they are changed in place.
    """
    arguments = tuple(_value(each, sizes or {}, is_on_tensors) for each in definition.tensors)
    count = len(definition.inputs)
    inputs, outputs = arguments[:count], arguments[count:]
    results = tuple(mlir.Value(f"result{n}", each.type) for n, each in enumerate(outputs)) if is_on_tensors else ()
    body = structured(definition, inputs, outputs, results)
    return mlir.Function(definition.name, arguments, tuple(each.type for each in results), (body, mlir.Return(results)))


def module_of(program: Program, sizes: Mapping[str, int] | None = None) -> mlir.Module:
    """All definitions of a text, each as a function on tensors."""
    return mlir.Module(tuple(function_of(each, sizes) for each in program.definitions))


def _value(tensor: TensorDef, sizes: Mapping[str, int], is_on_tensors: bool) -> mlir.Value:
    shape = tensor.shape
    extents = tuple(value_of(each, sizes) if all(n in sizes for n, _ in each.terms) else None for each in shape)
    element = mlir.ScalarType(tensor.type)
    return mlir.Value(
        tensor.name, mlir.TensorType(extents, element) if is_on_tensors else mlir.MemrefType(extents, element)
    )


def _map(positions: tuple[Affine, ...], iterators: tuple[str, ...]) -> mlir.AffineMap:
    return mlir.AffineMap(len(iterators), tuple(_affine(each, iterators) for each in positions))


def _affine(affine: Affine, iterators: tuple[str, ...]) -> mlir.AffineExpr:
    """The expression as MLIR simplifies it: iterators in their order, the integer last."""
    return Linear(
        affine.constant, dict(sorted((iterators.index(name), factor) for name, factor in affine.terms))
    ).expression


# -- payloads ----------------------------------------------------------------------------------------------------------


def _payload(definition: Definition) -> mlir.Payload:
    arguments = {
        each.name: mlir.Value(f"x{n}", mlir.ScalarType(each.type)) for n, each in enumerate(definition.tensors)
    }
    operations: list[mlir.PayloadOperation] = []
    body = definition.body
    yields = []
    for target, value in zip(body.targets, body.values, strict=True):
        whole = value
        if isinstance(value, Apply) and value.over and len(value.arguments) == 1:
            whole = replace(value, arguments=(target, *value.arguments))
        yields.append(_scalar(whole, arguments, operations, mlir.ScalarType(_type(definition, target.tensor))))
    return mlir.Payload(tuple(arguments.values()), tuple(operations), tuple(yields))


def _type(definition: Definition, name: str) -> str:
    return next(each.type for each in definition.tensors if each.name == name)


def _scalar(
    expression: Expression,
    arguments: Mapping[str, mlir.Value],
    operations: list[mlir.PayloadOperation],
    type_: mlir.ScalarType,
) -> mlir.Value:
    match expression:
        case Access(tensor=tensor):
            return arguments[tensor]
        case Apply(operation=operation, arguments=inner, origin=origin):
            known = meaning(operation)
            if known is None:
                raise CompilerBug(f"there is no operation `{operation}`")
            values = tuple(_scalar(each, arguments, operations, type_) for each in inner)
            result = mlir.Value(f"v{len(operations)}", type_)
            operations.append(mlir.Scalar(result, known.mlir, values, origin=origin))
            return result
