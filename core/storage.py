"""Storage and order of a tensor's memory: the words of the notation, the contraction graph and the plan."""

from enum import Enum


class ElementType(Enum):
    """The type of tensor entries and scalars; the value is its spelling in every language."""

    F32 = "f32"
    F64 = "f64"

    @property
    def size(self) -> int:
        """Size of an entry in bytes."""
        return 4 if self is ElementType.F32 else 8


class Storage(Enum):
    """How a tensor is stored: per element at a fixed distance, per element behind a pointer, once, or in the kernel."""

    BATCHED = "batched"
    GROUPED = "grouped"
    CONSTANT = "constant"
    TEMPORARY = "temp"
