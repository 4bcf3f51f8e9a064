"""What instructions are written with: values of a function, views, constants, loops."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic
from einsum_front.core.extent import Extent
from einsum_front.core.names import Names
from einsum_front.core.storage import ElementType
from einsum_front.ir.yateto import nodes as yir
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.from_graph.named import generic
from einsum_front.mlir.from_graph.payloads import spelled
from einsum_front.mlir.strides import layout_of, packed, subview

ELEMENTS = {
    ElementType.F32: mlir.ScalarType.F32,
    ElementType.F64: mlir.ScalarType.F64,
    ElementType.BF16: mlir.ScalarType.BF16,
}


class Writer:
    """The operations of one function so far, in the region that is open, and the values that they define."""

    def __init__(self, name: str, taken: Sequence[str]) -> None:
        self.name = name
        self.values: dict[str, mlir.Value] = {}
        self._names = Names(taken)
        self._first: list[mlir.Operation] = []
        self._open: list[list[mlir.Operation]] = [self._first]
        self._allocated: list[mlir.Value] = []
        self._constants: dict[int, mlir.Value] = {}
        self._extents: dict[Extent, tuple[mlir.Value, int]] = {}
        self._sizes: dict[Extent, mlir.Value] = {}
        self._head: list[mlir.Operation] = []

    @property
    def body(self) -> tuple[mlir.Operation, ...]:
        """All operations: what is needed everywhere stands first, memory is given back at the end."""
        return (*self._head, *self._first, *(mlir.Free(each) for each in self._allocated))

    def refuse(self, why: str) -> CompileError:
        """The error for what has no form."""
        return CompileError([Diagnostic("E0842", f"`{self.name}` {why}: linalg has no form for it here")])

    def add(self, operation: mlir.Operation) -> None:
        """One more operation in the region that is open."""
        self._open[-1].append(operation)

    def fresh(self, type_: mlir.Type) -> mlir.Value:
        """A value with a number for a name."""
        return mlir.Value(self._names.numbered(""), type_)

    def names(self) -> Names:
        """Names of a payload: none that the function has."""
        return self._names.inner()

    def element(self, type_: ElementType) -> mlir.ScalarType:
        """The type of entries."""
        if type_ not in ELEMENTS:
            raise self.refuse(f"computes in {type_.value}")
        return ELEMENTS[type_]

    # -- types ---------------------------------------------------------------------------------------------------------

    def memref(self, memref: yir.MemrefType, distance: Extent | None = None) -> mlir.MemrefType:
        """The type with the slowest mode first, as `modes` of a memref are sorted; a batch stands in front."""
        shape = [_known(size) for size in reversed(memref.shape)]
        strides = [_known(stride) for stride in reversed(memref.strides)]
        if distance is not None:
            shape.insert(0, None)
            strides.insert(0, _known(distance))
        layout = mlir.Strided(tuple(strides))
        is_packed = layout.strides == packed(tuple(shape))
        return mlir.MemrefType(tuple(shape), self.element(memref.element), None if is_packed else layout)

    def known_extents(self, value: mlir.Value, shape: Sequence[Extent | None]) -> None:
        """Remembers where dynamic extents can be read; None is the batch."""
        for mode, size in enumerate(shape):
            if size is not None and not isinstance(size, int):
                self._extents.setdefault(size, (value, mode))

    def size(self, extent: Extent) -> mlir.Value:
        """A dynamic extent as a value, read where the function begins."""
        if extent not in self._sizes:
            if extent not in self._extents:
                raise self.refuse(f"has an extent {extent} that no argument has")
            source, mode = self._extents[extent]
            self._sizes[extent] = self.extent_of(source, mode)
        return self._sizes[extent]

    def extent_of(self, source: mlir.Value, mode: int) -> mlir.Value:
        """The extent of a mode of an argument."""
        number, result = self.index(mode), self.fresh(mlir.ScalarType.INDEX)
        self._head.append(mlir.Extent(result, source, number))
        return result

    def index(self, number: int) -> mlir.Value:
        """An integer as a value."""
        if number not in self._constants:
            value = mlir.Value(self._names.like(f"i{number}"), mlir.ScalarType.INDEX)
            self._head.append(mlir.Literal(value, number))
            self._constants[number] = value
        return self._constants[number]

    def bound(self, extent: Extent) -> mlir.Value:
        """An extent as a value."""
        return self.index(extent) if isinstance(extent, int) else self.size(extent)

    # -- memory and views ----------------------------------------------------------------------------------------------

    def allocate(self, name: str, memref: yir.MemrefType) -> mlir.Value:
        """Memory from the start of the function to its end."""
        sizes = tuple(self.size(each) for each in reversed(memref.shape) if not isinstance(each, int))
        value = mlir.Value(self._names.like(f"{name}_memory"), self.memref(memref))
        self._head.append(mlir.Allocate(value, sizes))
        self._allocated.append(value)
        return value

    def cut(
        self, source: mlir.Value, offsets: Sequence[mlir.Number], sizes: Sequence[Extent], held: Sequence[int]
    ) -> mlir.Value:
        """A part of a memref without the modes `held`, which have one position."""
        numbers = [size if isinstance(size, int) else self.size(size) for size in sizes]
        view = subview(self._names.numbered(""), source, offsets, numbers, held)
        self.add(view)
        return view.result

    def collapsed(self, source: mlir.Value, groups: Sequence[Sequence[int]]) -> mlir.Value:
        """The memref with each group of neighbouring modes as one."""
        if all(len(group) == 1 for group in groups):
            return source
        type_ = source.type
        if not isinstance(type_, mlir.MemrefType):
            raise CompilerBug(f"`{source.name}` is no memref")
        layout = layout_of(type_)
        shape = tuple(_product([type_.shape[mode] for mode in group]) for group in groups)
        strides = tuple(layout.strides[group[-1]] for group in groups)
        lying = mlir.Strided(strides, layout.offset)
        is_packed = type_.layout is None
        found = self.fresh(mlir.MemrefType(shape, type_.element, None if is_packed else lying))
        self.add(mlir.Reshape(found, source, tuple(tuple(group) for group in groups), False))
        return found

    @contextmanager
    def loop(
        self, start: mlir.Value, stop: mlir.Value, stem: str, location: str = "", *, of_elements: bool = False
    ) -> Iterator[mlir.Value]:
        """Opens a region that runs for each position of a variable.

        That of the elements is parallel, unless they share memory for temporaries.
        """
        variable = mlir.Value(self._names.fresh(stem), mlir.ScalarType.INDEX)
        step = self.index(1)
        self._open.append([])
        yield variable
        body, is_parallel = tuple(self._open.pop()), of_elements and not self._allocated
        self.add(mlir.For(variable, start, stop, step, body, location=location, is_parallel=is_parallel))


def _known(size: Extent) -> int | None:
    return size if isinstance(size, int) else None


def _product(sizes: Sequence[int | None]) -> int | None:
    found = 1
    for size in sizes:
        if size is None:
            return None
        found *= size
    return found


# -- maps of nests over indices, and the nest between numbers of bf16 and f32 ------------------------------------------


def maps_of(names: Sequence[Sequence[str]]) -> tuple[mlir.AffineMap, ...]:
    """Maps for operands with these indices; iterators of the last one come first, in its order."""
    order = list(dict.fromkeys(name for each in (names[-1], *names[:-1]) for name in each))
    return tuple(mlir.AffineMap.of_dims(len(order), tuple(map(order.index, each))) for each in names)


def converted(source: mlir.Value, target: mlir.Value, read: Sequence[str], stored: Sequence[str]) -> mlir.Structured:
    """`target := source`, which widens numbers of bf16 or rounds to them: no other instruction has them.

    `read` and `stored` are the indices of the operands, the fastest first.
    """
    arguments = tuple(mlir.Value(f"x{number}", value.element) for number, value in enumerate((source, target)))
    name = "arith.extf" if arguments[0].type is mlir.ScalarType.BF16 else "arith.truncf"
    step = mlir.Scalar(mlir.Value("v0", arguments[1].type), name, arguments[:1])
    is_copy = arguments[0].type is arguments[1].type
    payload = mlir.Payload(arguments, () if is_copy else (step,), arguments[:1] if is_copy else (step.result,))
    maps = maps_of([tuple(reversed(names)) for names in (read, stored)])
    return generic((source,), target, maps, payload, (), spelled([read], stored))
