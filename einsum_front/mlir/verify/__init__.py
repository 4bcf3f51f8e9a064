"""The rules of the language; each has the number of an error.

E0810, E0811  values are defined once, before they are used
E0814         there is a map for each operand, from all iterators to all its modes
E0815         the iterators that walk modes fit their extents
E0816         each iterator walks a mode of an operand by itself, so that the operands tell its extent
E0817         outputs that are read are walked by all parallel iterators
E0818, E0819  the payload fits the operands, and its operations fit their numbers
E0820         outputs are tensors or memrefs, with a result of the same type for each tensor
E0821         slices lie inside of their source, and have the type of what they take
E0822         groups of a reshape are all modes in order, of the same number of entries
E0823         permutations and dimensions name modes, each once
E0824         functions have different names, and return what their type says
E0825         loops and calls take and give what they say
E0850 on      primitives: see `mlir/tpp/verify.py`
"""

from collections.abc import Iterator

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.diagnostics.diagnostic import mistake
from einsum_front.core.words import counted
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import type_text
from einsum_front.mlir.tpp.verify import check_primitive
from einsum_front.mlir.tpp.verify_packing import check_group, check_pack
from einsum_front.mlir.verify.structured import check_scalar, check_structured
from einsum_front.mlir.verify.views import check_permute, check_reshape, check_slice

__all__ = ["check", "verify"]

Scope = dict[str, mlir.Operation | None]
"""The operations that define the values in sight; None for arguments and variables."""


def check(module: mlir.Module) -> None:
    """Raises `CompileError` with all mistakes that `verify` finds."""
    if found := list(verify(module)):
        raise CompileError(found)


def verify(module: mlir.Module) -> Iterator[Diagnostic]:
    """The rules that the module breaks."""
    functions: dict[str, mlir.Function] = {}
    for function in module.functions:
        if function.name in functions:
            yield mistake("E0824", f"two functions are called `{function.name}`", function.origin)
        functions[function.name] = function
    for function in module.functions:
        if function.body is not None:
            yield from _function(function, functions)


def _function(function: mlir.Function, functions: dict[str, mlir.Function]) -> Iterator[Diagnostic]:
    assert function.body is not None
    scope: Scope = {each.name: None for each in function.arguments}
    if len(scope) < len(function.arguments):
        yield mistake("E0811", f"two arguments of `{function.name}` have one name", function.origin)
    *_, last = function.body or (None,)
    if not isinstance(last, mlir.Return):
        yield mistake("E0824", f"`{function.name}` does not end with `return`", function.origin)
    else:
        types = tuple(each.type for each in last.values)
        if types != function.results:
            shown = ", ".join(map(type_text, types)) or "nothing"
            wanted = ", ".join(map(type_text, function.results)) or "nothing"
            message = f"`{function.name}` returns {shown}, and its type says {wanted}"
            yield mistake("E0824", message, last.origin)
    yield from _operations(function.body, scope, functions)


def _operations(
    operations: tuple[mlir.Operation, ...], scope: Scope, functions: dict[str, mlir.Function]
) -> Iterator[Diagnostic]:
    for operation in operations:
        yield from _uses(mlir.operands_of(operation), scope)
        yield from _operation(operation, scope, functions)
        for result in mlir.results_of(operation):
            if result.name in scope:
                yield mistake("E0811", f"`%{result.name}` is defined twice", result.origin or operation.origin)
            scope[result.name] = operation


def _uses(values: tuple[mlir.Value, ...], scope: Scope) -> Iterator[Diagnostic]:
    for value in values:
        if value.name not in scope:
            yield mistake("E0810", f"`%{value.name}` is used before it is defined", value.origin)


def _operation(operation: mlir.Operation, scope: Scope, functions: dict[str, mlir.Function]) -> Iterator[Diagnostic]:
    match operation:
        case mlir.Structured():
            yield from check_structured(operation, set(scope))
        case mlir.Scalar():
            yield from check_scalar(operation)
        case mlir.Slice() | mlir.InsertSlice():
            yield from check_slice(operation)
        case mlir.Reshape():
            yield from check_reshape(operation)
        case mlir.Permute():
            yield from check_permute(operation)
        case mlir.Primitive():
            yield from check_primitive(operation, {name: each for name, each in scope.items() if each is not None})
        case mlir.Pack():
            yield from check_pack(operation)
        case mlir.Group():
            yield from check_group(operation)
            inner = dict(scope)
            yield from _operations(operation.body, inner, functions)
            yield from _uses(operation.yields, inner)
        case mlir.For():
            yield from _loop(operation, scope, functions)
        case mlir.Call():
            yield from _call(operation, functions)
        case mlir.Allocate():
            yield from _allocate(operation)
        case mlir.Literal() | mlir.Free() | mlir.Cast() | mlir.Extent() | mlir.Copy() | mlir.Return():
            return


def _allocate(operation: mlir.Allocate) -> Iterator[Diagnostic]:
    type_ = operation.result.type
    shape = type_.shape if isinstance(type_, mlir.TensorType | mlir.MemrefType) else ()
    open_ = sum(extent is None for extent in shape)
    if open_ != len(operation.sizes):
        message = (
            f"`{type_text(type_)}` has {counted(open_, 'dynamic size')}, and the operation gives {len(operation.sizes)}"
        )
        yield mistake("E0813", message, operation.origin)


def _loop(loop: mlir.For, scope: Scope, functions: dict[str, mlir.Function]) -> Iterator[Diagnostic]:
    for bound in (loop.start, loop.stop, loop.step):
        if bound.type != loop.variable.type or not isinstance(bound.type, mlir.ScalarType) or bound.type.is_floating:
            yield mistake("E0825", "bounds and step of a loop are of the type of its variable", bound.origin)
    carried = [
        tuple(each.type for each in values) for values in (loop.initial, loop.carried, loop.yields, loop.results)
    ]
    if len(set(carried)) > 1:
        yield mistake("E0825", "a loop yields values of the types that it carries", loop.origin)
    inner: Scope = scope | {each.name: None for each in (loop.variable, *loop.carried)}
    yield from _operations(loop.body, inner, functions)
    yield from _uses(loop.yields, inner)


def _call(call: mlir.Call, functions: dict[str, mlir.Function]) -> Iterator[Diagnostic]:
    called = functions.get(call.callee)
    if called is None:
        yield mistake("E0825", f"there is no function `{call.callee}`", call.origin)
        return
    given = tuple(each.type for each in call.operands), tuple(each.type for each in call.results)
    if given != (tuple(each.type for each in called.arguments), called.results):
        also = [(called.origin, "declared here")]
        yield mistake("E0825", f"the call has other types than `{call.callee}`", call.origin, also=also)
