"""Which arguments a function reads and writes."""

from einsum_front.tl_backend.access import buffers
from einsum_front.tl_backend.analysis.effects import Effects, argument_access
from einsum_front.tl_backend.instructions import (
    Alloca,
    Axpby,
    FloatConstant,
    GroupId,
    Instruction,
    Load,
    Local,
    Position,
    Size,
    Slice,
    Subview,
    Transpose,
    TypedMemref,
    TypedScalar,
)
from einsum_front.tl_backend.instructions import IntegerConstant as Integer
from einsum_front.tl_backend.program import Argument, Function
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType

MATRIX = MemrefType.packed(ScalarType.F64, (4, 3))
BATCH = MemrefType.packed(ScalarType.F64, (4, 3, None))
WHOLE = Slice(Integer(0), None)


def copy(source: str, beta: float, target: str) -> Axpby:
    return Axpby(
        (Transpose.N,),
        False,
        TypedScalar(FloatConstant(1.0), ScalarType.F64),
        (TypedMemref(Local(source), MATRIX),),
        TypedScalar(FloatConstant(beta), ScalarType.F64),
        TypedMemref(Local(target), MATRIX),
    )


def function(*body: Instruction) -> Function:
    arguments = (
        Argument(Local("alpha"), ScalarType.F64),
        Argument(Local("A"), GroupType(MATRIX)),
        Argument(Local("B"), BATCH),
        Argument(Local("C"), MATRIX),
    )
    views = (
        GroupId(Local("g")),
        Load(Local("a"), Local("A"), (Local("g"),), GroupType(MATRIX)),
        Subview(Local("b"), Local("B"), (WHOLE, WHOLE, Position(Local("g"))), BATCH),
        Alloca(Local("t"), MATRIX),
    )
    return Function("f", arguments, (*views, *body))


def test_views_lead_to_their_argument_or_alloca() -> None:
    assert buffers(function()) == {"A": "A", "B": "B", "C": "C", "a": "A", "b": "B", "t": "t"}


def test_an_argument_that_is_only_looked_at_is_not_accessed() -> None:
    looked_at = function(Size(Local("n"), Local("B"), 2, BATCH))
    assert argument_access(looked_at) == dict.fromkeys("ABC", Effects(is_read=False, is_written=False))


def test_a_target_is_read_only_if_beta_may_differ_from_zero() -> None:
    overwritten = argument_access(function(copy("a", 0.0, "t"), copy("t", 0.0, "b")))
    assert overwritten["A"] == Effects(is_read=True, is_written=False)
    assert overwritten["B"] == Effects(is_read=False, is_written=True)
    updated = argument_access(function(copy("a", 1.0, "b")))
    assert updated["B"] == Effects(is_read=True, is_written=True)
