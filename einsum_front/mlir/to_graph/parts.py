"""Parts of values, values in other shapes, and memory for what has no other place."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod

from einsum_front.core.extent import Extent
from einsum_front.core.limits import LARGEST_RANGE
from einsum_front.ir import GraphBuilder, Window
from einsum_front.ir import Value as Entries
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph.dimensions import Dimensions, Mode, kept_modes, kept_of_pack, walked_modes
from einsum_front.mlir.to_graph.refuse import refused
from einsum_front.mlir.to_graph.symbolic import (
    At,
    Computed,
    Indices,
    Stored,
    Symbolic,
    TemporaryNeeded,
    Undefined,
    Uniform,
    Walked,
    narrowed,
    positions_of,
    read,
    shifted,
    whole,
)


class Parts:
    """The values of a function so far, and how parts and other shapes of them are made."""

    def __init__(
        self,
        builder: GraphBuilder,
        dimensions: Dimensions,
        batch: Mode | None,
        known: dict[str, Symbolic],
        uses: Mapping[str, int],
        temporaries: Mapping[str, str],
        element: mlir.ScalarType,
        extent: Callable[[Mode], Extent],
    ) -> None:
        self._builder = builder
        self._dimensions = dimensions
        self._indices = Indices(dimensions, batch)
        self._known = known
        self._uses = uses
        self._temporaries = temporaries
        self.needed: set[str] = set()
        self._element = element
        self._extent = extent
        self._numbers: dict[str, int | float] = {}
        self._times: dict[str, int] = {}

    def _of(self, value: mlir.Value) -> Symbolic:
        found = self._known.get(value.name)
        if found is None:
            message = f"`%{value.name}` is known when the kernel runs only"
            raise refused(message, value.origin, code="E0828")
        return found

    def _number(self, number: mlir.Number) -> int:
        """An offset, a size or a bound, which has to be known now."""
        if isinstance(number, int):
            return number
        if number.name not in self._numbers:
            message = f"`%{number.name}` is not known when compiling"
            note = "sizes may be: those of whole modes, from `dim`"
            raise refused(message, number.origin, note, code="E0828")
        return int(self._numbers[number.name])

    # -- memory --------------------------------------------------------------------------------------------------------

    def _key(self, value: mlir.Value) -> str:
        """The name of a value with how often it was computed before: in loops it is computed again."""
        times = self._times[value.name] = self._times.get(value.name, 0) + 1
        return f"{value.name}@{times}"

    def _temporary(self, value: mlir.Value, key: str | None = None) -> Stored:
        """Memory for a value. Raises `TemporaryNeeded` if none is declared."""
        key = self._key(value) if key is None else key
        if key not in self._temporaries:
            raise TemporaryNeeded(key, value)
        self.needed.add(key)
        return whole(self._temporaries[key], self._indices.slots(value), value.name)

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _pieces(
        self, operation: mlir.Slice | mlir.InsertSlice, whole_: mlir.Value, part: mlir.Value
    ) -> Iterator[tuple[dict[int, Walked | int], tuple[At, ...]]]:
        """The ranges of a slice with the positions of the part; where it takes steps, one position after the other."""
        steps = {mode: self._number(each) for mode, each in enumerate(operation.strides) if each != 1}
        sizes = {mode: self._number(operation.sizes[mode]) for mode in steps}
        stepped = [mode for mode, step in steps.items() if step != 1 and sizes[mode] > 1]
        if (count := prod(sizes[mode] for mode in stepped)) > LARGEST_RANGE:
            raise refused(f"a slice with steps has {count} positions, more than {LARGEST_RANGE}", operation.origin)
        numbers = {mode: number for number, mode in enumerate(kept_modes(operation, part))}
        for point in product(*(range(sizes[mode]) for mode in stepped)):
            at = list(self._indices.whole(part))
            fixed = {}
            for mode, place in zip(stepped, point, strict=True):
                at[numbers[mode]] = (place,)
                fixed[mode] = self._number(operation.offsets[mode]) + steps[mode] * place
            yield self._ranges(operation, whole_, part, fixed), tuple(at)

    def _ranges(
        self, operation: mlir.Slice | mlir.InsertSlice, whole_: mlir.Value, part: mlir.Value, fixed: dict[int, int]
    ) -> dict[int, Walked | int]:
        """For each mode of the whole: the mode of the part that walks it and from where, or its only position."""
        kept = {mode: number for number, mode in enumerate(kept_modes(operation, part))}
        found: dict[int, Walked | int] = {}
        for mode in range(len(whole_.shape)):
            number = kept.get(mode)
            if number is not None and self._dimensions.root(whole_, mode) == self._dimensions.root(part, number):
                found[mode] = Walked(number)
                continue
            offset, size = self._number(operation.offsets[mode]), self._number(operation.sizes[mode])
            if len(self._dimensions.atoms(whole_, mode)) > 1:
                message = f"mode {mode} of `%{whole_.name}` is put together of several modes, and a part of it is taken"
                raise refused(message, operation.origin)
            found[mode] = fixed.get(mode, offset if number is None else Walked(number, 0, offset, size))
        return found

    def _slice(self, operation: mlir.Slice, source: Symbolic) -> Symbolic:
        """A view; what is taken with a step is copied, from neighbour to neighbour."""
        if isinstance(source, Uniform | Undefined):
            return source
        pieces = list(self._pieces(operation, operation.source, operation.result))
        taken = zip(operation.strides, operation.sizes, strict=True)
        if len(pieces) == 1 and all(1 in each for each in taken):
            return self._viewed(source, pieces[0][0], operation.result)
        if isinstance(operation.result.type, mlir.MemrefType):
            message = "memory is taken with a step, and a contraction graph takes neighbours only"
            raise refused(message, operation.origin, "of a tensor, `tensor.extract_slice` takes a copy")
        if isinstance(source, Computed) and source.uses > 1:
            raise TemporaryNeeded(source.key, source.value)
        memory = self._temporary(operation.result)
        for ranges, at in pieces:
            entries = read(self._builder, self._viewed(source, ranges, operation.result), at, operation.origin)
            places = positions_of(memory, at, operation.origin)
            self._builder.assign(memory.tensor, places, entries, operation.origin)
        return memory

    def _viewed(self, source: Symbolic, modes: dict[int, Walked | int], result: mlir.Value) -> Symbolic:
        """A view of a value: for each of its modes, the mode of the result that walks it or a position."""
        match source:
            case Uniform() | Undefined():
                return source
            case Stored():
                return replace(narrowed(source, modes), name=result.name)
            case Computed():

                def taken(at: tuple[At, ...]) -> Entries:
                    inner = tuple(_taken(modes[mode], at) for mode in range(len(modes)))
                    return read(self._builder, source, inner, result.origin)

                return replace(source, read=taken, uses=1)

    def _insert(self, operation: mlir.InsertSlice) -> None:
        memory = self._temporary(operation.result)
        target = self._of(operation.target)
        at = self._indices.whole(operation.result)
        if not isinstance(target, Undefined):
            entries = read(self._builder, target, at, operation.origin)
            self._builder.assign(memory.tensor, positions_of(memory, at, operation.origin), entries, operation.origin)
        for ranges, inner in self._pieces(operation, operation.target, operation.source):
            part = narrowed(memory, ranges)
            entries = read(self._builder, self._of(operation.source), inner, operation.origin)
            self._builder.assign(part.tensor, positions_of(part, inner, operation.origin), entries, operation.origin)
        self._known[operation.result.name] = memory

    def _pack(self, operation: mlir.Pack) -> None:
        """Copies of blocks, into memory; what is computed is computed once, in memory as well."""
        source, key = self._of(operation.source), self._key(operation.result)
        if isinstance(source, Uniform | Undefined):
            self._known[operation.result.name] = source
            return
        if isinstance(source, Computed):
            raise TemporaryNeeded(source.key, source.value)
        memory = self._temporary(operation.result, key)
        for taken, given in blocks(operation, self._indices):
            entries = read(self._builder, source, taken, operation.origin)
            places = positions_of(memory, given, operation.origin)
            self._builder.assign(memory.tensor, places, entries, operation.origin)
        self._known[operation.result.name] = memory

    # -- reshapes ------------------------------------------------------------------------------------------------------

    def _reshape(self, operation: mlir.Reshape, source: Symbolic) -> Symbolic:
        if isinstance(source, Uniform | Undefined):
            return source
        slots = self._regrouped(operation)
        if isinstance(source, Stored):
            modes: list[Walked | int] = []
            for each in source.modes:
                slot = each if isinstance(each, int) else slots.get((each.mode, each.atom), 0)
                if isinstance(slot, int) or isinstance(each, int):
                    modes.append(each if isinstance(each, int) else each.offset)
                else:
                    modes.append(replace(each, mode=slot[0], atom=slot[1]))
            return Stored(source.tensor, tuple(modes), operation.result.name)
        counts = [len(self._indices.atoms(operation.source, mode)) for mode in range(len(operation.source.shape))]

        def reshaped(at: tuple[At, ...]) -> Entries:
            inner: list[At] = []
            for mode, count in enumerate(counts):
                places = [slots.get((mode, atom)) for atom in range(count)]
                inner.append(tuple(0 if place is None else at[place[0]][place[1]] for place in places))
            return read(self._builder, source, tuple(inner), operation.origin)

        return replace(source, read=reshaped, uses=1)

    def _regrouped(self, operation: mlir.Reshape) -> dict[tuple[int, int], tuple[int, int]]:
        """The mode and atom of the result for each mode and atom of the source; modes of one position have none."""
        few, many = operation.source, operation.result
        if not operation.is_expansion:
            few, many = many, few
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for mode, group in enumerate(operation.groups if few.shape else ()):
            walked = walked_modes(many, group)
            places = [(each, atom) for each in walked for atom in range(len(self._indices.atoms(many, each)))]
            for number, place in enumerate(places):
                if operation.is_expansion:
                    found[mode, number] = place
                else:
                    found[place] = mode, number
        return found


def _taken(mode: Walked | int, at: tuple[At, ...]) -> At:
    """The position in a mode that a view walks, or holds."""
    if isinstance(mode, int):
        return (mode,)
    return tuple(shifted(position, mode) for position in at[mode.mode])


# -- packing as copies of blocks ---------------------------------------------------------------------------------------
# At one number of a tile after the other, positions in both tensors.
#
# tensor<8x16> to tensor<2x4x4x4>         at tile 1, 2: [i + 4, j + 8] is [1, 2, i, j]


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
    counts = {mode: (plain.shape[mode] or tile) // tile for mode, tile in tiles.items()}
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
