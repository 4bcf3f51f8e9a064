"""Arguments that are only prefetched (`;! prefetched %next`): the kernel asks for every cache line of their memory.

for (int k = 0; k < 20; ++k) {
    __builtin_prefetch((const char *)((uintptr_t)next + 64 * k), 0, 2);
    …
}

On a processor the lines are spread over the loops of the kernel from its start on: a burst of them would take the
places of the loads that the kernel waits for, and what is asked for at the end comes too late for the next call. So the
first `EARLY` of all iterations ask for them, as many in each as are needed for that. Products that are functions of
their own have the address as one argument more, and ask in their loops: such a function is another one, which kernels
share that ask for as much. Where there is no loop, and on GPUs, one in front of everything asks for them, on a GPU each
work-group for all: which of them run, the kernel does not know.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from math import ceil, prod
from typing import Protocol

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import statements
from einsum_front.tl_backend.kernel.types import Scalar, Type
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import Kernel, defined, named, routine_name
from einsum_front.tl_backend.opencl.parameters import parameter_of
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function, Prefetched
from einsum_front.tl_backend.types import MemrefType

EARLY = 0.5
"""The part of the iterations that ask. Measured with SeisSol's neighbouring flux: `docs/yateto.md`."""


@dataclass(frozen=True, slots=True)
class Stream:
    """An argument that is prefetched: its name, its bytes, and addresses so many bytes apart that touch each line.

    The last address is that of the last byte, since the memory may begin anywhere in a line.
    """

    argument: str
    size: int
    unit: int

    @property
    def addresses(self) -> int:
        """How many there are."""
        return 1 + -(-(self.size - 1) // self.unit)

    def inside(self, offset: tree.Expression) -> tree.Expression:
        """An offset that may be beyond the end, or that of the last byte instead."""
        last = index.constant(self.size - 1)
        if isinstance(offset, tree.Integer):
            return index.constant(min(offset.value, last.value))
        return index.minimum(offset, last)


Loops = tuple[tree.For, ...]
"""An innermost loop that runs a known number of times, behind those around it, which do so, too."""


@dataclass(frozen=True, slots=True)
class _Share:
    """The addresses that a loop asks for: from `first` on, `each` in an iteration."""

    stream: Stream
    first: int
    each: int


def streams(function: Function, target: Target) -> tuple[Stream, ...]:
    """What the kernel prefetches for its caller; nothing where the compilers of the target have no word for it."""
    if not (target.has_prefetch or target.language.has_prefetch):
        return ()
    wanted = {fact.argument for fact in function.facts if isinstance(fact, Prefetched)}
    named = ((each.name.name, each.type) for each in function.arguments)
    return tuple(
        Stream(name, _bytes(type_), target.machine.memory.lines.unit)
        for name, type_ in named
        if name in wanted and isinstance(type_, MemrefType)
    )


def prefetch_lines(function: Function, target: Target) -> Iterator[str]:
    """What is prefetched, in words."""
    for stream in streams(function, target):
        yield f"prefetched for the caller: %{stream.argument}, {stream.size} bytes"


def with_prefetches(kernel: Kernel, function: Function, target: Target) -> Kernel:
    """The kernel that prefetches what the function says; others as they are."""
    wanted = streams(function, target)
    if not wanted:
        return kernel
    place = len(kernel.file.functions) - kernel.stages
    entry = kernel.file.functions[place]
    addresses = {each: tree.Name(parameter_of(function, each.argument, entry).name) for each in wanted}
    types = {each: parameter_of(function, each.argument, entry).type for each in wanted}
    routines = {each.name: each for each in kernel.file.functions if each.outlined is tree.Outlined.ROUTINE}
    loops: list[Loops] = []
    if target.is_cpu and prod(kernel.work_group_size) == 1:
        _Noted(routines, loops).statements(entry.body, ())
    shares, left = _shared(wanted, loops)
    asking = _Asking(iter(shares), addresses, types, routines)
    body = asking.statements(entry.body, ())
    taken = frozenset(each.name for each in entry.parameters) | defined(kernel.file) | target.language.reserved
    line = Names(taken).fresh("line")
    first = (_loop_of(each, start, addresses[each], line, kernel.work_group_size) for each, start in left)
    made = replace(entry, body=(*first, *body))
    called = {each.function for each in _calls((*first, *body))}
    before = (each for each in kernel.file.functions[:place] if each.name not in routines or each.name in called)
    functions = *before, *asking.made.values(), made, *kernel.file.functions[place + 1 :]
    return replace(kernel, file=replace(kernel.file, functions=functions))


def _bytes(type_: MemrefType) -> int:
    last = sum(
        (size or 1) * (stride or 0) - (stride or 0) for size, stride in zip(type_.shape, type_.strides, strict=True)
    )
    return (1 + last) * type_.element.size


def _shared(wanted: Sequence[Stream], places: Sequence[Loops]) -> tuple[list[_Share | None], list[tuple[Stream, int]]]:
    """What each loop asks for, and what is left, from some address on."""
    total = sum(stream.addresses for stream in wanted)
    room = sum(map(_iterations, places))
    shares: list[_Share | None] = []
    waiting = [(stream, 0) for stream in wanted]
    for loops in places:
        iterations, most = _iterations(loops), ceil(total / (EARLY * room))
        if not waiting:
            shares.append(None)
            continue
        stream, first = waiting.pop(0)
        each = min(most, ceil((stream.addresses - first) / iterations))
        shares.append(_Share(stream, first, each))
        if (reached := first + each * iterations) < stream.addresses:
            waiting.insert(0, (stream, reached))
    return shares, waiting


def _asked(share: _Share | None, loops: Loops, addresses: Mapping[Stream, tree.Expression]) -> Iterator[tree.Statement]:
    """What an iteration of a loop asks for: the next addresses of its share."""
    if share is None:
        return
    number: tree.Expression = index.ZERO
    for loop in loops:
        iteration = index.divide(index.subtract(tree.Name(loop.variable), loop.start), loop.step)
        number = index.add(index.multiply(number, index.constant(_trips(loop))), iteration)
    stream, step = share.stream, index.constant(share.stream.unit * share.each)
    has_end = share.first + share.each * _iterations(loops) >= stream.addresses
    for place in range(share.first, share.first + share.each):
        offset = index.add(index.constant(stream.unit * place), index.multiply(step, number))
        yield tree.Prefetch(addresses[stream], stream.inside(offset) if has_end else offset)


def _loop_of(stream: Stream, start: int, address: tree.Expression, line: str, items: tuple[int, int]) -> tree.Statement:
    """A loop that asks for all addresses from one on, with all work-items."""
    first: tree.Expression = index.constant(start)
    if prod(items) > 1:
        own = index.add(tree.ItemId(0), index.multiply(index.constant(items[0]), tree.ItemId(1)))
        first = index.add(first, tree.Cast(Scalar.I32, own))
    offset = stream.inside(index.multiply(index.constant(stream.unit), tree.Name(line)))
    body = (tree.Prefetch(address, offset),)
    return tree.For(Scalar.I32, line, first, index.constant(stream.addresses), index.constant(prod(items)), body)


class _Walk(Protocol):
    """What begins each innermost loop that always runs, and what a call of a routine becomes."""

    routines: Mapping[str, tree.Function]

    def loop(self, loops: Loops) -> tree.Statements:
        """Statements in front of the body of the last loop."""
        ...

    def call(self, call: tree.Call, routine: tree.Function) -> tree.Call:
        """The call of a function whose loops always run."""
        ...

    def statements(self, body: tree.Statements, around: Loops) -> tree.Statements:
        """The statements with all that in their loops."""
        return tuple(self._statement(each, around) for each in body)

    def _statement(self, statement: tree.Statement, around: Loops) -> tree.Statement:
        match statement:
            case tree.Section(body=body) | tree.Block(body=body):
                return replace(statement, body=self.statements(body, around))
            case tree.For(body=body) if _trips(statement):
                loops = (*around, statement)
                if any(map(_trips, _inner_loops(body))):
                    return replace(statement, body=self.statements(body, loops))
                return replace(statement, body=(*self.loop(loops), *body))
            case tree.Call(function=name) if not around and name in self.routines:
                return self.call(statement, self.routines[name])
            case (
                tree.Declare() | tree.DeclareArray() | tree.Assign() | tree.AtomicUpdate() | tree.For() | tree.Call()
                | tree.MatrixMultiplyAdd() | tree.Barrier() | tree.Prefetch() | tree.Fence() | tree.If()
                | tree.DoWhile()
            ):  # fmt: skip
                return statement


@dataclass(slots=True)
class _Noted(_Walk):
    """Notes the loops in their order, those of routines with each call."""

    routines: Mapping[str, tree.Function]
    found: list[Loops]

    def loop(self, loops: Loops) -> tree.Statements:
        self.found.append(loops)
        return ()

    def call(self, call: tree.Call, routine: tree.Function) -> tree.Call:
        self.statements(routine.body, ())
        return call


@dataclass(slots=True)
class _Asking(_Walk):
    """Gives each loop its share; `made` are the routines that ask for something, by their names."""

    shares: Iterator[_Share | None]
    addresses: Mapping[Stream, tree.Expression]
    types: Mapping[Stream, Type]
    routines: Mapping[str, tree.Function]
    made: dict[str, tree.Function] = field(default_factory=dict)

    def loop(self, loops: Loops) -> tree.Statements:
        return tuple(_asked(next(self.shares, None), loops, self.addresses))

    def call(self, call: tree.Call, routine: tree.Function) -> tree.Call:
        names = Names(frozenset(each.name for each in routine.parameters) | named(tree.File((routine,))))
        inside = {each: tree.Name(names.fresh("next")) for each in self.addresses}
        body = _Asking(self.shares, inside, self.types, {}).statements(routine.body, ())
        used = tuple(each for each in inside if body != routine.body and inside[each] in _asked_for(body))
        if not used:
            return call
        parameters = *routine.parameters, *(tree.Parameter(self.types[each], inside[each].text) for each in used)
        name = routine_name(parameters, body)
        self.made[name] = replace(routine, name=name, parameters=parameters, body=body)
        return tree.Call(name, (*call.arguments, *(self.addresses[each] for each in used)))


def _asked_for(body: tree.Statements) -> frozenset[tree.Expression]:
    return frozenset(each.address for each in statements(body) if isinstance(each, tree.Prefetch))


def _calls(body: tree.Statements) -> Iterator[tree.Call]:
    return (each for each in statements(body) if isinstance(each, tree.Call))


def _inner_loops(body: tree.Statements) -> Iterator[tree.For]:
    for statement in body:
        if isinstance(statement, tree.Section | tree.Block):
            yield from _inner_loops(statement.body)
        elif isinstance(statement, tree.For):
            yield statement


def _iterations(loops: Loops) -> int:
    return prod(map(_trips, loops))


def _trips(loop: tree.For) -> int:
    """How often a loop runs; 0 where that is not known."""
    numbers = [each.value for each in (loop.start, loop.stop, loop.step) if isinstance(each, tree.Integer)]
    if len(numbers) < 3 or numbers[2] < 1:
        return 0
    start, stop, step = numbers
    return max(0, -(-(stop - start) // step))
