"""What is printed for released compilers keeps clear of what they compute otherwise, and means what it meant."""

from collections.abc import Iterator

import pytest
from hypothesis import assume, given

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.pipeline import passes_of_edition, run
from einsum_front.tl_backend.program import Edition, Function
from einsum_front.tl_backend.traverse import regions
from einsum_front.tl_backend.unparse import unparse_function
from tests.tl_backend.meaning import assert_same_results, results
from tests.tl_backend.strategies import Case, cases

RELEASED = [edition for edition in Edition if edition.is_released]


def printed(function: Function, edition: Edition) -> str:
    return unparse_function(run(function, passes_of_edition(edition)), edition)


def read(text: str) -> Function:
    return parse(Source("released.tl", text)).functions[0]


def faults(region: tl.Region, subgroup_size: int, nonzero: frozenset[str] = frozenset()) -> Iterator[str]:
    """The instructions that a released compiler gets wrong; `nonzero` are the values that are known not to be 0."""
    asked: dict[str, tl.Compare] = {}
    for instruction in region:
        if isinstance(instruction, tl.Compare):
            asked[instruction.result.name] = instruction
        if (
            isinstance(instruction, tl.Foreach)
            and not is_whole(instruction, subgroup_size)
            and not is_guarded(instruction)
        ):
            yield f"foreach %{instruction.variable.name}"
        if isinstance(instruction, tl.Collective) and is_misread(instruction, nonzero):
            yield type(instruction).__name__
        if isinstance(instruction, tl.Gemm | tl.Gemv) and leaves_out_rows(instruction, subgroup_size):
            yield "rows"
        if isinstance(instruction, tl.Expand) and None in instruction.shape and has_open_quotient(instruction):
            yield "expand"
        for position, inner in enumerate(regions(instruction)):
            yield from faults(inner, subgroup_size, nonzero | (known(instruction, asked) if position else set()))


def leaves_out_rows(product: tl.Gemm | tl.Gemv, subgroup_size: int) -> bool:
    """Whether the rows are more than one sub-group and no whole ones; there are sub-groups of 8 work-items."""
    rows = product.target.type.shape[0]
    return rows is not None and rows > min(subgroup_size, 8) and rows % min(subgroup_size, 8) != 0


def is_whole(loop: tl.Foreach, subgroup_size: int) -> bool:
    if not (isinstance(loop.start, tl.IntegerConstant) and isinstance(loop.stop, tl.IntegerConstant)):
        return False
    iterations = loop.stop.value - loop.start.value
    return iterations > 0 and iterations % subgroup_size == 0


def is_guarded(loop: tl.Foreach) -> bool:
    if len(loop.body) != 2:
        return False
    inside, branch = loop.body
    return (
        isinstance(inside, tl.Compare)
        and (inside.condition, inside.left, inside.right) == (tl.Condition.LT, loop.variable, loop.stop)
        and isinstance(branch, tl.If)
        and branch.condition == inside.result
        and branch.otherwise is None
    )


def is_misread(instruction: tl.Collective, nonzero: frozenset[str]) -> bool:
    """Whether it reads what β = 0 overwrites, or is one of those that are wrong for every β."""
    if isinstance(instruction, tl.Axpby) and instruction.target.type.order == 0:
        return True
    if isinstance(instruction, tl.Ger) or (isinstance(instruction, tl.Sum) and instruction.inputs[0].type.order == 2):
        return True
    if instruction.atomic:
        return not (instruction.beta.is_number(0) or instruction.beta.is_number(1))
    if not instruction.target.type.element.is_floating:
        return False
    if isinstance(instruction.beta.value, tl.Local):
        return instruction.beta.value.name not in nonzero
    if isinstance(instruction, tl.Gemm | tl.Gemv):
        return instruction.alpha.is_number(0)
    return instruction.beta.is_number(0)


def known(instruction: tl.Instruction, asked: dict[str, tl.Compare]) -> set[str]:
    """The value that is not 0 in the second region of an `if`."""
    if not isinstance(instruction, tl.If) or not isinstance(instruction.condition, tl.Local):
        return set()
    compare = asked.get(instruction.condition.name)
    is_zero = compare and compare.condition is tl.Condition.EQ and compare.right == tl.FloatConstant(0.0)
    return {compare.left.name} if compare and is_zero and isinstance(compare.left, tl.Local) else set()


def has_open_quotient(expand: tl.Expand) -> bool:
    return expand.type.shape[expand.mode] is None or any(isinstance(entry, tl.Local) for entry in expand.shape)


