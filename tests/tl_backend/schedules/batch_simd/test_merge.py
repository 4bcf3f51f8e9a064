"""Products into one target become one where nothing stands between them."""

import pytest

from einsum_front.tl_backend.schedules.batch_simd.steps import steps_of
from einsum_front.tl_backend.schedules.positions.places import find_places
from einsum_front.tl_backend.schedules.positions.product import ProductSum
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.opencl.harness import compare, function_of, integers

HEAD = """func @f(%K: memref<f64x4x4>, %Q: memref<f64x6x3x?>, %I: memref<f64x4x3x?>) {
  %id = group_id
  %q = subview %Q[:, :, %id] : memref<f64x6x3x?>
  %i = subview %I[:, :, %id] : memref<f64x4x3x?>
  %t = alloca -> memref<f64x4x3>
  %a = subview %q[0:4, :] : memref<f64x6x3>
  %b = subview %q[2:4, :] : memref<f64x6x3>
  %all = fuse %q[0,1] : memref<f64x6x3>
"""
TALL = "memref<f64x4x3,strided<1,6>>"


def times(left: str, right: str, beta: str, target: str, type_: str = TALL) -> str:
    """`target := left right + beta target`."""
    return f"gemm.n.n 1.0, {left}, {right}, {beta}, {target} : f64, memref<f64x4x4>, memref<f64x4x3>, f64, {type_}"


def products(*lines: str) -> list[tuple[int, int, list[tuple[int, int]]]]:
    """Rows, columns, and the rows of every term, for each product that is left."""
    function = function_of(HEAD + "\n".join(lines) + "\n}")
    actions = [step.action for step in steps_of(function.body, find_places(function))]
    return [
        (each.rows, each.columns, [(term.rows.start, term.rows.stop) for term in each.terms])
        for each in actions
        if isinstance(each, ProductSum)
    ]


def test_two_sums_of_the_same_entries() -> None:
    assert products(times("%K", "%i", "1.0", "%a"), times("%K", "%i", "1.0", "%a")) == [(4, 3, [(0, 4), (0, 4)])]


def test_shifted_rows() -> None:
    joined = products(times("%K", "%i", "1.0", "%b"), times("%K", "%i", "1.0", "%a"))
    assert joined == [(6, 3, [(2, 6), (0, 4)])]


def test_an_update_of_all_entries_takes_sums_of_some() -> None:
    scale = "axpby.n 2.0, %all, 0.0, %all2"
    text = "%all2 = fuse %r[0,1] : memref<f64x6x3>\n%r = alloca -> memref<f64x6x3>"
    lines = text.split("\n")[::-1]
    rows = "%ra = subview %r[0:4, :] : memref<f64x6x3>"
    joined = products(
        *lines, f"{scale} : f64, memref<f64x18>, f64, memref<f64x18>", rows, times("%K", "%i", "1.0", "%ra")
    )
    assert joined == [(6, 3, [(0, 6), (0, 4)])]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param((times("%K", "%i", "1.0", "%a"), times("%K", "%i", "0.0", "%a")), id="overwritten"),
        pytest.param((times("%K", "%i", "2.0", "%a"), times("%K", "%i", "1.0", "%b")), id="beta for some entries"),
        pytest.param(
            (
                times("%K", "%i", "1.0", "%a"),
                "%x = load %q[0, 0] : memref<f64x6x3>",
                times("%K", "%i", "1.0", "%a"),
            ),
            id="read between",
        ),
        pytest.param(
            (
                times("%K", "%i", "0.0", "%t", "memref<f64x4x3>"),
                times("%K", "%t", "1.0", "%a"),
                "axpby.n 1.0, %i, 1.0, %t : f64, memref<f64x4x3>, f64, memref<f64x4x3>",
                times("%K", "%i", "1.0", "%a"),
            ),
            id="operand written between",
        ),
        pytest.param(
            (times("%K", "%i", "1.0", "%a"), f"axpby.n 2.0, %a, 1.0, %a : f64, {TALL}, f64, {TALL}"), id="itself"
        ),
    ],
)
def test_what_stays_apart(lines: tuple[str, ...]) -> None:
    assert len(products(*lines)) == sum(line.startswith(("gemm", "axpby")) for line in lines)


VECTOR, OF_ELEMENTS = "memref<f64x6>", "memref<f64x6x?>"


@pytest.mark.parametrize(
    "line",
    [
        f"axpby.n 2.0, %y, 1.0, %y : f64, {VECTOR}, f64, {VECTOR}",
        f"hadamard_product 1.0, %y, %y, 1.0, %y : f64, {VECTOR}, {VECTOR}, f64, {VECTOR}",
    ],
)
def test_what_reads_its_target_sees_all_that_was_added_before(line: str) -> None:
    function = function_of(f"""
;! batched %X
;! batched %Y
func @f(%X: {OF_ELEMENTS}, %Y: {OF_ELEMENTS}) {{
  %g = group_id
  %x = subview %X[:, %g] : {OF_ELEMENTS}
  %y = subview %Y[:, %g] : {OF_ELEMENTS}
  axpby.n 3.0, %x, 1.0, %y : f64, {VECTOR}, f64, {VECTOR}
  {line}
}}""")
    arguments = {"X": integers(ScalarType.F64, 6, 5), "Y": integers(ScalarType.F64, 6, 5, seed=1)}
    compare(function, arguments, 5, tuning=Tuning(ScheduleKind.BATCH_SIMD))
