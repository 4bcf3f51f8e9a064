"""Trees that schedules must not make: the verifier finds broken restrictions, the interpreter what they do wrong."""

from dataclasses import replace

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError, CompilerBug
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.core.machines import MATRICES
from einsum_front.core.storage import ElementType
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.interpret import launch
from einsum_front.tl_backend.kernel.memory import Memory
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.kernel.verify import check, verify

LOCAL, GLOBAL, PRIVATE = AddressSpace.LOCAL, AddressSpace.GLOBAL, AddressSpace.PRIVATE
A, B, N, X, COUNTER = tree.Name("A"), tree.Name("B"), tree.Name("n"), tree.Name("x"), tree.Name("i")
ITEM, GROUP = tree.ItemId(0), tree.GroupId()
ZERO, ONE, TWO = tree.Integer(0), tree.Integer(1), tree.Integer(2)
HALF = tree.Floating(0.5, Scalar.F64)
F64X4 = Vector(Scalar.F64, 4)
READ = Pointer(Scalar.F64, GLOBAL, is_const=True)
WRITE = Pointer(Scalar.F64, GLOBAL)
PARAMETERS = (tree.Parameter(READ, "A"), tree.Parameter(WRITE, "B"), tree.Parameter(Scalar.I64, "n"))
SHARED = tree.DeclareArray(Scalar.F64, "x", 8, LOCAL)
OWN = tree.DeclareArray(Scalar.F64, "x", 4, PRIVATE)
WAIT = tree.Barrier((LOCAL,))


def plus(left: tree.Expression, right: tree.Expression) -> tree.Expression:
    return tree.Binary(tree.BinaryOperator.ADD, left, right)


def less(left: tree.Expression, right: tree.Expression) -> tree.Expression:
    return tree.Binary(tree.BinaryOperator.LESS, left, right)


def file(*statements: tree.Statement, items: int = 4) -> tree.File:
    return tree.File((tree.Function("f", PARAMETERS, statements, (items, 1, 1)),))


def atomic(entry: tree.Subscript | tree.Access, **changes: object) -> tree.AtomicUpdate:
    update = tree.AtomicUpdate(tree.Update.ADD, entry, HALF, None, Scalar.F64, Scalar.F64, GLOBAL)
    return replace(update, **changes)  # type: ignore[arg-type] # the names are those of the fields


RIGHT = (
    SHARED,
    tree.Declare(F64X4, "v"),
    tree.Assign(tree.Name("v"), ONE_FOR_ALL := tree.Floating(1.0, Scalar.F64)),
    tree.For(
        Scalar.I32,
        "i",
        ITEM,
        tree.Integer(8),
        tree.Integer(4),
        (tree.Assign(tree.Subscript(X, COUNTER), tree.Subscript(A, COUNTER)),),
    ),
    WAIT,
    tree.If(less(ITEM, ONE), (tree.Assign(tree.Access(Pointer(F64X4, GLOBAL), B), tree.Name("v")),)),
    tree.Barrier((LOCAL, GLOBAL)),
    atomic(tree.Subscript(B, ZERO)),
    tree.Prefetch(A, tree.Integer(64)),
    tree.Assign(tree.Access(Pointer(F64X4, GLOBAL), B), tree.Name("v"), is_streamed=True),
    tree.Fence(),
)


def test_what_breaks_no_restriction() -> None:
    check(file(*RIGHT))
    assert verify(file(*RIGHT)) == ()


AS_IT_IS_READ = (
    WAIT,
    tree.Declare(Scalar.F64, "y", tree.Subscript(X, ZERO)),
    tree.If(less(tree.Name("y"), ONE_FOR_ALL), (WAIT,)),
)
WRITTEN = tree.Assign(tree.Subscript(X, ITEM), tree.Cast(Scalar.F64, ITEM))


def test_all_work_items_read_the_same_in_shared_memory() -> None:
    assert verify(file(SHARED, WRITTEN, *AS_IT_IS_READ)) == ()
    pointer = tree.Declare(Pointer(Scalar.F64, LOCAL), "p", plus(X, ONE))
    through = tree.Assign(tree.Subscript(tree.Name("p"), ZERO), tree.Cast(Scalar.F64, ITEM))
    assert verify(file(SHARED, pointer, through, *AS_IT_IS_READ)) == ()


