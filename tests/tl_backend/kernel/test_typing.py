"""Which values go where, and what operands meet in."""

import pytest

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Type, Vector
from einsum_front.tl_backend.kernel.typing import IllTypedError, Symbol, check_assignable, type_of

F64X4, F64X2, F32X4 = Vector(Scalar.F64, 4), Vector(Scalar.F64, 2), Vector(Scalar.F32, 4)
ONE = Vector(Scalar.F64, 1)
TO_F64, TO_ONE = Pointer(Scalar.F64, AddressSpace.GLOBAL), Pointer(ONE, AddressSpace.GLOBAL)
TO_CONSTANT = Pointer(Scalar.F64, AddressSpace.GLOBAL, is_const=True)
LOCAL = Pointer(Scalar.F64, AddressSpace.LOCAL)


@pytest.mark.parametrize(
    ("to", "from_"),
    [
        (Scalar.F64, Scalar.F64),
        (Scalar.F64, ONE),
        (ONE, Scalar.F64),
        (F64X4, F64X4),
        (F64X4, Vector(Scalar.F64, 4, is_unaligned=True)),
        (F64X4, Scalar.F64),
        (Scalar.I64, Scalar.I32),
        (Scalar.I32, Scalar.I8),
        (Scalar.I32, Scalar.I64),
        (TO_F64, TO_F64),
        (TO_F64, TO_ONE),
        (TO_CONSTANT, TO_F64),
    ],
)
def test_a_value_goes_there(to: Type, from_: Type) -> None:
    check_assignable(to, from_)


@pytest.mark.parametrize(
    ("to", "from_"),
    [
        (Scalar.F64, Scalar.F32),
        (Scalar.I8, Scalar.I32),
        (Scalar.F64, Scalar.I32),
        (F64X4, F64X2),
        (F64X4, F32X4),
        (F64X4, Scalar.F32),
        (Scalar.F64, F64X4),
        (TO_F64, TO_CONSTANT),
        (TO_F64, LOCAL),
        (TO_F64, Scalar.F64),
        (Scalar.U64, TO_F64),
    ],
)
def test_a_value_does_not(to: Type, from_: Type) -> None:
    with pytest.raises(IllTypedError):
        check_assignable(to, from_)


@pytest.mark.parametrize(
    ("left", "right", "joined"),
    [
        (F64X4, F64X4, F64X4),
        (F64X4, Scalar.F64, F64X4),
        (Scalar.F64, F64X4, F64X4),
        (Scalar.I8, Scalar.I16, Scalar.I32),
        (Scalar.I32, Scalar.U32, Scalar.U32),
        (Scalar.I64, Scalar.U32, Scalar.I64),
        (Scalar.F32, Scalar.F32, Scalar.F32),
        (F64X4, F64X2, None),
        (F64X4, Scalar.F32, None),
        (Scalar.F64, Scalar.F32, None),
        (Scalar.F64, Scalar.I32, None),
        (Scalar.BF16, Scalar.BF16, None),
    ],
)
def test_operands_meet(left: Type, right: Type, joined: Type | None) -> None:
    names = {"a": Symbol(left), "b": Symbol(right)}
    total = tree.Binary(tree.BinaryOperator.ADD, tree.Name("a"), tree.Name("b"))
    if joined is None:
        with pytest.raises(IllTypedError):
            type_of(total, names)
    else:
        assert type_of(total, names) == joined
