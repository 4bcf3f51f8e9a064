"""Where the entries of a value lie: memory of the tensor language, with its modes in the other order.

MLIR counts the slowest mode first, the tensor language the fastest. The mode that is the batch has no place in memory:
each work-group has its own element.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import fresh_numbered
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph.dimensions import Dimensions, Mode
from einsum_front.mlir.to_graph.refuse import refused
from einsum_front.mlir.to_loops.scalars import type_of
from einsum_front.tl_backend import Builder, Index, Number, Value
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import MemrefType, ScalarType, canonical_strides


@dataclass(frozen=True, slots=True)
class View:
    """Memory, the mode of it that each mode of a value is (None: the batch), and the name of the whole memory."""

    memory: Value
    modes: tuple[int | None, ...]
    base: str
    element: mlir.ScalarType

    @property
    def is_packed(self) -> bool:
        """True if entries follow each other without gaps, the last mode the fastest."""
        places = [each for each in self.modes if each is not None]
        memref = self.memory.memref
        return places == list(range(memref.order))[::-1] and memref.strides == canonical_strides(memref.shape)


@dataclass(frozen=True, slots=True)
class Uniform:
    """All entries are one number."""

    number: Number


@dataclass(frozen=True, slots=True)
class Undefined:
    """Entries that nobody has written."""


Tensor = View | Uniform | Undefined


def stored_type(element: mlir.ScalarType) -> ScalarType:
    """The type of entries in memory."""
    return ScalarType.I64 if element is mlir.ScalarType.INDEX else type_of(element)


class Memory:
    """Writes loads, stores, copies and temporaries.

    `wholes` are the memories of an element by the names of the bases of views.
    """

    def __init__(self, builder: Builder, dimensions: Dimensions, batch: Mode | None, sizes: dict[Mode, Value]) -> None:
        self.builder = builder
        self.dimensions = dimensions
        self.batch = batch
        self._sizes = sizes
        self._computed: set[Mode] = set()
        self.wholes: dict[str, Value] = {}

    def kept_modes(self, value: mlir.Value) -> list[int]:
        """The modes that are not the batch."""
        batch = (self.batch,)
        return [mode for mode in range(len(value.shape)) if self.dimensions.atoms(value, mode) != batch]

    def places(self, value: mlir.Value) -> tuple[int | None, ...]:
        """The mode of packed memory that each mode of a value is."""
        kept = self.kept_modes(value)
        return tuple(len(kept) - 1 - kept.index(n) if n in kept else None for n in range(len(value.shape)))

    def say_size(self, value: mlir.Value, mode: int, size: Index) -> None:
        """The extent of a mode that is not known otherwise."""
        roots = self.dimensions.atoms(value, mode)
        if len(roots) == 1 and isinstance(size, Value) and roots[0] not in self._sizes:
            self._sizes[roots[0]] = size
            self._computed.add(roots[0])

    def extent(self, value: mlir.Value, mode: int, view: Tensor | None = None) -> Index:
        """The extent of a mode, in front of all loops if only the launch knows it."""
        size = value.shape[mode]
        if size is not None:
            return size
        if isinstance(view, View) and (place := view.modes[mode]) is not None:
            return view.memory.memref.shape[place] or self.builder.size(view.memory, place)
        found: Index = 1
        for root in self.dimensions.atoms(value, mode):
            extent: Index | None = self.dimensions.extent(root) or self._sizes.get(root)
            if extent is None:
                message = f"mode {mode} of `%{value.name}` has an extent that no argument shows"
                raise refused(message, value.origin, code="E0828")
            found = extent if found == 1 else self._times(found, extent)
        return found

    def _times(self, one: Index, other: Index) -> Index:
        if isinstance(one, int) and isinstance(other, int):
            return one * other
        return (
            self.builder.arith(tl.BinaryOperator.MUL, other, one)
            if isinstance(one, int)
            else self.builder.arith(tl.BinaryOperator.MUL, one, other)
        )

    def temporary(self, value: mlir.Value, like: Tensor | None = None) -> View:
        """Memory for a value; part of as much as `like` is of, where the launch does not know its extents."""
        if isinstance(like, View) and not all(map(self._is_of_launch, self._roots(value))):
            return self._part_of_memory(value, like)
        if any(root in self._computed for root in self._roots(value)):
            message = f"the launch does not know how large `%{value.name}` is"
            raise refused(message, value.origin, "sizes of temporaries are those of arguments", code="E0828")
        with self.builder.outermost():
            extents = [self.extent(value, mode) for mode in self.kept_modes(value)][::-1]
        memref = MemrefType.packed(
            stored_type(value.element), tuple(each if isinstance(each, int) else None for each in extents)
        )
        sizes = [each for each in extents if isinstance(each, Value)]
        if sizes:
            with self.builder.outermost():
                memory = self.builder.alloca(memref, sizes=sizes)
        else:
            memory = self.builder.alloca(memref)
        return self._as_view(memory, value, memory)

    def _as_view(self, memory: Value, value: mlir.Value, whole: Value) -> View:
        self.wholes[whole.local.name] = whole
        return View(memory, self.places(value), whole.local.name, value.element)

    def _roots(self, value: mlir.Value) -> list[Mode]:
        modes = [mode for mode in self.kept_modes(value) if value.shape[mode] is None]
        return [root for mode in modes for root in self.dimensions.atoms(value, mode)]

    def _is_of_launch(self, root: Mode) -> bool:
        known = root in self._sizes and root not in self._computed
        return known or self.dimensions.extent(root) is not None

    def _part_of_memory(self, value: mlir.Value, like: View) -> View:
        """A part of memory that has as many entries as the whole of what a view is of."""
        builder, whole = self.builder, self.wholes[like.base]
        with builder.outermost():
            sizes = [size or builder.size(whole, n) for n, size in enumerate(whole.memref.shape)]
            total = self._product(sizes)
            memref = MemrefType.packed(stored_type(value.element), (total if isinstance(total, int) else None,))
            memory = builder.alloca(memref, sizes=[total] if isinstance(total, Value) else [])
        extents = [self.extent(value, mode, like) for mode in self.kept_modes(value)][::-1]
        part = builder.subview(memory, (0, self._product(extents)))
        if len(extents) > 1:
            part = builder.expand(part, 0, tuple(extents))
        return self._as_view(part, value, memory)

    def _product(self, extents: Sequence[Index]) -> Index:
        total: Index = 1
        for each in extents:
            total = each if total == 1 else self._times(total, each)
        return total

    # -- entries -------------------------------------------------------------------------------------------------------

    def load(self, tensor: Tensor, at: Sequence[Index], operation: mlir.Operation | mlir.Scalar) -> Number:
        """The entry at a position in each mode of the value. Raises `CompileError` (E0829) if nobody has written it."""
        match tensor:
            case Uniform(number=number):
                return number
            case Undefined():
                message = "entries are read, and nobody has written them"
                raise refused(message, operation.origin, "`linalg.fill` writes them", code="E0829")
            case View(memory=memory, element=element):
                entry = self.builder.load(memory, *self._indices(tensor, at))
                return entry if entry.scalar is type_of(element) else self.builder.cast(entry, type_of(element))

    def store(self, number: Number, view: View, at: Sequence[Index]) -> None:
        """Writes the entry at a position."""
        builder, element = self.builder, view.element
        type_ = stored_type(element)
        if not isinstance(number, Value):
            wide = ScalarType.F32 if type_.is_narrow else type_  # which has constants
            number = builder.constant(float(number) if type_.is_floating else int(number), wide)
        if number.scalar is not type_:
            number = builder.cast(number, type_)
        builder.store(number, view.memory, *self._indices(view, at))

    def _indices(self, view: View, at: Sequence[Index]) -> list[Index]:
        found: list[Index] = [0] * view.memory.memref.order
        for position, place in zip(at, view.modes, strict=True):
            if place is not None:
                found[place] = position
        return found

    def nest(self, extents: Sequence[Index | None], along: int | None, body: Callable[[list[Index]], None]) -> None:
        """Loops in order, and inside of them work-items that share the positions `along`; None has no loop."""
        at: list[Index] = [0] * len(extents)
        with ExitStack() as loops:
            for number, extent in enumerate(extents):
                if number != along and extent not in (None, 1):
                    at[number] = loops.enter_context(self.builder.for_loop(0, extent or 1))
            position = loops.enter_context(self.builder.foreach_loop(0, 1 if along is None else extents[along] or 1))
            if along is not None:
                at[along] = position
            body(at)

    def copy(self, source: Tensor, value: mlir.Value, target: View, operation: mlir.Operation) -> None:
        """Writes all entries of a value to other memory; those that nobody has written stay so."""
        if isinstance(source, Undefined) or source == target:
            return
        extents = [
            None if place is None else self.extent(value, mode, target) for mode, place in enumerate(target.modes)
        ]
        walked = [mode for mode, extent in enumerate(extents) if extent is not None]
        self.nest(
            extents, walked[-1] if walked else None, lambda at: self.store(self.load(source, at, operation), target, at)
        )

    def packed(self, tensor: View, value: mlir.Value, operation: mlir.Operation) -> View:
        """The same entries without gaps between them, copied if they have some."""
        if tensor.is_packed:
            return tensor
        memory = self.temporary(value, tensor)
        self.copy(tensor, value, memory, operation)
        return memory


def names_of_sizes(roots: Sequence[Mode], taken: set[str]) -> dict[Mode, str]:
    """Names for extents that only the launch knows: `n`, `n1`, …"""
    found: dict[Mode, str] = {}
    for root in roots:
        if root not in found:
            found[root] = fresh_numbered("n", taken | set(found.values()))
    return found
