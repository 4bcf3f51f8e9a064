"""Work-items wait for each other where one needs what another has written."""

from dataclasses import replace
from itertools import product

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Accesses, Area, find_accesses
from einsum_front.tl_backend.analysis.placement import Placement, meet, place_buffers
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.traverse import walk


def insert_barriers(function: Function) -> Function:
    """Put a barrier between two instructions that touch the same memory, if one of them writes it, and nowhere else.

        gemm.n.n 1.0, %A, %B, 0.0, %t : …         gemm.n.n 1.0, %A, %B, 0.0, %t : …
                                                  barrier
        gemm.n.n 1.0, %t, %C, 1.0, %D : …         gemm.n.n 1.0, %t, %C, 1.0, %D : …

    A collective instruction, a `foreach`, a `load` and a `store` order nothing among the work-items themselves. An
    iteration of a `for` is followed by the next; what a loop only needs from before it waits in front of it. Views are
    followed to the memory under them, and buffers that share a place (`place_buffers`) are the same memory. Barriers
    that are there stay. A work-group of one item waits for nobody: nothing is inserted.
    """
    if function.work_group_size == (1, 1):
        return function
    placements = place_buffers(function), place_buffers(function, is_global=True)
    body, _ = _Inserter(find_accesses(function), placements).region(function.body, Touched())
    return replace(function, body=body)


@dataclass(frozen=True, slots=True)
class Touched:
    """The areas that are read and written."""

    read: frozenset[Area] = frozenset()
    written: frozenset[Area] = frozenset()

    def __or__(self, other: "Touched") -> "Touched":
        return Touched(self.read | other.read, self.written | other.written)

    def is_within(self, other: "Touched") -> bool:
        """True if nothing is touched that the other does not touch in the same way."""
        return self.read <= other.read and self.written <= other.written


def touched(instruction: tl.Instruction, accesses: Accesses) -> Touched:
    """Memory that the instruction, and the instructions inside it, read and write."""
    found = Touched()
    for inner in walk((instruction,)):
        found |= Touched(*accesses.areas(inner))
    return found


@dataclass(frozen=True, slots=True)
class _Inserter:
    """State of the pass. `pending` is what was touched since the last barrier, on any way to a place."""

    accesses: Accesses
    placements: tuple[Placement, ...]

    def region(self, region: tl.Region, pending: Touched) -> tuple[tl.Region, Touched]:
        """The region with its barriers, and what is pending behind it."""
        ordered: list[tl.Instruction] = []
        for instruction in region:
            instructions, pending = self._instruction(instruction, pending)
            ordered += instructions
        return tuple(ordered), pending

    def _instruction(self, instruction: tl.Instruction, pending: Touched) -> tuple[tl.Region, Touched]:
        match instruction:
            case tl.Barrier():
                return (instruction,), Touched()
            case tl.If():
                return self._if(instruction, pending)
            case tl.For():
                return self._for(instruction, pending)
            case (
                tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
                | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview() | tl.Collective()
                | tl.Foreach() | tl.Store() | tl.Yield() | tl.LifetimeStop()
            ):  # fmt: skip
                now = touched(instruction, self.accesses)
                if self._is_hazard(pending, now):
                    return (tl.Barrier(instruction.origin), instruction), now
                return (instruction,), pending | now

    def _if(self, instruction: tl.If, pending: Touched) -> tuple[tl.Region, Touched]:
        then, after_then = self.region(instruction.then, pending)
        if instruction.otherwise is None:
            return (replace(instruction, then=then),), after_then | pending
        otherwise, after_otherwise = self.region(instruction.otherwise, pending)
        return (replace(instruction, then=then, otherwise=otherwise),), after_then | after_otherwise

    def _for(self, loop: tl.For, pending: Touched) -> tuple[tl.Region, Touched]:
        """Order the iterations; if the loop needs more because of what came before it, wait in front of it."""
        body, carried = self._iterations(loop.body)
        ordered = replace(loop, body=body)
        with_pending, after = self.region(body, pending | carried)
        if with_pending == body:
            return (ordered,), pending | after
        return (tl.Barrier(loop.origin), ordered), carried

    def _iterations(self, region: tl.Region) -> tuple[tl.Region, Touched]:
        """The body with the barriers that repeating it needs, and what is then pending behind it and before it."""
        body, carried = self._repeated(region)
        # Where an `if` may skip a barrier, what came in before there were barriers stays pending. With those that there
        # are now, less may be left for the next iteration, and fewer are needed.
        _, less = self.region(body, Touched())
        with_less, after = self.region(region, less)
        return (with_less, less) if after.is_within(less) else (body, carried)

    def _repeated(self, region: tl.Region) -> tuple[tl.Region, Touched]:
        entry, seen = Touched(), set()
        while True:
            body, carried = self.region(region, entry)
            if carried == entry or (carried in seen and carried.is_within(entry)):
                return body, carried
            entry = entry | carried if carried in seen else carried
            seen.add(carried)

    def _is_hazard(self, before: Touched, now: Touched) -> bool:
        return (
            self._meet(before.written, now.written)
            or self._meet(before.written, now.read)
            or self._meet(before.read, now.written)
        )

    def _meet(self, some: frozenset[Area], others: frozenset[Area]) -> bool:
        return any(self._share(one, other) for one, other in product(some, others))

    def _share(self, one: Area, other: Area) -> bool:
        if one.buffer == other.buffer:
            return one.may_overlap(other)
        both = (each.places for each in self.placements if one.buffer in each.places and other.buffer in each.places)
        return any(meet(places[one.buffer], places[other.buffer]) for places in both)
