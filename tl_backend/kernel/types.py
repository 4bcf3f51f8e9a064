"""Types of the kernel tree, by what they hold; how a language spells them is the matter of its printer.

type    = scalar | vector | pointer
scalar  = "bool" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64" | "bf16" | "f16"
vector  = scalar "x" integer [ "unaligned" ]
pointer = space [ "const" ] (scalar | vector) "*" [ "restrict" ]
space   = "global" | "constant" | "local" | "private"
"""

from enum import Enum

from einsum_front.core.dataclass import dataclass

WIDTHS = (2, 4, 8, 16)
"""Entries that a vector may have."""

LINE = 64
"""Bytes of a cache line, and of the widest vector of a processor."""


class Scalar(Enum):
    """An arithmetic type; the value is its name in texts of the tree, `size` the bytes of a number in memory.

    `is_floating` are f32 and f64, `is_integer` neither these nor `bool`, and `is_signed` what has negative numbers.
    With `bf16` and `f16`, which are `is_narrow`, nothing is computed: they are cast to f32 and back, rounded to the
    nearest, ties to even.
    """

    BOOL = "bool"
    I8 = "i8"
    U8 = "u8"
    I16 = "i16"
    U16 = "u16"
    I32 = "i32"
    U32 = "u32"
    I64 = "i64"
    U64 = "u64"
    F32 = "f32"
    F64 = "f64"
    BF16 = "bf16"
    F16 = "f16"

    __hash__ = object.__hash__  # that of the name takes longer

    def __init__(self, name: str) -> None:
        self.is_floating = name in ("f32", "f64")
        self.is_narrow = name in ("bf16", "f16")
        self.is_integer = name[0] in "iu"
        self.is_signed = name[0] in "if"
        self.size = 1 if name == "bool" else int(name.lstrip("biuf")) // 8


class AddressSpace(Enum):
    """The memory of all work-groups, of one, or of one work-item.

    `CONSTANT` is memory of all that no kernel writes, behind a cache of its own where all work-items read one entry.
    """

    GLOBAL = "global"
    CONSTANT = "constant"
    LOCAL = "local"
    PRIVATE = "private"

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Vector:
    """`width` (2, 4, 8 or 16) scalars in one register; in memory it may start at any of them if it `is_unaligned`."""

    element: Scalar
    width: int
    is_unaligned: bool = False


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer to scalars or vectors; `is_restrict` promises that nothing else points to what it writes."""

    target: Scalar | Vector
    space: AddressSpace
    is_const: bool = False
    is_restrict: bool = False


Type = Scalar | Vector | Pointer


def size_of(type_: Scalar | Vector) -> int:
    """Bytes in memory."""
    if isinstance(type_, Vector):
        return type_.element.size * type_.width
    return type_.size
