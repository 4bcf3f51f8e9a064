"""The forms that a kernel can take, and which one a function gets on a target.

group    a work-group runs one element; its work-items share every instruction
lanes    a work-item runs W elements, one in each lane of its vectors (see `lanes`)
"""

from dataclasses import dataclass
from enum import Enum

from tl_backend.opencl.lanes.context import Facts
from tl_backend.opencl.lanes.memory import lane_entries
from tl_backend.opencl.lanes.places import UnsuitableError
from tl_backend.opencl.lanes.suitable import find_facts
from tl_backend.opencl.target import Target
from tl_backend.program import Function


class Form(Enum):
    """How the elements of a batch are spread over the device; the value is its name for users."""

    GROUP = "group"
    LANES = "lanes"


LARGEST_ARRAYS = 256 * 1024
"""Bytes that the entries of W elements may take, of which most should stay in a cache beside the core."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A form and why it was taken, None if the user said so; `facts` are what the form `lanes` knows of the function."""

    form: Form
    reason: str | None
    facts: Facts | None = None


def choose(function: Function, target: Target, wanted: Form | None = None) -> Choice:
    """The form that is wanted, or else the faster one; `group` can run everything, `lanes` cannot."""
    if wanted is Form.GROUP:
        return Choice(Form.GROUP, None)
    if wanted is None and not target.is_cpu:
        return Choice(Form.GROUP, f"{target.name} is no CPU")
    try:
        facts = find_facts(function)
    except UnsuitableError as error:
        return Choice(Form.GROUP, f"lanes cannot be elements: {error}")
    return Choice(Form.LANES, None, facts) if wanted is Form.LANES else _compare(facts, target)


def _compare(facts: Facts, target: Target) -> Choice:
    """Lanes, as long as the entries of that many elements stay near the core."""
    size = lane_entries(facts) * target.vector_bytes
    if size > LARGEST_ARRAYS:
        return Choice(Form.GROUP, f"the elements in the lanes would need {size // 1024} KiB")
    return Choice(Form.LANES, "no number is multiplied by a known zero, and no vector has idle lanes", facts)
