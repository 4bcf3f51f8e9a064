"""Which modes of a function's values have the same extent because operations walk them together.

    d = iterators of structured operations, modes of slices that are taken whole, of reshapes, casts and loops

A mode that is made of several, by `collapse_shape`, is *composite*: `atoms` are the modes that it is made of.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from operator import mul

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import linear
from einsum_front.mlir.attributes import size_text
from einsum_front.mlir.strides import dropped_modes
from einsum_front.mlir.to_graph.refuse import refused

Mode = tuple[str, int]
"""The name of a value, and the number of a mode."""


class Dimensions:
    """The modes of one function, put together where they are walked together."""

    def __init__(self, function: mlir.Function) -> None:
        self._parents: dict[Mode, Mode] = {}
        self._extents: dict[Mode, int] = {}
        self._parts: dict[Mode, tuple[Mode, ...]] = {}
        self._numbers: dict[str, int] = {}
        self._arguments = frozenset(each.name for each in function.arguments)
        self._extent_of: dict[str, Mode] = {}
        for argument in function.arguments:
            self._declare(argument)
        self._operations(function.body or ())
        *_, last = function.body or (None,)
        by_name = {each.name: each for each in function.arguments}
        if isinstance(last, mlir.Return):
            for name, number in function.targets:
                self._same_values(by_name[name], last.values[number])

    def root(self, value: mlir.Value, mode: int) -> Mode:
        """What stands for all modes that are the same."""
        return self._find((value.name, mode))

    def extent(self, root: Mode) -> mlir.Size:
        """The extent, None if only the launch knows it."""
        return self._extents.get(self._find(root))

    def atoms(self, value: mlir.Value, mode: int) -> tuple[Mode, ...]:
        """The modes that a mode is made of; itself, if it is not composite."""
        return tuple(self._atoms(self.root(value, mode)))

    def atoms_of(self, root: Mode) -> tuple[Mode, ...]:
        """The modes that a mode that stands for others is made of."""
        return tuple(self._atoms(root))

    def _atoms(self, root: Mode) -> Iterator[Mode]:
        root = self._find(root)
        if root not in self._parts:
            yield root
            return
        for part in self._parts[root]:
            yield from self._atoms(part)

    def sized_by(self, argument: str) -> Mode | None:
        """A mode whose size is this argument; None: no tensor has that size."""
        found = self._extent_of.get(argument)
        return None if found is None else self._find(found)

    def iterators(self, operation: mlir.Structured) -> tuple[Mode, ...]:
        """The mode that each iterator of an operation walks."""
        found: dict[int, Mode] = {}
        for operand, mode, iterator in _alone(operation):
            found.setdefault(iterator, self.root(operand, mode))
        return tuple(found[number] for number in range(len(operation.iterators)))

    # -- putting together ----------------------------------------------------------------------------------------------

    def _find(self, mode: Mode) -> Mode:
        while (parent := self._parents.get(mode, mode)) != mode:
            mode = parent
        return mode

    def _declare(self, value: mlir.Value) -> None:
        for mode, size in enumerate(value.shape):
            if size is not None:
                self._extents.setdefault(self._find((value.name, mode)), size)

    def _same(self, first: Mode, second: Mode) -> None:
        one, other = self._find(first), self._find(second)
        if one == other:
            return
        extents = self._extents.get(one), self._extents.get(other)
        if None not in extents and extents[0] != extents[1]:
            message = f"modes of {extents[0]} and {extents[1]} positions are walked together"
            raise _OtherModeError(message, code="E0815")
        if other in self._atoms(one) or one in self._atoms(other):
            raise _OtherModeError("a mode is walked together with a part of itself")
        parts = self._parts.pop(other, ())
        self._parents[other] = one
        if other in self._extents:
            self._extents.setdefault(one, self._extents[other])
        if parts:
            self._compose(one, parts)

    def _same_all(self, first: Iterable[Mode], second: Iterable[Mode]) -> None:
        for one, other in zip(first, second, strict=True):
            self._same(one, other)

    def _same_values(self, first: mlir.Value, second: mlir.Value) -> None:
        count = len(first.shape)
        self._same_all(((first.name, mode) for mode in range(count)), ((second.name, mode) for mode in range(count)))

    def _operations(self, operations: Iterable[mlir.Operation]) -> None:
        for operation in operations:
            try:
                self._operation(operation)
            except _OtherModeError as error:
                raise refused(error.message, operation.origin, *error.notes, code=error.code) from None

    def _operation(self, operation: mlir.Operation) -> None:  # noqa: C901 - a case for each node
        match operation:
            case mlir.Literal(result=result, value=value):
                self._declare(result)
                if isinstance(value, int) and isinstance(result.type, mlir.ScalarType):
                    self._numbers[result.name] = value
            case mlir.Structured():
                self._structured(operation)
            case mlir.Allocate(result=result, sizes=sizes):
                self._declare(result)
                left = iter(sizes)
                self._same_sizes(result, [next(left, 1) if size is None else size for size in result.shape])
            case mlir.Slice(result=result, source=source):
                self._declare(result)
                self._slice(operation, source, result)
            case mlir.InsertSlice(result=result, source=source, target=target):
                self._declare(result)
                self._same_values(target, result)
                self._slice(operation, target, source)
            case mlir.Reshape():
                self._reshape(operation)
            case mlir.Permute(result=result, source=source, permutation=permutation):
                self._declare(result)
                for mode, taken in enumerate(permutation):
                    self._same((result.name, mode), (source.name, taken))
            case mlir.Cast(result=result, source=source):
                self._declare(result)
                self._same_values(source, result)
            case mlir.Extent(result=result, source=source, mode=mode):
                if mode.name in self._numbers:
                    self._extent_of[result.name] = (source.name, self._numbers[mode.name])
            case mlir.Copy(source=source, target=target):
                self._same_values(source, target)
            case mlir.Pack():
                self._pack(operation)
            case mlir.For():
                self._loop(operation)
            case mlir.Scalar() | mlir.Free() | mlir.Primitive() | mlir.Group() | mlir.Call() | mlir.Return():
                return

    def _same_sizes(self, value: mlir.Value, sizes: Sequence[mlir.Number]) -> None:
        """Modes whose sizes are those of other modes; an argument is the size of the first one that it stands for."""
        for mode, size in enumerate(sizes):
            if isinstance(size, mlir.Value) and size.name in self._arguments:
                self._extent_of.setdefault(size.name, (value.name, mode))
            if isinstance(size, mlir.Value) and size.name in self._extent_of:
                self._same((value.name, mode), self._extent_of[size.name])

    def _loop(self, loop: mlir.For) -> None:
        for values in zip(loop.initial, loop.carried, loop.results, strict=True):
            for value in values[1:]:
                self._declare(value)
                self._same_values(values[0], value)
        self._operations(loop.body)
        for value, yielded in zip(loop.results, loop.yields, strict=True):
            self._same_values(value, yielded)

    def _structured(self, operation: mlir.Structured) -> None:
        for result, output in zip(operation.results, operation.outputs, strict=False):
            self._declare(result)
            self._same_values(output, result)
        known: dict[int, Mode] = {}
        for operand, mode, iterator in _alone(operation):
            self._same(known.setdefault(iterator, (operand.name, mode)), (operand.name, mode))

    def _slice(self, operation: mlir.Slice | mlir.InsertSlice, whole: mlir.Value, part: mlir.Value) -> None:
        sizes = tuple(each if isinstance(each, int) else None for each in operation.sizes)
        kept = kept_modes(operation, part)
        for number, mode in enumerate(kept):
            size, extent = sizes[mode], whole.shape[mode]
            given = operation.sizes[mode]
            if isinstance(given, mlir.Value) and given.name in self._numbers:
                self._extents.setdefault(self._find((part.name, number)), self._numbers[given.name])
            is_extent = isinstance(given, mlir.Value) and self.sized_by(given.name) == self.root(whole, mode)
            if (size is not None and size == extent) or (is_extent and operation.offsets[mode] == 0):
                self._same((whole.name, mode), (part.name, number))

    def _pack(self, operation: mlir.Pack) -> None:
        self._declare(operation.result)
        self._same_values(operation.target, operation.result)
        plain, packed = operation.plain_and_packed
        for number, mode in enumerate(kept_of_pack(operation)):
            if mode not in operation.positions:
                self._same((plain.name, mode), (packed.name, number))

    def _reshape(self, operation: mlir.Reshape) -> None:
        self._declare(operation.result)
        if len(operation.sizes) == len(operation.result.shape):  # older texts write those that are known
            self._same_sizes(operation.result, operation.sizes)
        few, many = operation.source, operation.result
        if not operation.is_expansion:
            few, many = many, few
        for mode, group in enumerate(operation.groups if few.shape else ()):
            parts = walked_modes(many, group)
            if len(parts) == 1:
                self._same((few.name, mode), (many.name, parts[0]))
            elif parts:
                self._compose((few.name, mode), tuple((many.name, part) for part in parts))

    def _compose(self, whole: Mode, parts: Sequence[Mode]) -> None:
        root = self._find(whole)
        given = tuple(atom for part in parts for atom in self._atoms(part))
        if root in given:
            raise _OtherModeError("a mode is walked together with a part of itself")
        if root not in self._parts:
            self._parts[root] = tuple(parts)
            return
        self._refine(tuple(self._atoms(root)), given)
        known, given = tuple(self._atoms(root)), tuple(atom for part in parts for atom in self._atoms(part))
        extents = [tuple(self.extent(each) for each in atoms) for atoms in (known, given)]
        open_ = [
            pair for pair, extent in zip(zip(known, given, strict=False), extents[0], strict=False) if extent is None
        ]
        if extents[0] != extents[1] or (len(open_) > 1 and any(one != other for one, other in open_)):
            cut = ["x".join(map(size_text, each)) for each in extents]
            message = f"a mode that is put together of {cut[0]} positions is taken apart into {cut[1]}"
            raise _OtherModeError(
                message, "a contraction graph has an index for each part, and cuts it in no other way"
            )
        self._same_all(known, given)

    def _refine(self, *cuts: tuple[Mode, ...]) -> None:
        """Cuts modes whose extents are known further, so that both ways to take a mode apart have the same parts."""
        ends = []
        for atoms in cuts:
            extents = [self.extent(each) for each in atoms]
            ends.append(list(accumulate((extent or 0 for extent in reversed(extents)), mul)))
        common = sorted({*ends[0], *ends[1]})
        if 0 in common or ends[0][-1] != ends[1][-1] or any(b % a for a, b in pairwise(common)):
            return
        for atoms, places in zip(cuts, ends, strict=True):
            for start, end, atom in zip([1, *places], places, reversed(atoms), strict=False):
                inside = [start, *(each for each in common if start < each <= end)]
                if len(inside) > 2:
                    self._cut(atom, [b // a for a, b in pairwise(inside)][::-1])

    def _cut(self, atom: Mode, extents: Sequence[int]) -> None:
        made = tuple((f"{atom[0]}/{atom[1]}", part) for part in range(len(extents)))
        for part, extent in zip(made, extents, strict=True):
            self._extents[part] = extent
        self._parts[self._find(atom)] = made


class _OtherModeError(Exception):
    """Modes that cannot be the same, in words."""

    def __init__(self, message: str, *notes: str, code: str = "E0826") -> None:
        super().__init__(message)
        self.message = message
        self.notes = notes
        self.code = code


def kept_modes(operation: mlir.Slice | mlir.InsertSlice, part: mlir.Value) -> tuple[int, ...]:
    """The modes of the whole that the part has, in order."""
    sizes = tuple(each if isinstance(each, int) else None for each in operation.sizes)
    dropped = dropped_modes(sizes, part.shape) or ()
    return tuple(mode for mode in range(len(sizes)) if mode not in dropped)


def kept_of_pack(operation: mlir.Pack) -> tuple[int, ...]:
    """The mode of the tensor that is not packed which each of the first modes of the packed one counts."""
    return operation.outer or tuple(range(len(operation.plain_and_packed[0].shape)))


def walked_modes(many: mlir.Value, group: tuple[int, ...]) -> tuple[int, ...]:
    """The modes of a group of a reshape that have more than one position."""
    return tuple(mode for mode in group if many.shape[mode] != 1)


def _alone(operation: mlir.Structured) -> Iterator[tuple[mlir.Value, int, int]]:
    """The operands' modes that an iterator walks by itself, with the iterator."""
    for map_, operand in zip(operation.maps, operation.operands, strict=True):
        for mode, result in enumerate(map_.results):
            iterator = linear(result).iterator
            if iterator is not None:
                yield operand, mode, iterator
