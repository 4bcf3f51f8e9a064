"""How long an element takes in its lane, in multiplications, as the choice of a form wants to know it."""

from dataclasses import dataclass

from tl_backend.instructions import CollectiveInstruction, For, Foreach, Region
from tl_backend.opencl.lanes.facts import Facts
from tl_backend.opencl.lanes.flow import find_flows
from tl_backend.opencl.lanes.product import product_of
from tl_backend.opencl.lanes.steps import steps_of
from tl_backend.opencl.lanes.zeros import summands
from tl_backend.program import Function
from tl_backend.traverse import regions

TRANSPOSED = 2.4
"""Multiplications in the time that it takes to load or store an entry transposed; measured with PoCL 3.0 on AVX2."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What is done for an element: multiplications that are not by a known zero, and entries that are transposed.

    `instructions` are the collective ones that it takes without lanes.
    """

    multiplications: int
    entries: int
    instructions: int

    @property
    def total(self) -> float:
        """Everything in multiplications."""
        return self.multiplications + TRANSPOSED * self.entries


def find_cost(function: Function, facts: Facts) -> Cost:
    """The cost of an element; what is the same for all of them is done rarely and is no multiplication."""
    flows = find_flows(steps_of(function.body, facts.places), facts, 1)
    entries = sum(int(flow.needed.sum()) + int(flow.written.sum()) for flow in flows)
    multiplications, instructions = _count(function.body, facts)
    return Cost(multiplications, entries, instructions)


def _count(region: Region, facts: Facts) -> tuple[int, int]:
    """Multiplications and collective instructions, as often as they run."""
    multiplications = instructions = 0
    for instruction in region:
        if isinstance(instruction, CollectiveInstruction):
            multiplications += _multiplications(instruction, facts)
            instructions += 1
        trips = len(facts.places.loops[instruction.variable.name]) if isinstance(instruction, For | Foreach) else 1
        for body in regions(instruction):
            inner = _count(body, facts)
            multiplications, instructions = multiplications + trips * inner[0], instructions + trips * inner[1]
    return multiplications, instructions


def _multiplications(instruction: CollectiveInstruction, facts: Facts) -> int:
    product = product_of(instruction, facts.places)
    if facts.is_uniform(product.target.base):
        return 0
    return sum(int(summands(term, facts.patterns).sum()) for term in product.terms)
