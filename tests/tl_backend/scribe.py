"""What a generated program knows of its values, and how it finds operands of a shape among them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from hypothesis import strategies as st

from einsum_front.tl_backend.builder import ALL, Builder, Index, Part, Value
from einsum_front.tl_backend.types import MemrefType, ScalarType

T = TypeVar("T")
LARGEST = 2**20
"""Bound of all entries: sums and products below it are exact in f32."""


@dataclass(eq=False)
class Memory:
    """The memory that views share: no entry is greater than `bound`; before its first writing nothing may read it.

    Where all `groups` add to the same memory, only atomic updates with beta = 1 touch it.
    """

    is_writable: bool
    bound: int
    region: int
    is_written: bool = True
    groups: int = 1

    @property
    def is_shared_sum(self) -> bool:
        """Whether several groups add to it."""
        return self.groups > 1


@dataclass(frozen=True, eq=False)
class Tensor:
    """A tensor with its sizes at run time."""

    value: Value
    shape: tuple[int, ...]
    memory: Memory
    is_whole: bool = False

    @property
    def element(self) -> ScalarType:
        """The type of an entry."""
        return self.value.memref.element


@dataclass(frozen=True, eq=False)
class Number:
    """A scalar between two integers."""

    value: Value
    low: int
    high: int

    @property
    def bound(self) -> int:
        """The greatest magnitude."""
        return max(abs(self.low), abs(self.high))


@dataclass
class Loop:
    """The outermost loop around: what one iteration writes, another must not read, and the other way round."""

    region: int
    trips: int
    read: list[Memory] = field(default_factory=list)
    written: list[Memory] = field(default_factory=list)


class Scribe:
    """Writes a function; draws choices; remembers what is visible where it writes."""

    def __init__(self, draw: st.DrawFn, builder: Builder, elements: tuple[ScalarType, ...]) -> None:
        self.draw = draw
        self.builder = builder
        self.elements = elements
        self.tensors: list[Tensor] = []
        self.numbers: list[Number] = []
        self.conditions: list[Value] = []
        self.loop: Loop | None = None
        self.region = 0
        self.is_spmd = False
        self.scattered: list[Memory] = []

    def choose(self, choices: "list[T] | tuple[T, ...]") -> T:
        """One of the choices."""
        return self.draw(st.sampled_from(choices))

    def integer(self, low: int, high: int) -> int:
        """A number from `low` to `high`."""
        return self.draw(st.integers(low, high))

    def number(self, value: Value, low: int, high: int) -> Number:
        """Remembers a scalar."""
        self.numbers.append(Number(value, low, high))
        return self.numbers[-1]

    def tensor(self, value: Value, shape: tuple[int, ...], memory: Memory, *, is_whole: bool = False) -> Tensor:
        """Remembers a tensor."""
        self.tensors.append(Tensor(value, shape, memory, is_whole))
        return self.tensors[-1]

    @contextmanager
    def inside(self) -> Iterator[None]:
        """A region: what is named in it is forgotten behind it."""
        before = len(self.tensors), len(self.numbers), len(self.conditions)
        self.region += 1
        yield
        self.region -= 1
        del self.tensors[before[0] :], self.numbers[before[1] :], self.conditions[before[2] :]

    @contextmanager
    def repeated(self, trips: int) -> Iterator[None]:
        """The region of a loop in order."""
        outer = self.loop
        self.loop = Loop(self.region + 1, trips) if outer is None else replace(outer, trips=outer.trips * trips)
        with self.inside():
            yield
        self.loop = outer

    @contextmanager
    def spread(self, memory: Memory) -> Iterator[None]:
        """The region of a loop without order, each iteration of which writes its own entries of the memory."""
        self.is_spmd = True
        self.scattered.append(memory)
        with self.inside():
            yield
        self.scattered.pop()
        self.is_spmd = False

    def forget(self, memory: Memory) -> None:
        """Its life is over."""
        self.tensors = [tensor for tensor in self.tensors if tensor.memory is not memory]

    # -- what may be read and written ----------------------------------------------------------------------------------

    def may_read(self, memory: Memory) -> bool:
        """Whether the memory has values, and none that another iteration writes."""
        if not memory.is_written or memory.is_shared_sum or memory in self.scattered:
            return False
        return self.loop is None or memory not in self.loop.written

    def may_write(self, memory: Memory) -> bool:
        """Whether the memory is this group's own, and no other iteration reads it."""
        if not memory.is_writable or memory.is_shared_sum or memory in self.scattered:
            return False
        return self.loop is None or memory not in self.loop.read

    def note_read(self, memory: Memory) -> None:
        """Remembers that the loop reads memory from outside."""
        if self.loop and memory.region < self.loop.region:
            self.loop.read.append(memory)

    def note_written(self, memory: Memory, bound: int) -> None:
        """Remembers that memory was written, and how large its entries can be now."""
        memory.bound = max(memory.bound, bound)
        memory.is_written = True
        if self.loop and memory.region < self.loop.region:
            self.loop.written.append(memory)

    def repetitions(self, memory: Memory) -> int:
        """How often an instruction here adds to the memory."""
        return self.loop.trips if self.loop and memory.region < self.loop.region else 1

    # -- operands ------------------------------------------------------------------------------------------------------

    def index_of(self, position: int) -> Index:
        """The position as a constant, or as a value that is known to be it."""
        values = [number.value for number in self.numbers if number.low == number.high == position]
        indices: list[Index] = [position, *(value for value in values if value.type is ScalarType.INDEX)]
        return self.choose(indices)

    def fitting(self, shape: tuple[int, ...], target: Memory) -> list[Tensor]:
        """The tensors that have the shape, or a part of it, and can be read while the target is written."""
        readable = [tensor for tensor in self.tensors if tensor.memory is not target and self.may_read(tensor.memory)]
        return [tensor for tensor in readable if _contains(tensor.shape, shape)]

    def part(self, tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
        """A view of the shape on a larger tensor: leading modes are cut, the others are fixed at a position."""
        parts: list[Part] = []
        for mode, size in enumerate(tensor.shape):
            if mode >= len(shape):
                parts.append(self.index_of(self.integer(0, size - 1)))
            elif size == shape[mode] and self.integer(0, 1):
                parts.append(ALL)
            else:
                offset = self.integer(0, size - shape[mode])
                parts.append((self.index_of(offset), self.index_of(shape[mode])))
        view = self.builder.subview(tensor.value, *parts)
        return self.tensor(view, shape, tensor.memory)


def _contains(shape: tuple[int, ...], part: tuple[int, ...]) -> bool:
    return len(shape) >= len(part) and all(size >= wanted for size, wanted in zip(shape, part, strict=False))


def packed(element: ScalarType, *shape: int | None) -> MemrefType:
    """A packed memref type."""
    return MemrefType.packed(element, shape)
