"""The types of the tensor language.

    type          = "void" | scalar-type | memref-type | group-type
    scalar-type   = "bool" | "i1" | "i8" | "i16" | "i32" | "i64"
                  | "u1" | "u8" | "u16" | "u32" | "u64" | "index" | "f16" | "bf16" | "f32" | "f64" | "c32" | "c64"
    memref-type   = "memref<" scalar-type { "x" (integer | "?") } [ "," "strided<" { integer | "?" } ">" ] ">"
    group-type    = "group<" memref-type [ "," "offset:" (integer | "?") ] ">"

Numbers of `c32` and `c64` are complex: two of `f32` and of `f64`. Devices read and write `bf16` and `f16` in memory,
and compute with neither; complex numbers they do not have.
A mode size, a stride or an offset that is known only at run time is `None` here and `?` in text.
"""

from enum import Enum

from einsum_front.core.dataclass import dataclass
from einsum_front.core.storage import ElementType


class ScalarType(Enum):
    """A scalar type; the value is its spelling. `bool` of the 2023 edition and `i1` of the 2024 edition are `BOOL`.

    `is_floating` are real numbers, `is_complex` complex ones, `is_integer` all others, `is_signed` integers with a
    sign. `is_computed` says that devices compute with the type, and `is_narrow` that they have it in memory only: bf16
    and f16. `bits` is the width, of which `index` has 64, and `size` the bytes of an element in memory.
    """

    BOOL = "i1"
    I8 = "i8"
    I16 = "i16"
    I32 = "i32"
    I64 = "i64"
    U8 = "u8"
    U16 = "u16"
    U32 = "u32"
    U64 = "u64"
    INDEX = "index"
    F32 = "f32"
    F64 = "f64"
    BF16 = "bf16"
    F16 = "f16"
    C32 = "c32"
    C64 = "c64"

    __hash__ = object.__hash__  # that of the name takes longer

    def __init__(self, spelling: str) -> None:
        self.is_floating = spelling in ("f32", "f64", "bf16", "f16")
        self.is_narrow = spelling in ("bf16", "f16")
        self.is_complex = spelling[0] == "c"
        self.is_integer = not (self.is_floating or self.is_complex)
        self.is_computed = self.is_integer or spelling in ("f32", "f64")
        self.is_signed = spelling[0] == "i" and spelling != "i1"
        self.bits = 64 if spelling == "index" else int(spelling.lstrip("biufc")) * (2 if self.is_complex else 1)
        self.size = max(1, self.bits // 8)

    @classmethod
    def of(cls, element: ElementType) -> "ScalarType":
        """The type of entries; all languages spell it alike, but for `bool`."""
        return cls.BOOL if element is ElementType.BOOL else cls(element.value)

    @property
    def real(self) -> "ScalarType":
        """The type of the parts of a complex number."""
        return ScalarType.F32 if self is ScalarType.C32 else ScalarType.F64


Extent = int | None
"""A mode size or a stride; None where it is known only at run time (`?`)."""


def canonical_strides(shape: tuple[Extent, ...]) -> tuple[Extent, ...]:
    """The strides of the packed dense column-major layout, in elements; what follows a dynamic mode is dynamic."""
    strides: list[Extent] = []
    stride: Extent = 1
    for size in shape:
        strides.append(stride)
        stride = None if stride is None or size is None else stride * size
    return tuple(strides)


@dataclass(frozen=True, slots=True)
class MemrefType:
    """A tensor in memory: `strides` are in elements and are always given, the packed ones too."""

    element: ScalarType
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...]

    @staticmethod
    def packed(element: ScalarType, shape: tuple[Extent, ...]) -> "MemrefType":
        """The memref with the packed dense layout."""
        return MemrefType(element, shape, canonical_strides(shape))

    @property
    def order(self) -> int:
        """Number of modes."""
        return len(self.shape)

    @property
    def is_packed(self) -> bool:
        """True if the layout is the packed dense one, which is not printed."""
        return self.strides == canonical_strides(self.shape)


@dataclass(frozen=True, slots=True)
class GroupType:
    """An array of pointers to memrefs, each moved by `offset` elements (0 unless given; None: at run time)."""

    memref: MemrefType
    offset: Extent = 0


Type = ScalarType | MemrefType | GroupType
