"""One form of products: views in C, positions in memory and loops over memory mean the same entries."""

from itertools import product as pairs

import pytest

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.products import NoContractionError, Product, Walked, find_products, product_form
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.parameters import View
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.lowering.product import product_of as product_in_c
from einsum_front.tl_backend.schedules.positions.places import find_places
from einsum_front.tl_backend.schedules.positions.product import product_of as product_at_positions
from einsum_front.tl_backend.semantics import Axis, memrefs
from einsum_front.tl_backend.types import MemrefType
from tests.tl_backend.opencl.harness import function_of

A, B, C = "memref<f64x5x7,strided<1,6>>", "memref<f64x7x4>", "memref<f64x5x4,strided<1,9>>"
T, X, Y = "memref<f64x7x5>", "memref<f64x7>", "memref<f64x5>"
INSTRUCTIONS = {
    "gemm": (f"gemm.n.n 1.0, %a, %b, 0.0, %c : f64, {A}, {B}, f64, {C}", (A, B, C), (5, 4, 7)),
    "transposed": (f"gemm.t.n 2.0, %a, %b, 1.0, %c : f64, {T}, {B}, f64, {C}", (T, B, C), (5, 4, 7)),
    "gemv": (f"gemv.n 1.0, %a, %b, 0.0, %c : f64, {A}, {X}, f64, {Y}", (A, X, Y), (5, 1, 7)),
    "ger": (f"ger 1.0, %a, %b, 0.0, %c : f64, {Y}, memref<f64x4>, f64, {C}", (Y, "memref<f64x4>", C), (5, 4, 1)),
    "hadamard": (f"hadamard_product 1.0, %a, %b, 0.0, %c : f64, {Y}, {Y}, f64, {Y}", (Y, Y, Y), (5, 1, 1)),
}


def read(name: str) -> tuple[Function, tl.Collective]:
    """A function of one instruction, and that."""
    text, types, _ = INSTRUCTIONS[name]
    arguments = ", ".join(f"%{word}: {type_}" for word, type_ in zip("abc", types, strict=True))
    function = function_of(f"func @f({arguments}) {{ {text} }}")
    (instruction,) = function.body
    assert isinstance(instruction, tl.Collective)
    return function, instruction


def in_c(memref: MemrefType, name: str) -> View:
    """A memref of known sizes as a view."""
    shape, strides = (tuple(index.constant(each or 0) for each in of) for of in (memref.shape, memref.strides))
    return View(memref.element, tree.Name(name), Pointer(Scalar.F64, AddressSpace.GLOBAL), shape, strides)


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_all_views_have_the_same_entries(name: str) -> None:
    function, instruction = read(name)
    sizes = INSTRUCTIONS[name][2]
    types = {each.value: each.type for each in memrefs(instruction)}
    seen = product_in_c(instruction, lambda operand: in_c(types[operand], operand.name))
    known = product_at_positions(instruction, find_places(function))
    (term,) = known.terms
    assert (known.rows, known.columns, term.depth) == sizes
    strided = [*term.factors, known.target]
    for point in pairs(*map(range, sizes)):
        for factor, places in zip(seen.operands, strided, strict=True):
            offset = factor.view.offset(tuple(index.constant(point[axis]) for axis in factor.axes))
            steps = (stride * along for stride, along in zip(places.strides, point, strict=True) if stride is not None)
            assert offset == index.constant(places.offset.constant + sum(steps))
            assert factor.view.base == tree.Name(places.base)


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_nothing_but_the_views_changes(name: str) -> None:
    _, instruction = read(name)
    form = product_form(instruction)
    other: Product[str] = form.seen(lambda factor: factor.view.value.name)
    assert [each.axes for each in other.operands] == [each.axes for each in form.operands]
    assert (other.alpha, other.beta, other.is_atomic, other.letters) == (
        form.alpha,
        form.beta,
        form.is_atomic,
        form.letters,
    )
    assert [each.view for each in other.operands] == ["a", "b", "c"]


def test_loops_walk_the_modes_of_the_form() -> None:
    function, instruction = read("transposed")
    (nest,) = find_products(function).products
    expected = [tuple((f".{axis.letter}",) for axis in each.axes) for each in product_form(instruction).operands]
    walked: Product[Walked] = nest.product
    assert [each.view.walks for each in walked.operands] == expected
    with pytest.raises(NoContractionError):
        find_products(read("hadamard")[0])


def test_sums_know_their_reduction_axis() -> None:
    assert [name for name in INSTRUCTIONS if product_form(read(name)[1]).is_sum] == ["gemm", "transposed", "gemv"]
    assert {axis for axis in Axis for each in product_form(read("ger")[1]).operands if axis in each.axes} == {
        Axis.M,
        Axis.N,
    }
