"""How long an element takes in its lane, in multiplications, as the choice of a form wants to know it."""

from dataclasses import dataclass
from math import log2

from tl_backend.analysis.access import writes
from tl_backend.instructions import CollectiveInstruction, For, Foreach, Region
from tl_backend.opencl.lanes.facts import Facts
from tl_backend.opencl.lanes.flow import find_flows
from tl_backend.opencl.lanes.steps import steps_of
from tl_backend.program import Function
from tl_backend.traverse import regions

TRANSPOSED = 1.2
"""Multiplications in the time of a step for an entry that is transposed; measured with PoCL 3.0 on AVX2.

A square of entries is transposed in as many steps as its edge can be halved.
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What is done for an element: multiplications that are not by a known zero, and entries that are transposed."""

    multiplications: int
    entries: int

    def total(self, width: int) -> float:
        """Everything in multiplications, with so many elements in the lanes."""
        return self.multiplications + TRANSPOSED * log2(width) * self.entries


def find_cost(function: Function, facts: Facts) -> Cost:
    """The cost of an element; what is the same for all of them is done rarely and is no multiplication."""
    flows = find_flows(steps_of(function.body, facts.places), facts, 1)
    entries = sum(int(flow.needed.sum()) + int(flow.written.sum()) for flow in flows)
    return Cost(_count(function.body, facts), entries)


def _count(region: Region, facts: Facts) -> int:
    """Multiplications, as often as they are done."""
    total = 0
    for instruction in region:
        if isinstance(instruction, CollectiveInstruction):
            total += _multiplications(instruction, facts)
        trips = len(facts.places.loops[instruction.variable.name]) if isinstance(instruction, For | Foreach) else 1
        total += trips * sum(_count(body, facts) for body in regions(instruction))
    return total


def _multiplications(instruction: CollectiveInstruction, facts: Facts) -> int:
    is_uniform = all(facts.is_uniform(facts.places.place(memref).base) for memref in writes(instruction))
    return 0 if is_uniform else facts.counts[instruction]
