"""The editions as a table of spellings, and what each of them cannot say.

The edition tinytc-0.4 is a language of its own, which `unparse/tinytc.py` writes.

| | 2023 | 2024 | tinytc-0.2 | tinytc-0.3 |
|---|---|---|---|---|
| arithmetic | `add`, `neg`, … | `arith.add`, shifts and bit operations | as 2023 | as 2024 |
| truth values | `bool` | `i1` | `bool` | `i1` |
| unsigned integers | `u8` … `u64` | none | as 2023 | none |
| offset of a group | none | `group<…, offset: c>` | none | as 2024 |
| Hadamard product | `hadamard_product` | `hadamard_product` | `hadamard` | `hadamard` |
| `alloca.global` | none | none | none | none |
| `math.exp`, … | none | none | none | none |
| constants for α and β | floating | floating | integers too | integers too |
| `barrier`, `lifetime_stop` | written | written | left out: found by the compiler | left out |
"""

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Edition

FIRST_OPERATORS = (
    tl.BinaryOperator.ADD,
    tl.BinaryOperator.SUB,
    tl.BinaryOperator.MUL,
    tl.BinaryOperator.DIV,
    tl.BinaryOperator.REM,
    tl.UnaryOperator.NEG,
)
"""The operators of the 2023 edition; the shifts and bit operators came in 2024 and are always written `arith.shl`."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """How an edition writes what the editions write differently."""

    edition: Edition
    boolean: str
    arithmetic_prefix: str
    hadamard_product: str
    has_bit_operators: bool
    has_unsigned_integers: bool
    has_group_offset: bool
    has_integer_factors: bool
    has_barriers: bool


def spelling(edition: Edition) -> Spelling:
    """The edition's column of the table."""
    is_first = edition in (Edition.E2023, Edition.TINYTC_0_2)
    return Spelling(
        edition,
        boolean="bool" if is_first else "i1",
        arithmetic_prefix="" if is_first else "arith.",
        hadamard_product="hadamard" if edition.is_released else "hadamard_product",
        has_bit_operators=not is_first,
        has_unsigned_integers=is_first,
        has_group_offset=not is_first,
        has_integer_factors=edition.is_released or edition.is_dialect,
        has_barriers=not edition.is_released and not edition.is_dialect,
    )


def is_bit_operator(operator: tl.BinaryOperator | tl.UnaryOperator) -> bool:
    """True if the operator is one that the 2023 edition lacks."""
    return operator not in FIRST_OPERATORS
