"""Barriers: no two work-items race for an element, and no barrier could be left out.

Races are looked for where programs really go: every instruction of every iteration, with the addresses that it touches.
"""

from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import count
from types import EllipsisType

import numpy as np
import pytest
from hypothesis import given

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import buffers
from einsum_front.tl_backend.analysis.placement import place_buffers
from einsum_front.tl_backend.interpret import run
from einsum_front.tl_backend.interpret.arguments import bind
from einsum_front.tl_backend.interpret.evaluate import position
from einsum_front.tl_backend.interpret.frame import Frame, Memory
from einsum_front.tl_backend.passes.insert_barriers import insert_barriers
from einsum_front.tl_backend.passes.insert_lifetime_stop import insert_lifetime_stop
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import with_regions
from einsum_front.tl_backend.scalars import make
from einsum_front.tl_backend.semantics import reads, writes
from einsum_front.tl_backend.traverse import walk
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.strategies import Case, cases

pytestmark = pytest.mark.generated

Address = tuple[str, int]
"""`local` and a byte of the work-group's memory, or `global` and a byte of the process."""


@dataclass
class Unit:
    """What work-items do without waiting: one collective instruction, one `foreach`, one load or store by all."""

    read: set[Address] = field(default_factory=set)
    written: set[Address] = field(default_factory=set)


class Tracer:
    """Runs a work-group and looks for races between the units since the last barrier."""

    def __init__(self, function: Function, frame: Frame) -> None:
        self.base = buffers(function)
        self.places = place_buffers(function).places
        self.frame = frame
        self.phase: list[Unit] = []
        self.races: list[tuple[Unit, Unit]] = []

    def region(self, region: Iterable[tl.Instruction], unit: Unit | None = None) -> None:
        for instruction in region:
            self.step(instruction, unit)

    def step(self, instruction: tl.Instruction, unit: Unit | None) -> None:
        match instruction:
            case tl.Barrier():
                self.phase = []
            case tl.For(variable=variable, start=start, stop=stop, step=step, type=type_, body=body):
                for value in range(*(int(self.frame.scalar(bound, type_)) for bound in (start, stop, step))):
                    self.frame.values[variable.name] = make(value, type_)
                    self.region(body, unit)
            case tl.Foreach(variable=variable, start=start, stop=stop, type=type_, body=body):
                together = unit or Unit()
                for value in range(int(self.frame.scalar(start, type_)), int(self.frame.scalar(stop, type_))):
                    self.frame.values[variable.name] = make(value, type_)
                    self.region(body, together)
                self.close(together, unit)
            case tl.If(condition=condition, then=then, otherwise=otherwise):
                taken = (then if self.frame.scalar(condition, ScalarType.BOOL) else otherwise) or ()
                self.region([inner for inner in taken if not isinstance(inner, tl.Yield)], unit)
                values = run(taken[-1:], self.frame) if taken and isinstance(taken[-1], tl.Yield) else ()
                self.frame.values.update({local.name: v for local, v in zip(instruction.results, values, strict=True)})
            case _:
                alone = unit or Unit()
                alone.read.update(*(self.touched(memref, instruction) for memref in reads(instruction)))
                alone.written.update(*(self.touched(memref, instruction) for memref in writes(instruction)))
                self.close(alone, unit)
                run((instruction,), self.frame)

    def close(self, unit: Unit, around: Unit | None) -> None:
        """Compare a unit that is complete with what else runs at the same time."""
        if around is not None:
            return
        for other in self.phase:
            if unit.written & (other.written | other.read) or unit.read & other.written:
                self.races.append((other, unit))
        self.phase.append(unit)

    def touched(self, memref: tl.Local, instruction: tl.Instruction) -> set[Address]:
        """The bytes of the elements that are touched."""
        memory = self.frame.memory(memref)
        if isinstance(instruction, tl.Load | tl.Store):
            at: tuple[int | EllipsisType, ...] = (*position(instruction, self.frame), ...)
            memory = memory[at]
        base = self.base[memref.name]
        if base not in self.places:
            return {("global", at) for at in addresses(memory)}
        start = self.places[base].start - min(addresses(self.frame.memory(tl.Local(base))))
        return {("local", start + at) for at in addresses(memory)}


def addresses(memory: Memory) -> list[int]:
    """Every byte of the memref."""
    first: int = memory.__array_interface__["data"][0]
    starts = (first + int(np.dot(index, memory.strides)) for index in np.ndindex(memory.shape))
    return [start + byte for start in starts for byte in range(memory.itemsize)]


def ordered(case: Case) -> Function:
    return insert_barriers(insert_lifetime_stop(replace(case.function, work_group_size=(32, 2))))


@given(cases())
def test_no_two_work_items_race(case: Case) -> None:
    function = ordered(case)
    bound = bind(function, deepcopy(case.arguments))
    for group in range(case.groups):
        tracer = Tracer(function, Frame(dict(bound.values), group, case.groups))
        tracer.region(function.body)
        assert tracer.races == []


@given(cases())
def test_no_barrier_can_be_left_out(case: Case) -> None:
    function = ordered(replace(case, function=without_barriers(case.function, lambda number: True)))
    for left_out in range(sum(isinstance(instruction, tl.Barrier) for instruction in walk(function.body))):
        shorter = without_barriers(function, left_out.__eq__)
        assert insert_barriers(shorter) != shorter


def without_barriers(function: Function, is_left_out: Callable[[int], bool]) -> Function:
    """The function without the barriers, counted in the order of the text, that are to be left out."""
    numbers = count()

    def change(region: tl.Region) -> tl.Region:
        return tuple(
            with_regions(instruction, change)
            for instruction in region
            if not (isinstance(instruction, tl.Barrier) and is_left_out(next(numbers)))
        )

    return replace(function, body=change(function.body))
