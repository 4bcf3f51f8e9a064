"""Functions of a module of linalg that texts in tc define: a declaration says in which.

    func.func private @product(tensor<4x5xf64>, tensor<5x6xf64>, tensor<4x6xf64>) -> tensor<4x6xf64>
        attributes {einsum_front.definitions = "ops.tc"}

MLIR reads that as the declaration that it is. Arguments are the inputs and then the outputs of the definition; of
tensors, the outputs are results as well.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Label, raise_any
from einsum_front.core.diagnostics.diagnostic import mistake
from einsum_front.core.texts import read_source
from einsum_front.core.words import counted
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import Linear
from einsum_front.mlir.attributes import type_text
from einsum_front.tc.nodes import Access, Affine, Apply, Definition, Expression, Program, TensorDef
from einsum_front.tc.parse import parse
from einsum_front.tc.structure import meaning, structure_of, value_of
from einsum_front.tc.verify import check

Definitions = dict[str, Definition]


def with_definitions(module: mlir.Module, directory: Path) -> mlir.Module:
    """The module with bodies for the functions that texts define; paths are relative to `directory`.

    Raises `CompileError`: E0867 for a function that its text does not define so, E0105 for a text that cannot be read,
    and whatever is wrong with the text.
    """
    texts: dict[str, Definitions] = {}
    functions: list[mlir.Function] = []
    mistakes: list[Diagnostic] = []
    for function in module.functions:
        try:
            functions.append(_with_body(function, directory, texts))
        except CompileError as error:
            mistakes += error.diagnostics
    raise_any(mistakes)
    return replace(module, functions=tuple(functions))


def inlined(module: mlir.Module, directory: Path) -> mlir.Module:
    """The module with the operations themselves where it calls functions that texts define.

    What `with_definitions` gives is verified before.
    """
    texts: dict[str, Definitions] = {}
    called = {each.name: _definition(each, directory, texts) for each in module.functions if each.definitions}
    functions = (each for each in module.functions if each.name not in called)
    return replace(module, functions=tuple(_without_calls(each, called) for each in functions))


def _without_calls(function: mlir.Function, called: Definitions) -> mlir.Function:
    return replace(function, body=None if function.body is None else _operations(function.body, called))


def _operations(operations: Iterable[mlir.Operation], called: Definitions) -> tuple[mlir.Operation, ...]:
    return tuple(_operation(each, called) for each in operations)


def _operation(operation: mlir.Operation, called: Definitions) -> mlir.Operation:
    match operation:
        case mlir.Call(callee=callee, operands=operands, results=results) if callee in called:
            count = len(called[callee].inputs)
            made = structured(called[callee], operands[:count], operands[count:], results)
            return replace(made, origin=(*operation.origin, *made.origin))
        case mlir.For(body=body):
            return replace(operation, body=_operations(body, called))
        case (
            mlir.Literal() | mlir.Scalar() | mlir.Structured() | mlir.Allocate() | mlir.Free() | mlir.Slice()
            | mlir.InsertSlice() | mlir.Reshape() | mlir.Permute() | mlir.Cast() | mlir.Extent() | mlir.Copy()
            | mlir.Primitive() | mlir.Group() | mlir.Pack() | mlir.Call() | mlir.Return()
        ):  # fmt: skip
            return operation


def _with_body(function: mlir.Function, directory: Path, texts: dict[str, Definitions]) -> mlir.Function:
    if not function.definitions:
        return function
    definition = _definition(function, directory, texts)
    pairs = zip(function.arguments, definition.tensors, strict=True)
    arguments = tuple(replace(each, name=tensor.name) for each, tensor in pairs)
    count = len(definition.inputs)
    results = tuple(mlir.Value(f"result{number}", type_) for number, type_ in enumerate(function.results))
    body = structured(definition, arguments[:count], arguments[count:], results)
    return replace(function, arguments=arguments, body=(body, mlir.Return(results)))


def _definition(function: mlir.Function, directory: Path, texts: dict[str, Definitions]) -> Definition:
    path = function.definitions
    if path not in texts:
        texts[path] = _read(directory / path, function)
    raise_any(_mistakes(function, texts[path]))
    return texts[path][function.name]


def _read(path: Path, function: mlir.Function) -> Definitions:
    try:
        program = parse(read_source(path))
    except CompileError as error:
        place = tuple(Label(span) for span in function.origin[:1])
        raise CompileError([replace(each, labels=each.labels or place) for each in error.diagnostics]) from None
    check(program)
    return {each.name: each for each in program.definitions}


def _mistakes(function: mlir.Function, known: Definitions) -> Iterator[Diagnostic]:
    """What the declaration and its text do not agree on."""
    name, path = function.name, function.definitions
    if function.body is not None:
        yield mistake("E0867", f"`@{name}` has a body, and `{path}` would define it", function.origin)
        return
    definition = known.get(name)
    if definition is None:
        listed = ", ".join(f"`{each}`" for each in known) or "nothing"
        yield mistake("E0867", f"`{path}` does not define `{name}`", function.origin, notes=(f"it defines {listed}",))
        return
    also = [(definition.origin, "defined here")]
    if len(function.arguments) != len(definition.tensors):
        takes = f"{counted(len(definition.inputs), 'input')} and {counted(len(definition.outputs), 'output')}"
        message = f"`@{name}` has {counted(len(function.arguments), 'argument')}, and its definition {takes}"
        yield mistake("E0867", message, function.origin, also=also)
        return
    wanted = (
        len(definition.outputs) if any(isinstance(each.type, mlir.TensorType) for each in function.arguments) else 0
    )
    if len(function.results) != wanted:
        note = "outputs are arguments, and on tensors results as well"
        message = f"`@{name}` has {counted(len(function.results), 'result')}, and needs {wanted}"
        yield mistake("E0867", message, function.origin, also=also, notes=(note,))
    for argument, tensor in zip(function.arguments, definition.tensors, strict=True):
        type_ = argument.type
        shape = type_.shape if isinstance(type_, mlir.TensorType | mlir.MemrefType) else None
        if shape is None or len(shape) != len(tensor.shape):
            modes, found = counted(len(tensor.shape), "mode"), type_text(argument.type)
            message = f"`{tensor.name}` of `{name}` is a tensor with {modes}, and `@{name}` has `{found}` there"
            yield mistake("E0867", message, function.origin, also=[(tensor.origin, "declared here")])


# -- definitions as structured operations of linalg, and as functions around them --------------------------------------


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
