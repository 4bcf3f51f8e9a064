"""Packing as copies of blocks: at one number of a tile after the other, positions in both tensors.

tensor<8x16> to tensor<2x4x4x4>         at tile 1, 2: [i + 4, j + 8] is [1, 2, i, j]
"""

from collections.abc import Iterator
from itertools import product
from math import prod

from einsum_front.core.limits import LARGEST_RANGE
from einsum_front.ir import Window
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph.dimensions import kept_of_pack, shape_of
from einsum_front.mlir.to_graph.indices import Indices
from einsum_front.mlir.to_graph.refuse import refused
from einsum_front.mlir.to_graph.symbolic import At


def blocks(operation: mlir.Pack, indices: Indices) -> Iterator[tuple[tuple[At, ...], tuple[At, ...]]]:
    """For each tile its positions in the source, and in the result.

    Raises `CompileError` (E0826) if there are too many tiles, or a mode that is cut has parts already.
    """
    plain, packed = operation.plain_and_packed
    kept = kept_of_pack(operation)
    tiles = dict(zip(operation.positions, operation.tiles, strict=True))
    inner = {mode: len(kept) + number for number, mode in enumerate(operation.positions)}
    for mode in tiles:
        if len(indices.dimensions.atoms(plain, mode)) > 1:
            message = f"mode {mode} of `%{plain.name}` is put together of several modes, and cut into tiles"
            raise refused(message, operation.origin)
    counts = {mode: (shape_of(plain)[mode] or tile) // tile for mode, tile in tiles.items()}
    if (number := prod(counts.values())) > LARGEST_RANGE:
        raise refused(f"packing has {number} tiles, more than {LARGEST_RANGE}", operation.origin)
    whole = indices.whole(packed)
    for place in product(*map(range, counts.values())):
        at = dict(zip(counts, place, strict=True))
        names = {mode: str(whole[inner[mode]][0]) for mode in tiles}
        in_plain = tuple(
            (Window(names[mode], at[mode] * tiles[mode], tiles[mode]),) if mode in tiles else whole[kept.index(mode)]
            for mode in range(len(kept))
        )
        in_packed = tuple((at[mode],) if mode in tiles else whole[number] for number, mode in enumerate(kept))
        in_packed += tuple(whole[inner[mode]] for mode in operation.positions)
        yield (in_packed, in_plain) if operation.is_unpack else (in_plain, in_packed)
