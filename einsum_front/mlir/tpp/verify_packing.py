"""The rules of groups (E0860) and of packing (E0855)."""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.core.diagnostics.diagnostic import mistake
from einsum_front.core.words import counted, listed
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import type_text
from einsum_front.mlir.named import rank_of
from einsum_front.mlir.tpp.meaning import shape_of as _sizes
from einsum_front.mlir.tpp.verify import shown as _shown


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
    shape, rank = _sizes(plain), rank_of(plain)
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
    elif None in (*shape, *_sizes(packed)) or any(
        (shape[mode] or 0) % tile for mode, tile in zip(positions, tiles, strict=True)
    ):
        yield mistake("E0855", "the modes that are cut are whole tiles, of known sizes", operation.origin, also=also)
    else:
        counts = {mode: (shape[mode] or 0) // tile for mode, tile in zip(positions, tiles, strict=True)}
        wanted = (*(counts.get(mode, shape[mode]) for mode in outer), *tiles)
        if _sizes(packed) != wanted:
            message = f"the packed tensor is {'x'.join(map(str, wanted))}"
            yield mistake("E0855", message, operation.origin, also=also)
