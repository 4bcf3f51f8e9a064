"""Storage and order of a tensor's memory: the words of the notation, the contraction graph and the plan."""

from enum import Enum


class ElementType(Enum):
    """The type of tensor entries and scalars; the value is its spelling in every language.

    Of `bf16` and `f16` are arguments in memory only: what is read is widened to the type that is computed with.
    """

    F32 = "f32"
    F64 = "f64"
    BF16 = "bf16"
    F16 = "f16"

    @property
    def is_computed(self) -> bool:
        """True if a program may be of the type: nothing computes with numbers of 16 bits."""
        return self.size > 2

    @property
    def size(self) -> int:
        """Size of an entry in bytes."""
        return int(self.value.lstrip("bf")) // 8


COMPLEX = {"c64": ElementType.F32, "c128": ElementType.F64}
"""NumPy's names of complex types, and the type of their parts, which lie side by side."""


class Storage(Enum):
    """How a tensor is stored: per element at a fixed distance, per element behind a pointer, once, or in the kernel."""

    BATCHED = "batched"
    GROUPED = "grouped"
    CONSTANT = "constant"
    TEMPORARY = "temp"
