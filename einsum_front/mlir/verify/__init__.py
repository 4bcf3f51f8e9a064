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
from math import prod

from einsum_front.core.diagnostics import Diagnostic, Origin, raise_any
from einsum_front.core.diagnostics.diagnostic import mistake
from einsum_front.core.words import counted, listed
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import type_text
from einsum_front.mlir.named import rank_of
from einsum_front.mlir.strides import dropped_modes, permuted, sliced
from einsum_front.mlir.tpp.verify import check_primitive
from einsum_front.mlir.tpp.verify import shown as _shown
from einsum_front.mlir.verify.structured import check_scalar, check_structured

__all__ = ["check", "verify"]

Scope = dict[str, mlir.Operation | None]
"""The operations that define the values in sight; None for arguments and variables."""


def check(module: mlir.Module) -> None:
    """Raises `CompileError` with all mistakes that `verify` finds."""
    raise_any(verify(module))


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


# -- the rules of groups (E0860) and of packing (E0855) ----------------------------------------------------------------


def check_group(operation: mlir.Group) -> Iterator[Diagnostic]:
    """Rule E0860: a group has primitives, packing, memory and constants, and yields what it computes."""
    own = {value.name for each in operation.body for value in mlir.results_of(each)}
    for each in operation.yields:
        if each.name not in own:
            yield mistake("E0860", f"`%{each.name}` is no value of the group that yields it", each.origin)
    for result, each in zip(operation.results, operation.yields, strict=False):
        if result.type != each.type:
            message = f"`%{result.name}` is `{type_text(result.type)}`, and the group yields another type for it"
            yield mistake("E0860", message, result.origin, also=[(each.origin, _shown(each))])
    if not any(isinstance(each, mlir.Primitive | mlir.Group) for each in operation.body):
        yield mistake("E0860", "a group without primitives has nothing to put together", operation.origin)