@pytest.mark.generated
@pytest.mark.parametrize("edition", RELEASED)
@given(case=cases())
def test_generated_programs_are_printed_without_faults_and_keep_their_meaning(edition: Edition, case: Case) -> None:
    try:
        text = printed(case.function, edition)
    except CompileError:
        assume(False)
    function = read(text)
    assert list(faults(function.body, function.subgroup_size or 32)) == []
    assert_same_results(function, case, results(case.function, case))
    assert printed(function, edition) == text


@pytest.mark.parametrize(
    "body",
    [
        "foreach %i = 0, 5 { }",
        "foreach %i = 0, %n { }",
        "axpby.n 1.0, %x, 0.0, %y : f64, memref<f64x8>, f64, memref<f64x8>",
        "axpby.n 1, %x, 0, %y : f64, memref<f64x8>, f64, memref<f64x8>",
        "axpby.n 1.0, %s, 1.0, %s : f64, memref<f64>, f64, memref<f64>",
        "ger 1.0, %x, %y, 0.0, %A : f64, memref<f64x8>, memref<f64x8>, f64, memref<f64x8x8>",
        "ger 1.0, %x, %y, 1.0, %A : f64, memref<f64x8>, memref<f64x8>, f64, memref<f64x8x8>",
        "hadamard 1.0, %x, %x, %beta, %y : f64, memref<f64x8>, memref<f64x8>, f64, memref<f64x8>",
        "sum.n 1.0, %x, 0.0, %s : f64, memref<f64x8>, f64, memref<f64>",
        "sum.n 1.0, %A, 1.0, %y : f64, memref<f64x8x8>, f64, memref<f64x8>",
        "gemv.n 1.0, %A, %x, %beta, %y : f64, memref<f64x8x8>, memref<f64x8>, f64, memref<f64x8>",
        "gemv.n 0.0, %A, %x, 1.0, %y : f64, memref<f64x8x8>, memref<f64x8>, f64, memref<f64x8>",
        "gemv.t 1.0, %R, %x, 0.0, %r : f64, memref<f64x8x27>, memref<f64x8>, f64, memref<f64x27>",
        "%v = expand %x[0->%n x ?] : memref<f64x8>",
    ],
)
def test_each_fault_is_one_and_is_avoided(body: str) -> None:
    vectors = "%x: memref<f64x8>, %y: memref<f64x8>, %r: memref<f64x27>, %s: memref<f64>"
    matrices = "%A: memref<f64x8x8>, %R: memref<f64x8x27>"
    function = read(f"func @f(%n: index, %beta: f64, {vectors}, {matrices}) {{\n{body}\n}}")
    assert len(list(faults(function.body, 32))) == 1
    for edition in RELEASED:
        assert list(faults(read(printed(function, edition)).body, 16)) == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "axpby.n.atomic 1.0, %s, 1.0, %s : f32, memref<f32>, f32, memref<f32>",
            "`axpby.atomic` on rank 0: its compilers update once for each work-item",
        ),
        (
            "sum.n.atomic 1.0, %A, 1.0, %x : f32, memref<f32x?x8>, f32, memref<f32x8>",
            "`sum.atomic` of a matrix: its compilers add what belongs to other rows",
        ),
        (
            "axpby.n.atomic 1.0, %x, 0.5, %x : f32, memref<f32x8>, f32, memref<f32x8>",
            "atomic updates with a β other than the constants 0 and 1: its compilers may never end one",
        ),
        (
            "ger.atomic 1.0, %x, %x, 1.0, %B : f32, memref<f32x8>, memref<f32x8>, f32, memref<f32x8x8>",
            "`ger.atomic`: its compilers make no OpenCL C of it",
        ),
        ("%t = alloca -> memref<f32>", "`alloca` of rank 0: its compilers crash"),
        (
            "%v = expand %A[1->2x4] : memref<f32x?x8>",
            "`expand` of a mode whose stride is `?`: its compilers take another stride",
        ),
    ],
)
@pytest.mark.parametrize("edition", RELEASED)
def test_what_cannot_be_said_otherwise_is_refused(edition: Edition, body: str, message: str) -> None:
    function = read(
        f"func @f(%s: memref<f32>, %x: memref<f32x8>, %A: memref<f32x?x8>, %B: memref<f32x8x8>) {{\n  {body}\n}}"
    )
    with pytest.raises(CompileError) as error:
        printed(function, edition)
    assert [each.message for each in error.value.diagnostics] == [f"edition {edition.value} has no {message}"]
    assert [each.helps for each in error.value.diagnostics] == [("edition 2023 has words for all of this",)]