BROKEN: dict[str, tuple[str, tuple[tree.Statement, ...]]] = {
    "unknown_name": ("E0701", (tree.Declare(Scalar.I64, "m", tree.Name("k")),)),
    "declared_twice": ("E0701", (tree.Declare(Scalar.I64, "m"), tree.Block((tree.Declare(Scalar.I64, "m"),)))),
    "behind_its_scope": (
        "E0701",
        (tree.Block((tree.Declare(Scalar.I64, "m", ONE),)), tree.Declare(Scalar.I64, "k", tree.Name("m"))),
    ),
    "number_and_integer": ("E0702", (tree.Declare(Scalar.F64, "y", plus(HALF, ONE)),)),
    "shift_of_a_number": (
        "E0702",
        (tree.Declare(Scalar.F64, "y", tree.Binary(tree.BinaryOperator.SHIFT_LEFT, HALF, HALF)),),
    ),
    "complement_of_a_number": (
        "E0702",
        (tree.Declare(Scalar.F64, "y", tree.Unary(tree.UnaryOperator.COMPLEMENT, HALF)),),
    ),
    "vector_of_another_width": (
        "E0702",
        (tree.Declare(Vector(Scalar.F32, 2), "v", tree.Cast(Vector(Scalar.F32, 2), tree.Pack(F64X4, (HALF,)))),),
    ),
    "narrow_vector_of_f64": (
        "E0702",
        (tree.Declare(Vector(Scalar.F16, 4), "v", tree.Cast(Vector(Scalar.F16, 4), tree.Pack(F64X4, (HALF,)))),),
    ),
    "vector_of_integers": (
        "E0702",
        (tree.Declare(Vector(Scalar.I64, 4), "v", tree.Cast(Vector(Scalar.I64, 4), tree.Pack(F64X4, (HALF,)))),),
    ),
    "entry_of_a_number": ("E0702", (tree.Declare(Scalar.F64, "y", tree.Subscript(N, ONE)),)),
    "index_that_is_a_number": ("E0702", (tree.Declare(Scalar.F64, "y", tree.Subscript(A, HALF)),)),
    "condition_that_is_no_truth_value": ("E0702", (tree.If(N, ()),)),
    "remainder_of_integers": (
        "E0702",
        (tree.Declare(Scalar.I64, "y", tree.Math(tree.MathFunction.REMAINDER, (N, N))),),
    ),
    "counting_with_numbers": ("E0702", (tree.For(Scalar.F64, "i", ZERO, ONE, ONE, ()),)),
    "beta_of_an_addition": ("E0702", (atomic(tree.Subscript(B, ZERO), beta=HALF),)),
    "integer_for_a_number": ("E0703", (tree.Declare(Scalar.F64, "y", N),)),
    "vector_for_a_scalar": ("E0703", (tree.Declare(Scalar.F64, "y", tree.Pack(F64X4, (HALF,))),)),
    "pointer_to_write_for_one_to_read": ("E0703", (tree.Declare(WRITE, "p", A),)),
    "narrow_entry": ("E0703", (atomic(tree.Subscript(B, ZERO), memory=Scalar.F32),)),
    "write_to_constants": ("E0704", (tree.Assign(tree.Subscript(A, ZERO), HALF),)),
    "constants_made_writable": ("E0704", (tree.Declare(WRITE, "p", tree.Cast(WRITE, A)),)),
    "write_to_a_counter": ("E0704", (tree.For(Scalar.I32, "i", ZERO, TWO, ONE, (tree.Assign(COUNTER, ONE),)),)),
    "streamed_number": ("E0707", (tree.Assign(tree.Subscript(B, ZERO), HALF, is_streamed=True),)),
    "width_of_three": ("E0705", (tree.Declare(Vector(Scalar.F64, 3), "v"),)),
    "three_parts_of_four": ("E0705", (tree.Declare(F64X4, "v", tree.Pack(F64X4, (HALF, HALF, HALF))),)),
    "fifth_of_four_entries": ("E0705", (tree.Declare(Scalar.F64, "y", tree.Lanes(tree.Pack(F64X4, (HALF,)), (4,))),)),
    "ninth_of_eight_entries": (
        "E0705",
        (
            tree.Declare(
                F64X4, "v", tree.Shuffle(F64X4, tree.Pack(F64X4, (HALF,)), tree.Pack(F64X4, (HALF,)), (0, 1, 2, 8))
            ),
        ),
    ),
    "large_constant": ("E0706", (tree.Declare(Scalar.I64, "m", tree.Integer(2**31)),)),
    "rounded_constant": ("E0706", (tree.Declare(Scalar.F32, "y", tree.Floating(0.1, Scalar.F32)),)),
    "truth_of_two": ("E0706", (tree.If(tree.Integer(2, Scalar.BOOL), ()),)),
    "constant_of_eight_bits": ("E0706", (tree.Declare(Scalar.I64, "m", tree.Integer(1, Scalar.I8)),)),
    "other_space": (
        "E0707",
        (tree.Declare(Pointer(Scalar.F64, LOCAL), "p", tree.Cast(Pointer(Scalar.F64, LOCAL), B)),),
    ),
    "local_array_in_a_scope": ("E0707", (tree.Block((SHARED,)),)),
    "global_array": ("E0707", (tree.DeclareArray(Scalar.F64, "x", 4, GLOBAL),)),
    "barrier_for_private_memory": ("E0707", (tree.Barrier((PRIVATE,)),)),
    "atomic_in_private_memory": ("E0707", (OWN, atomic(tree.Subscript(X, ZERO), space=PRIVATE))),
    "unknown_function": ("E0708", (tree.Call("g", ()),)),
    "barrier_for_some": ("E0709", (tree.If(less(ITEM, TWO), (WAIT,)),)),
    "barrier_in_a_loop_of_some": ("E0709", (tree.For(Scalar.I32, "i", ITEM, TWO, ONE, (WAIT,)),)),
    "barrier_behind_a_private_array": ("E0709", (OWN, WRITTEN, *AS_IT_IS_READ)),
    "barrier_behind_an_address": (
        "E0709",
        (SHARED, WAIT, tree.If(less(tree.Subscript(X, ITEM), ONE_FOR_ALL), (WAIT,))),
    ),
    "barrier_behind_a_variable": (
        "E0709",
        (
            tree.Declare(Scalar.I64, "m", ITEM),
            tree.DoWhile((tree.Declare(Scalar.I64, "k", tree.Name("m")), WAIT), less(tree.Name("m"), TWO)),
        ),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_restrictions(name: str) -> None:
    code, statements = BROKEN[name]
    found = verify(file(tree.Section(("what it was",), statements)))
    assert [each.code for each in found] == [code]
    assert "in `f`" in found[0].message
    with pytest.raises(CompilerBug, match=code):
        check(file(*statements))


NUMBERS = tuple(tree.Subscript(X, tree.Integer(each)) for each in range(4))
BY = MATRICES["sm_90"]
MULTIPLY = tree.MatrixMultiplyAdd(BY, NUMBERS, (HALF, HALF), HALF)
BROKEN_MULTIPLICATIONS: dict[str, tuple[str, int, tuple[tree.Statement, ...]]] = {
    "sums_of_more_rows": ("E0702", 64, (OWN, tree.MatrixMultiplyAdd(BY, NUMBERS, (HALF,), HALF))),
    "three_times_eight_rows": ("E0702", 64, (OWN, tree.MatrixMultiplyAdd(BY, NUMBERS, (HALF, HALF, HALF), HALF))),
    "integers": ("E0702", 64, (OWN, tree.MatrixMultiplyAdd(BY, NUMBERS, (HALF, ONE), HALF))),
    "shared_unevenly": ("E0702", 64, (OWN, replace(MULTIPLY, instruction=replace(BY, columns=4)))),
    "of_another_type": ("E0702", 64, (OWN, replace(MULTIPLY, instruction=replace(BY, element=ElementType.F32)))),
    "constant_sums": (
        "E0704",
        64,
        (tree.MatrixMultiplyAdd(MATRICES["sm_80"], (tree.Subscript(A, ZERO),) * 2, (HALF,), HALF),),
    ),
    "half_a_sub_group": ("E0709", 48, (OWN, MULTIPLY)),
    "for_some": ("E0709", 64, (OWN, tree.If(less(ITEM, tree.Integer(32)), (MULTIPLY,)))),
}


@pytest.mark.parametrize("name", BROKEN_MULTIPLICATIONS)
def test_broken_restrictions_of_matrices(name: str) -> None:
    code, items, statements = BROKEN_MULTIPLICATIONS[name]
    assert [each.code for each in verify(file(*statements, items=items))] == [code]
    assert verify(file(OWN, MULTIPLY, items=64)) == ()


def test_broken_restrictions_of_files() -> None:
    helper = tree.Function("g", (), (tree.Declare(Scalar.I64, "m", GROUP),))
    kernel = tree.Function("f", (), (tree.Call("g", (ONE,)),), (1, 1, 1))
    assert [each.code for each in verify(tree.File((helper, kernel)))] == ["E0709", "E0708"]
    assert [each.code for each in verify(tree.File((helper,)))] == ["E0708", "E0709"]
    table = tree.Table(Scalar.F32, "t", (0.1,))
    assert [each.code for each in verify(tree.File((replace(kernel, body=()),), tables=(table,)))] == ["E0706"]


def test_every_restriction_has_a_tree_that_breaks_it() -> None:
    assert {code for code, _ in BROKEN.values()} == {code for code in TITLES if "E0701" <= code <= "E0709"}


# -- the interpreter ---------------------------------------------------------------------------------------------------


def run(*statements: tree.Statement, items: int = 4, groups: int = 2) -> np.ndarray:
    memory, result = Memory(), np.full(8, -1.0)
    a, b = memory.place("A", np.arange(8.0)), memory.place("B", result)
    launch(file(*statements, items=items), "f", (a, b, 8), groups, memory)
    memory.fetch(b, result)
    return result


def message_of(*statements: tree.Statement, items: int = 4, groups: int = 2) -> tuple[str, str]:
    with pytest.raises(CompileError) as caught:
        run(*statements, items=items, groups=groups)
    (found,) = caught.value.diagnostics
    return found.code, found.message


PLACE = plus(tree.Binary(tree.BinaryOperator.MULTIPLY, GROUP, tree.Integer(4)), ITEM)
TO_LOCAL = tree.Assign(tree.Subscript(X, ITEM), tree.Subscript(A, PLACE))
FROM_LOCAL = tree.Assign(
    tree.Subscript(B, PLACE), tree.Subscript(X, tree.Binary(tree.BinaryOperator.SUBTRACT, tree.Integer(3), ITEM))
)


def test_sub_groups_multiply_matrices() -> None:
    """Of two sub-groups, with entries that say where they are; the second is all zeros but for the sums."""
    lane = tree.Binary(tree.BinaryOperator.REMAINDER, ITEM, tree.Integer(32))
    first = tree.Cast(Scalar.F64, less(ITEM, tree.Integer(32)))
    number = tree.Binary(tree.BinaryOperator.MULTIPLY, first, tree.Cast(Scalar.F64, lane))
    rows = (plus(number, HALF), number)
    start = tree.Cast(Scalar.F64, ITEM)
    places = [plus(tree.Binary(tree.BinaryOperator.MULTIPLY, tree.Integer(4), ITEM), tree.Integer(n)) for n in range(4)]
    statements: tuple[tree.Statement, ...] = (
        OWN,
        *(tree.Assign(each, start) for each in NUMBERS),
        tree.MatrixMultiplyAdd(BY, NUMBERS, rows, number),
        *(tree.Assign(tree.Subscript(B, place), each) for place, each in zip(places, NUMBERS, strict=True)),
    )
    memory, result = Memory(), np.zeros(4 * 64)
    check(file(*statements, items=64))
    a, b = memory.place("A", np.arange(8.0)), memory.place("B", result)
    launch(file(*statements, items=64), "f", (a, b, 8), 1, memory)
    memory.fetch(b, result)
    entries = np.arange(32.0).reshape(8, 4)
    upper, lower = (entries + 0.5) @ entries.T, entries @ entries.T
    for item in range(32):
        row, column = item // 4, 2 * (item % 4)
        expected = [upper[row, column], upper[row, column + 1], lower[row, column], lower[row, column + 1]]
        assert result[4 * item : 4 * item + 4].tolist() == [item + each for each in expected]
    second = [0.5 * 0.0 + item for item in range(32, 64) for _ in range(4)]
    assert result[128:].tolist() == second


def test_a_reversal_through_local_memory() -> None:
    back = tree.Binary(tree.BinaryOperator.SUBTRACT, tree.Integer(3), ITEM)
    result = run(
        SHARED,
        tree.Assign(tree.Subscript(X, ITEM), tree.Subscript(A, PLACE)),
        WAIT,
        tree.Assign(tree.Subscript(B, PLACE), tree.Subscript(X, back)),
    )
    assert result.tolist() == [3, 2, 1, 0, 7, 6, 5, 4]


def test_a_race_between_work_items() -> None:
    back = tree.Binary(tree.BinaryOperator.SUBTRACT, tree.Integer(3), ITEM)
    statements = (
        SHARED,
        tree.Assign(tree.Subscript(X, ITEM), tree.Subscript(A, PLACE)),
        tree.Assign(tree.Subscript(B, PLACE), tree.Subscript(X, back)),
    )
    assert message_of(*statements) == (
        "E0713",
        "work-item 0 of work-group 0 reads element 3 of `x` (8 elements of float64), which another work-item of the "
        "group touches at the same time",
    )


def test_a_race_of_writes() -> None:
    code, message = message_of(tree.Section(("%t = store",), (tree.Assign(tree.Subscript(B, ZERO), HALF),)))
    assert code == "E0713"
    assert message.startswith("work-item 0 of work-group 0 writes element 0 of `B`")
    assert message.endswith(" at `%t = store`")


def test_a_race_between_work_groups() -> None:
    code, message = message_of(tree.Assign(tree.Subscript(B, ZERO), HALF), items=1)
    assert (code, "work-item 0 of work-group 1 writes element 0 of `B`" in message) == ("E0714", True)
    assert run(tree.Assign(tree.Subscript(B, ZERO), HALF), items=1, groups=1)[0] == 0.5


def in_group(number: int, statement: tree.Statement) -> tree.If:
    return tree.If(tree.Binary(tree.BinaryOperator.EQUAL, GROUP, tree.Integer(number)), (statement,))


LOOKS, WRITES, ADDS = (
    tree.Declare(Scalar.F64, "y", tree.Subscript(B, ONE)),
    tree.Assign(tree.Subscript(B, ONE), HALF),
    atomic(tree.Subscript(B, ONE)),
)


@pytest.mark.parametrize("items", [1, 4])
@pytest.mark.parametrize(
    ("steps", "last"),
    [
        ((LOOKS, WRITES), (1, "writes")),
        ((WRITES, LOOKS), (1, "reads")),
        ((LOOKS, LOOKS, WRITES), (2, "writes")),
        ((ADDS, LOOKS), (1, "reads")),
        ((LOOKS, ADDS), (1, "updates")),
        ((ADDS, ADDS, WRITES), (2, "writes")),
    ],
)
def test_every_order_of_accesses_of_work_groups(
    steps: tuple[tree.Statement, ...], last: tuple[int, str], items: int
) -> None:
    """Only the first work-item of a group touches the element: where it is the only one, races are found as well."""
    first = less(ITEM, ONE)
    found = message_of(*(in_group(n, tree.If(first, (each,))) for n, each in enumerate(steps)), items=items, groups=4)
    number, verb = last
    assert found == (
        "E0714",
        f"work-item 0 of work-group {number} {verb} element 1 of `B` (8 elements of float64), which another "
        "work-group touches at the same time",
    )


@pytest.mark.parametrize("items", [1, 4])
def test_reads_and_updates_of_several_work_groups_are_no_race(items: int) -> None:
    assert run(LOOKS, items=items, groups=3)[1] == -1
    assert run(in_group(1, tree.If(less(ITEM, ONE), (WRITES, LOOKS, WRITES))), items=items, groups=3)[1] == 0.5
    assert run(tree.If(less(ITEM, ONE), (ADDS, ADDS)), items=items, groups=3)[1] == -1 + 6 * 0.5


def test_a_barrier_for_other_memory_does_not_help() -> None:
    statements = (
        tree.Assign(tree.Subscript(B, ITEM), HALF),
        WAIT,
        tree.Declare(Scalar.F64, "y", tree.Subscript(B, ZERO)),
    )
    assert message_of(*statements, groups=1)[0] == "E0713"
    run(statements[0], tree.Barrier((GLOBAL,)), statements[2], groups=1)


def test_atomic_updates_do_not_race() -> None:
    assert run(atomic(tree.Subscript(B, ZERO)))[0] == -1 + 8 * 0.5
    scaled = atomic(tree.Subscript(B, ONE), update=tree.Update.SCALE_ADD, beta=tree.Floating(0.0, Scalar.F64))
    assert run(scaled)[1] == 0.5
    assert (
        message_of(atomic(tree.Subscript(B, ZERO)), tree.Declare(Scalar.F64, "y", tree.Subscript(B, ZERO)))[0]
        == "E0713"
    )


@pytest.mark.parametrize(
    ("index", "element"), [(tree.Integer(8), 8), (tree.Integer(-1), -1), (plus(ITEM, tree.Integer(5)), 8)]
)
def test_an_access_out_of_bounds(index: tree.Expression, element: int) -> None:
    code, message = message_of(tree.Declare(Scalar.F64, "y", tree.Subscript(A, index)))
    assert code == "E0711"
    assert f"touches element {element} of `A` (8 elements of float64), which is outside" in message


def test_a_vector_out_of_bounds() -> None:
    entries = Pointer(Vector(Scalar.F64, 4, is_unaligned=True), GLOBAL, is_const=True)
    run(tree.Declare(F64X4, "v", tree.Access(entries, plus(A, tree.Integer(4)))))
    assert message_of(tree.Declare(F64X4, "v", tree.Access(entries, plus(A, tree.Integer(5)))))[0] == "E0711"


@pytest.mark.parametrize("array", [replace(OWN, count=8), SHARED], ids=["private", "local"])
def test_a_read_of_what_nothing_wrote(array: tree.Statement) -> None:
    read = tree.Declare(Scalar.F64, "y", tree.Subscript(X, plus(ITEM, ONE)))
    code, message = message_of(array, tree.Assign(tree.Subscript(X, ITEM), HALF), WAIT, read)
    assert code == "E0712"
    assert "which nothing has written" in message


def test_a_read_of_a_variable_without_a_value() -> None:
    half = tree.If(less(ITEM, TWO), (tree.Assign(tree.Name("y"), HALF),))
    read = tree.Declare(Scalar.F64, "z", tree.Name("y"))
    assert message_of(tree.Declare(Scalar.F64, "y"), half, read) == ("E0712", "`y` is read, which nothing has written")
    run(tree.Declare(Scalar.F64, "y"), half, tree.If(less(ITEM, TWO), (read,)))


def test_work_items_go_their_own_ways() -> None:
    count = tree.For(
        Scalar.I32, "i", ZERO, ITEM, ONE, (tree.Assign(tree.Name("y"), ONE_FOR_ALL, tree.BinaryOperator.ADD),)
    )
    chosen = tree.Conditional(less(ITEM, TWO), tree.Name("y"), tree.Subscript(A, ITEM))
    result = run(
        tree.Declare(Scalar.F64, "y", tree.Floating(0.0, Scalar.F64)),
        count,
        tree.Assign(tree.Subscript(B, PLACE), chosen),
    )
    assert result.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]


def test_undefined_arithmetic() -> None:
    assert message_of(tree.Declare(Scalar.I64, "m", tree.Binary(tree.BinaryOperator.DIVIDE, N, ITEM)))[0] == "E0715"


def test_a_barrier_that_only_some_come_to() -> None:
    """What memory holds decides: the verifier cannot know."""
    statements = tree.If(less(tree.Subscript(A, ITEM), HALF), (WAIT,)), tree.Assign(tree.Subscript(B, PLACE), HALF)
    assert message_of(*statements)[0] == "E0716"


def test_arguments_that_do_not_fit() -> None:
    with pytest.raises(CompileError, match="E0710"):
        launch(file(), "f", (), 1, Memory())
