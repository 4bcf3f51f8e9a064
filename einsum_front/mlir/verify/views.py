"""The rules of slices, reshapes and permutations."""

from collections.abc import Iterator
from math import prod

from einsum_front.core.diagnostics import Diagnostic, Origin
from einsum_front.core.diagnostics.diagnostic import mistake
from einsum_front.core.words import counted
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import type_text
from einsum_front.mlir.strides import dropped_modes, permuted, sliced
from einsum_front.mlir.verify.structured import shape_of


def check_slice(operation: mlir.Slice | mlir.InsertSlice) -> Iterator[Diagnostic]:
    """Rule E0821."""
    whole, part = (operation.source, operation.result)
    if isinstance(operation, mlir.InsertSlice):
        whole, part = operation.target, operation.source
        if operation.result.type != operation.target.type:
            yield mistake("E0821", "what is inserted into keeps its type", operation.origin)
    shape = shape_of(whole)
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
    shape = shape_of(operation.result)
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
    rank = len(shape_of(operation.source))
    if sorted(operation.permutation) != list(range(rank)):
        message = f"`{list(operation.permutation)}` is no order of the {rank} modes of `%{operation.source.name}`"
        yield mistake("E0823", message, operation.origin)
        return
    wanted = permuted(operation)
    if wanted != operation.result.type:
        message = f"the transposed memref is `{type_text(wanted)}`, not `{type_text(operation.result.type)}`"
        yield mistake("E0823", message, operation.origin)
