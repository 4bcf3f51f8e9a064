"""Trees that schedules must not make: the verifier finds broken restrictions, the interpreter what they do wrong."""

from dataclasses import replace

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError, CompilerBug
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.tl_backend.kernel.interpret import launch
from einsum_front.tl_backend.kernel.memory import Memory
from einsum_front.tl_backend.kernel.tree import (
    Access,
    Assign,
    AtomicUpdate,
    Barrier,
    Binary,
    BinaryOperator,
    Block,
    Call,
    Cast,
    Conditional,
    Declare,
    DeclareArray,
    DoWhile,
    Expression,
    File,
    Floating,
    For,
    Function,
    GroupId,
    If,
    Integer,
    ItemId,
    Lanes,
    Math,
    MathFunction,
    Name,
    Pack,
    Parameter,
    Prefetch,
    Section,
    Shuffle,
    Statement,
    Subscript,
    Table,
    Unary,
    UnaryOperator,
    Update,
)
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.kernel.verify import check, verify

LOCAL, GLOBAL, PRIVATE = AddressSpace.LOCAL, AddressSpace.GLOBAL, AddressSpace.PRIVATE
A, B, N, X, COUNTER = Name("A"), Name("B"), Name("n"), Name("x"), Name("i")
ITEM, GROUP = ItemId(0), GroupId()
ZERO, ONE, TWO = Integer(0), Integer(1), Integer(2)
HALF = Floating(0.5, Scalar.F64)
F64X4 = Vector(Scalar.F64, 4)
READ = Pointer(Scalar.F64, GLOBAL, is_const=True)
WRITE = Pointer(Scalar.F64, GLOBAL)
PARAMETERS = (Parameter(READ, "A"), Parameter(WRITE, "B"), Parameter(Scalar.I64, "n"))
SHARED = DeclareArray(Scalar.F64, "x", 8, LOCAL)
OWN = DeclareArray(Scalar.F64, "x", 4, PRIVATE)
WAIT = Barrier((LOCAL,))


def plus(left: Expression, right: Expression) -> Expression:
    return Binary(BinaryOperator.ADD, left, right)


def less(left: Expression, right: Expression) -> Expression:
    return Binary(BinaryOperator.LESS, left, right)


def file(*statements: Statement, items: int = 4) -> File:
    return File((Function("f", PARAMETERS, statements, (items, 1, 1)),))


def atomic(entry: Subscript | Access, **changes: object) -> AtomicUpdate:
    update = AtomicUpdate(Update.ADD, entry, HALF, None, Scalar.F64, Scalar.F64, GLOBAL)
    return replace(update, **changes)  # type: ignore[arg-type] # the names are those of the fields


RIGHT = (
    SHARED,
    Declare(F64X4, "v"),
    Assign(Name("v"), ONE_FOR_ALL := Floating(1.0, Scalar.F64)),
    For(Scalar.I32, "i", ITEM, Integer(8), Integer(4), (Assign(Subscript(X, COUNTER), Subscript(A, COUNTER)),)),
    WAIT,
    If(less(ITEM, ONE), (Assign(Access(Pointer(F64X4, GLOBAL), B), Name("v")),)),
    Barrier((LOCAL, GLOBAL)),
    atomic(Subscript(B, ZERO)),
    Prefetch(A, Integer(64)),
)


def test_what_breaks_no_restriction() -> None:
    check(file(*RIGHT))
    assert verify(file(*RIGHT)) == ()


