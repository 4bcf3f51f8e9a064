"""Which arguments a function reads and writes."""

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import buffers
from einsum_front.tl_backend.analysis.effects import Effects, argument_access
from einsum_front.tl_backend.program import Argument, Function
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType

MATRIX = MemrefType.packed(ScalarType.F64, (4, 3))
BATCH = MemrefType.packed(ScalarType.F64, (4, 3, None))
WHOLE = tl.Slice(tl.IntegerConstant(0), None)


def copy(source: str, beta: float, target: str) -> tl.Axpby:
    return tl.Axpby(
        (tl.Transpose.N,),
        False,
        tl.TypedScalar(tl.FloatConstant(1.0), ScalarType.F64),
        (tl.TypedMemref(tl.Local(source), MATRIX),),
        tl.TypedScalar(tl.FloatConstant(beta), ScalarType.F64),
        tl.TypedMemref(tl.Local(target), MATRIX),
    )


def function(*body: tl.Instruction) -> Function:
    arguments = (
        Argument(tl.Local("alpha"), ScalarType.F64),
        Argument(tl.Local("A"), GroupType(MATRIX)),
        Argument(tl.Local("B"), BATCH),
        Argument(tl.Local("C"), MATRIX),
    )
    views = (
        tl.GroupId(tl.Local("g")),
        tl.Load(tl.Local("a"), tl.Local("A"), (tl.Local("g"),), GroupType(MATRIX)),
        tl.Subview(tl.Local("b"), tl.Local("B"), (WHOLE, WHOLE, tl.Position(tl.Local("g"))), BATCH),
        tl.Alloca(tl.Local("t"), MATRIX),
    )
    return Function("f", arguments, (*views, *body))


def test_views_lead_to_their_argument_or_alloca() -> None:
    assert buffers(function()) == {"A": "A", "B": "B", "C": "C", "a": "A", "b": "B", "t": "t"}


def test_an_argument_that_is_only_looked_at_is_not_accessed() -> None:
    looked_at = function(tl.Size(tl.Local("n"), tl.Local("B"), 2, BATCH))
    assert argument_access(looked_at) == dict.fromkeys("ABC", Effects(is_read=False, is_written=False))


def test_a_target_is_read_only_if_beta_may_differ_from_zero() -> None:
    overwritten = argument_access(function(copy("a", 0.0, "t"), copy("t", 0.0, "b")))
    assert overwritten["A"] == Effects(is_read=True, is_written=False)
    assert overwritten["B"] == Effects(is_read=False, is_written=True)
    updated = argument_access(function(copy("a", 1.0, "b")))
    assert updated["B"] == Effects(is_read=True, is_written=True)
