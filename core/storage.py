"""Storage and order of a tensor's memory: the words of the notation, the contraction graph and the plan."""

from enum import Enum


class ElementType(Enum):
    """The type of tensor entries and scalars; the value is its spelling in every language.

    Of `bf16` and `f16` are arguments in memory only: what is read is widened to the type that is computed with.
    Integers wrap around; sums of `bool` are "or", products are "and".
    """

    F32 = "f32"
    F64 = "f64"
    BF16 = "bf16"
    F16 = "f16"
    I8 = "i8"
    I16 = "i16"
    I32 = "i32"
    I64 = "i64"
    U8 = "u8"
    U16 = "u16"
    U32 = "u32"
    U64 = "u64"
    BOOL = "bool"

    @property
    def is_integer(self) -> bool:
        """True for integers and `bool`."""
        return self.value[0] in "iu" or self is ElementType.BOOL

    @property
    def says_places(self) -> bool:
        """True if entries in memory may be taken for positions, elements and members."""
        return self in (ElementType.I32, ElementType.I64)

    @property
    def is_computed(self) -> bool:
        """True if a program may be of the type: nothing computes with floating-point numbers of 16 bits."""
        return self.is_integer or self.size > 2

    @property
    def bits(self) -> int:
        """Width of a number; `bool` has one, and a byte in memory."""
        return 1 if self is ElementType.BOOL else int(self.value.lstrip("bfiu"))

    @property
    def size(self) -> int:
        """Size of an entry in bytes."""
        return max(1, self.bits // 8)


COMPLEX = {"c64": ElementType.F32, "c128": ElementType.F64}
"""NumPy's names of complex types, and the type of their parts, which lie side by side."""


class Storage(Enum):
    """How a tensor is stored: per element at a fixed distance, per element behind a pointer, once, or in the kernel."""

    BATCHED = "batched"
    GROUPED = "grouped"
    CONSTANT = "constant"
    TEMPORARY = "temp"