BROKEN: dict[str, tuple[str, tuple[Statement, ...]]] = {
    "unknown_name": ("E0701", (Declare(Scalar.I64, "m", Name("k")),)),
    "declared_twice": ("E0701", (Declare(Scalar.I64, "m"), Block((Declare(Scalar.I64, "m"),)))),
    "behind_its_scope": ("E0701", (Block((Declare(Scalar.I64, "m", ONE),)), Declare(Scalar.I64, "k", Name("m")))),
    "number_and_integer": ("E0702", (Declare(Scalar.F64, "y", plus(HALF, ONE)),)),
    "shift_of_a_number": ("E0702", (Declare(Scalar.F64, "y", Binary(BinaryOperator.SHIFT_LEFT, HALF, HALF)),)),
    "complement_of_a_number": ("E0702", (Declare(Scalar.F64, "y", Unary(UnaryOperator.COMPLEMENT, HALF)),)),
    "entry_of_a_number": ("E0702", (Declare(Scalar.F64, "y", Subscript(N, ONE)),)),
    "index_that_is_a_number": ("E0702", (Declare(Scalar.F64, "y", Subscript(A, HALF)),)),
    "condition_that_is_no_truth_value": ("E0702", (If(N, ()),)),
    "remainder_of_integers": ("E0702", (Declare(Scalar.I64, "y", Math(MathFunction.REMAINDER, (N, N))),)),
    "counting_with_numbers": ("E0702", (For(Scalar.F64, "i", ZERO, ONE, ONE, ()),)),
    "beta_of_an_addition": ("E0702", (atomic(Subscript(B, ZERO), beta=HALF),)),
    "integer_for_a_number": ("E0703", (Declare(Scalar.F64, "y", N),)),
    "vector_for_a_scalar": ("E0703", (Declare(Scalar.F64, "y", Pack(F64X4, (HALF,))),)),
    "pointer_to_write_for_one_to_read": ("E0703", (Declare(WRITE, "p", A),)),
    "narrow_entry": ("E0703", (atomic(Subscript(B, ZERO), memory=Scalar.F32),)),
    "write_to_constants": ("E0704", (Assign(Subscript(A, ZERO), HALF),)),
    "constants_made_writable": ("E0704", (Declare(WRITE, "p", Cast(WRITE, A)),)),
    "write_to_a_counter": ("E0704", (For(Scalar.I32, "i", ZERO, TWO, ONE, (Assign(COUNTER, ONE),)),)),
    "width_of_three": ("E0705", (Declare(Vector(Scalar.F64, 3), "v"),)),
    "three_parts_of_four": ("E0705", (Declare(F64X4, "v", Pack(F64X4, (HALF, HALF, HALF))),)),
    "fifth_of_four_entries": ("E0705", (Declare(Scalar.F64, "y", Lanes(Pack(F64X4, (HALF,)), (4,))),)),
    "ninth_of_eight_entries": (
        "E0705",
        (Declare(F64X4, "v", Shuffle(F64X4, Pack(F64X4, (HALF,)), Pack(F64X4, (HALF,)), (0, 1, 2, 8))),),
    ),
    "large_constant": ("E0706", (Declare(Scalar.I64, "m", Integer(2**31)),)),
    "rounded_constant": ("E0706", (Declare(Scalar.F32, "y", Floating(0.1, Scalar.F32)),)),
    "truth_of_two": ("E0706", (If(Integer(2, Scalar.BOOL), ()),)),
    "constant_of_eight_bits": ("E0706", (Declare(Scalar.I64, "m", Integer(1, Scalar.I8)),)),
    "other_space": ("E0707", (Declare(Pointer(Scalar.F64, LOCAL), "p", Cast(Pointer(Scalar.F64, LOCAL), B)),)),
    "local_array_in_a_scope": ("E0707", (Block((SHARED,)),)),
    "global_array": ("E0707", (DeclareArray(Scalar.F64, "x", 4, GLOBAL),)),
    "barrier_for_private_memory": ("E0707", (Barrier((PRIVATE,)),)),
    "atomic_in_private_memory": ("E0707", (OWN, atomic(Subscript(X, ZERO), space=PRIVATE))),
    "unknown_function": ("E0708", (Call("g", ()),)),
    "barrier_for_some": ("E0709", (If(less(ITEM, TWO), (WAIT,)),)),
    "barrier_in_a_loop_of_some": ("E0709", (For(Scalar.I32, "i", ITEM, TWO, ONE, (WAIT,)),)),
    "barrier_behind_a_variable": (
        "E0709",
        (Declare(Scalar.I64, "m", ITEM), DoWhile((Declare(Scalar.I64, "k", Name("m")), WAIT), less(Name("m"), TWO))),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_restrictions(name: str) -> None:
    code, statements = BROKEN[name]
    found = verify(file(Section(("what it was",), statements)))
    assert [each.code for each in found] == [code]
    assert "in `f`" in found[0].message
    with pytest.raises(CompilerBug, match=code):
        check(file(*statements))


def test_broken_restrictions_of_files() -> None:
    helper = Function("g", (), (Declare(Scalar.I64, "m", GROUP),))
    kernel = Function("f", (), (Call("g", (ONE,)),), (1, 1, 1))
    assert [each.code for each in verify(File((helper, kernel)))] == ["E0709", "E0708"]
    assert [each.code for each in verify(File((helper,)))] == ["E0708", "E0709"]
    table = Table(Scalar.F32, "t", (0.1,))
    assert [each.code for each in verify(File((replace(kernel, body=()),), tables=(table,)))] == ["E0706"]


def test_every_restriction_has_a_tree_that_breaks_it() -> None:
    assert {code for code, _ in BROKEN.values()} == {code for code in TITLES if "E0701" <= code <= "E0709"}


# -- the interpreter ---------------------------------------------------------------------------------------------------


def run(*statements: Statement, items: int = 4, groups: int = 2) -> np.ndarray:
    memory, result = Memory(), np.full(8, -1.0)
    a, b = memory.place("A", np.arange(8.0)), memory.place("B", result)
    launch(file(*statements, items=items), "f", (a, b, 8), groups, memory)
    memory.fetch(b, result)
    return result


def message_of(*statements: Statement, items: int = 4, groups: int = 2) -> tuple[str, str]:
    with pytest.raises(CompileError) as caught:
        run(*statements, items=items, groups=groups)
    (found,) = caught.value.diagnostics
    return found.code, found.message


PLACE = plus(Binary(BinaryOperator.MULTIPLY, GROUP, Integer(4)), ITEM)
TO_LOCAL = Assign(Subscript(X, ITEM), Subscript(A, PLACE))
FROM_LOCAL = Assign(Subscript(B, PLACE), Subscript(X, Binary(BinaryOperator.SUBTRACT, Integer(3), ITEM)))


def test_a_reversal_through_local_memory() -> None:
    back = Binary(BinaryOperator.SUBTRACT, Integer(3), ITEM)
    result = run(
        SHARED, Assign(Subscript(X, ITEM), Subscript(A, PLACE)), WAIT, Assign(Subscript(B, PLACE), Subscript(X, back))
    )
    assert result.tolist() == [3, 2, 1, 0, 7, 6, 5, 4]


def test_a_race_between_work_items() -> None:
    back = Binary(BinaryOperator.SUBTRACT, Integer(3), ITEM)
    statements = (
        SHARED,
        Assign(Subscript(X, ITEM), Subscript(A, PLACE)),
        Assign(Subscript(B, PLACE), Subscript(X, back)),
    )
    assert message_of(*statements) == (
        "E0713",
        "work-item 0 of work-group 0 reads element 3 of `x` (8 elements of float64), which another work-item of the "
        "group touches at the same time",
    )


def test_a_race_of_writes() -> None:
    code, message = message_of(Section(("%t = store",), (Assign(Subscript(B, ZERO), HALF),)))
    assert code == "E0713"
    assert message.startswith("work-item 0 of work-group 0 writes element 0 of `B`")
    assert message.endswith(" at `%t = store`")


def test_a_race_between_work_groups() -> None:
    code, message = message_of(Assign(Subscript(B, ZERO), HALF), items=1)
    assert (code, "work-item 0 of work-group 1 writes element 0 of `B`" in message) == ("E0714", True)
    assert run(Assign(Subscript(B, ZERO), HALF), items=1, groups=1)[0] == 0.5


def test_a_barrier_for_other_memory_does_not_help() -> None:
    statements = Assign(Subscript(B, ITEM), HALF), WAIT, Declare(Scalar.F64, "y", Subscript(B, ZERO))
    assert message_of(*statements, groups=1)[0] == "E0713"
    run(statements[0], Barrier((GLOBAL,)), statements[2], groups=1)


def test_atomic_updates_do_not_race() -> None:
    assert run(atomic(Subscript(B, ZERO)))[0] == -1 + 8 * 0.5
    scaled = atomic(Subscript(B, ONE), update=Update.SCALE_ADD, beta=Floating(0.0, Scalar.F64))
    assert run(scaled)[1] == 0.5
    assert message_of(atomic(Subscript(B, ZERO)), Declare(Scalar.F64, "y", Subscript(B, ZERO)))[0] == "E0713"


@pytest.mark.parametrize(("index", "element"), [(Integer(8), 8), (Integer(-1), -1), (plus(ITEM, Integer(5)), 8)])
def test_an_access_out_of_bounds(index: Expression, element: int) -> None:
    code, message = message_of(Declare(Scalar.F64, "y", Subscript(A, index)))
    assert code == "E0711"
    assert f"touches element {element} of `A` (8 elements of float64), which is outside" in message


def test_a_vector_out_of_bounds() -> None:
    entries = Pointer(Vector(Scalar.F64, 4, is_unaligned=True), GLOBAL, is_const=True)
    run(Declare(F64X4, "v", Access(entries, plus(A, Integer(4)))))
    assert message_of(Declare(F64X4, "v", Access(entries, plus(A, Integer(5)))))[0] == "E0711"


@pytest.mark.parametrize("array", [replace(OWN, count=8), SHARED], ids=["private", "local"])
def test_a_read_of_what_nothing_wrote(array: Statement) -> None:
    read = Declare(Scalar.F64, "y", Subscript(X, plus(ITEM, ONE)))
    code, message = message_of(array, Assign(Subscript(X, ITEM), HALF), WAIT, read)
    assert code == "E0712"
    assert "which nothing has written" in message


def test_a_read_of_a_variable_without_a_value() -> None:
    half = If(less(ITEM, TWO), (Assign(Name("y"), HALF),))
    read = Declare(Scalar.F64, "z", Name("y"))
    assert message_of(Declare(Scalar.F64, "y"), half, read) == ("E0712", "`y` is read, which nothing has written")
    run(Declare(Scalar.F64, "y"), half, If(less(ITEM, TWO), (read,)))


def test_work_items_go_their_own_ways() -> None:
    count = For(Scalar.I32, "i", ZERO, ITEM, ONE, (Assign(Name("y"), ONE_FOR_ALL, BinaryOperator.ADD),))
    chosen = Conditional(less(ITEM, TWO), Name("y"), Subscript(A, ITEM))
    result = run(Declare(Scalar.F64, "y", Floating(0.0, Scalar.F64)), count, Assign(Subscript(B, PLACE), chosen))
    assert result.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]


def test_undefined_arithmetic() -> None:
    assert message_of(Declare(Scalar.I64, "m", Binary(BinaryOperator.DIVIDE, N, ITEM)))[0] == "E0715"


def test_a_barrier_that_only_some_come_to() -> None:
    """What memory holds decides: the verifier cannot know."""
    statements = If(less(Subscript(A, ITEM), HALF), (WAIT,)), Assign(Subscript(B, PLACE), HALF)
    assert message_of(*statements)[0] == "E0716"


def test_arguments_that_do_not_fit() -> None:
    with pytest.raises(CompileError, match="E0710"):
        launch(file(), "f", (), 1, Memory())