def check_pack(operation: mlir.Pack) -> Iterator[Diagnostic]:
    """Rule E0855."""
    plain, packed = (operation.source, operation.target)[:: -1 if operation.is_unpack else 1]
    shape, rank = plain.shape, rank_of(plain)
    name = "unpack" if operation.is_unpack else "pack"
    also = [(plain.origin, _shown(plain)), (packed.origin, _shown(packed))]
    positions, tiles, outer = operation.positions, operation.tiles, operation.outer or tuple(range(rank))
    if not all(isinstance(each.type, mlir.TensorType) for each in (plain, packed)):
        yield mistake("E0855", f"`{name}` makes a tensor of a tensor", operation.origin, also=also)
    elif len(positions) != len(tiles) or len(set(positions)) < len(positions) or not set(positions) <= set(range(rank)):
        yield mistake("E0855", "there is a tile for each mode that is cut, and a mode is cut once", operation.origin)
    elif any(tile < 1 for tile in tiles):
        message = f"tiles are at least 1, not {listed([str(tile) for tile in tiles if tile < 1])}"
        yield mistake("E0855", message, operation.origin)
    elif sorted(outer) != list(range(rank)):
        yield mistake("E0855", f"`outer_dims_perm` is no order of {counted(rank, 'mode')}", operation.origin)
    elif None in (*shape, *packed.shape) or any(
        (shape[mode] or 0) % tile for mode, tile in zip(positions, tiles, strict=True)
    ):
        yield mistake("E0855", "the modes that are cut are whole tiles, of known sizes", operation.origin, also=also)
    else:
        counts = {mode: (shape[mode] or 0) // tile for mode, tile in zip(positions, tiles, strict=True)}
        wanted = (*(counts.get(mode, shape[mode]) for mode in outer), *tiles)
        if packed.shape != wanted:
            message = f"the packed tensor is {'x'.join(map(str, wanted))}"
            yield mistake("E0855", message, operation.origin, also=also)


# -- the rules of slices, reshapes and permutations --------------------------------------------------------------------


def check_slice(operation: mlir.Slice | mlir.InsertSlice) -> Iterator[Diagnostic]:
    """Rule E0821."""
    whole, part = (operation.source, operation.result)
    if isinstance(operation, mlir.InsertSlice):
        whole, part = operation.target, operation.source
        if operation.result.type != operation.target.type:
            yield mistake("E0821", "what is inserted into keeps its type", operation.origin)
    shape = whole.shape
    lists = operation.offsets, operation.sizes, operation.strides
    if isinstance(whole.type, mlir.ScalarType) or any(len(each) != len(shape) for each in lists):
        modes = counted(len(shape), "mode")
        yield mistake(
            "E0821", f"`%{whole.name}` has {modes}: an offset, a size and a stride for each", operation.origin
        )
        return
    for mode, (offset, size, stride, extent) in enumerate(zip(*lists, shape, strict=True)):
        if isinstance(size, int) and isinstance(stride, int) and (size < 1 or stride < 1):
            yield mistake("E0821", f"mode {mode} has size {size} and stride {stride}, less than 1", operation.origin)
        elif isinstance(offset, int) and isinstance(size, int) and isinstance(stride, int) and extent is not None:
            last = offset + (size - 1) * stride
            if offset < 0 or last >= extent:
                message = (
                    f"mode {mode} of `%{whole.name}` has {extent} positions, and the slice takes {offset} to {last}"
                )
                yield mistake("E0821", message, operation.origin)
    yield from _part(operation, whole, part)


def _part(operation: mlir.Slice | mlir.InsertSlice, whole: mlir.Value, part: mlir.Value) -> Iterator[Diagnostic]:
    sizes = tuple(each if isinstance(each, int) else None for each in operation.sizes)
    if isinstance(part.type, mlir.ScalarType) or isinstance(whole.type, mlir.ScalarType):
        yield mistake("E0821", f"a slice is a tensor or a memref, not `{type_text(part.type)}`", operation.origin)
        return
    dropped = dropped_modes(sizes, part.type.shape)
    if dropped is None or part.type.element != whole.type.element or type(part.type) is not type(whole.type):
        shown = "x".join("?" if size is None else str(size) for size in sizes)
        message = f"a slice of sizes {shown or 'none'} of `{type_text(whole.type)}` is no `{type_text(part.type)}`"
        yield mistake("E0821", message, operation.origin)
    elif isinstance(part.type, mlir.MemrefType) and isinstance(operation, mlir.Slice):
        yield from _layout(part, sliced(operation), operation.origin)


def _layout(value: mlir.Value, wanted: mlir.MemrefType | None, origin: Origin) -> Iterator[Diagnostic]:
    if wanted is not None and wanted != value.type:
        message = f"the memref that is taken is `{type_text(wanted)}`, not `{type_text(value.type)}`"
        yield mistake("E0821", message, origin)


def check_reshape(operation: mlir.Reshape) -> Iterator[Diagnostic]:
    """Rule E0822."""
    sides = (operation.source, operation.result) if operation.is_expansion else (operation.result, operation.source)
    few, many = sides
    if isinstance(few.type, mlir.ScalarType) or isinstance(many.type, mlir.ScalarType):
        yield mistake("E0822", "a reshape is of a tensor or a memref", operation.origin)
        return
    flat = tuple(mode for group in operation.groups for mode in group)
    is_one_entry = not few.type.shape and not flat and all(size == 1 for size in many.type.shape)
    if not is_one_entry and (
        flat != tuple(range(len(many.type.shape))) or (few.type.shape and len(operation.groups) != len(few.type.shape))
    ):
        listed = [list(group) for group in operation.groups]
        message = f"the groups {listed} are not the {len(many.type.shape)} modes of `%{many.name}` in order, "
        yield mistake("E0822", f"{message}one group for each mode of `%{few.name}`", operation.origin)
        return
    if few.type.element != many.type.element or type(few.type) is not type(many.type):
        yield mistake("E0822", "a reshape keeps the type of the entries", operation.origin)
    if operation.is_expansion:
        yield from _output_shape(operation)
    for mode, group in enumerate(operation.groups):
        extents = [many.type.shape[each] for each in group]
        whole = few.type.shape[mode] if few.type.shape else 1
        known = [each for each in extents if each is not None]
        if whole is not None and len(known) == len(extents) and prod(known) != whole:
            shown = "·".join(map(str, known))
            message = f"mode {mode} of `%{few.name}` has {whole} positions, and its group has {shown} = {prod(known)}"
            yield mistake("E0822", message, operation.origin)


def _output_shape(operation: mlir.Reshape) -> Iterator[Diagnostic]:
    """Sizes behind `output_shape` are those of the type; older texts have no such list, and say no open sizes."""
    shape = operation.result.shape
    sizes = tuple(each if isinstance(each, int) else None for each in operation.sizes)
    is_short = None in shape and len(sizes) < len(shape)
    if not is_short and (len(sizes) != len(shape) or any(_differ(*pair) for pair in zip(sizes, shape, strict=True))):
        shown = "x".join("?" if size is None else str(size) for size in sizes) or "none"
        message = f"`output_shape` is {shown}, and the result is `{type_text(operation.result.type)}`"
        yield mistake("E0822", message, operation.origin)


def _differ(one: mlir.Size, other: mlir.Size) -> bool:
    return None not in (one, other) and one != other


def check_permute(operation: mlir.Permute) -> Iterator[Diagnostic]:
    """Rule E0823."""
    rank = len(operation.source.shape)
    if sorted(operation.permutation) != list(range(rank)):
        message = f"`{list(operation.permutation)}` is no order of the {rank} modes of `%{operation.source.name}`"
        yield mistake("E0823", message, operation.origin)
        return
    wanted = permuted(operation)
    if wanted != operation.result.type:
        message = f"the transposed memref is `{type_text(wanted)}`, not `{type_text(operation.result.type)}`"
        yield mistake("E0823", message, operation.origin)
