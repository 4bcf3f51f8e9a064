"""Which steps a statement becomes."""

import pytest

from einsum_front.ir.plan.explain import explain_as_data
from einsum_front.ir.plan.plan import Plan
from examples.ader_dg import matrices
from tests.ir.plan.test_meaning import DECLARATIONS
from tests.ir.programs import plan_of

STEPS = {
    "the coefficient of the old value is beta": (
        "C[i,j] = 2*C[i,j] + A[i,k]*B[k,j]",
        ["log C[i, j] := 2 * C[i, j] + A[i, k] * B[k, j]"],
    ),
    "alpha goes where it costs least": (
        "A[i,j] = s * B[i,k] * v[k] * v[j]",
        ["log tmp0[i] := s * B[i, k] * v[k]", "product A[i, j] := tmp0[i] * v[j]"],
    ),
    "terms go straight to the target": (
        "A[i,j] += B[i,j] - C[j,i] + B[i,k]*C[k,j]",
        [
            "axpby A[i, j] := A[i, j] + B[i, j]",
            "axpby A[i, j] := A[i, j] + -1 * C[j, i]",
            "log A[i, j] := A[i, j] + B[i, k] * C[k, j]",
        ],
    ),
    "what reads the target comes first": (
        "A[i,j] = B[i,j] + A[j,i]",
        [
            "axpby tmp0[j, i] := A[j, i]",
            "axpby A[i, j] := B[i, j]",
            "axpby A[i, j] := A[i, j] + tmp0[j, i]",
        ],
    ),
    "parts that do not meet need no temporary": (
        "A[i=0:2, j] = 2 * A[i=2:4, j]",
        ["axpby A[i, j] := 2 * A[i+2, j]"],
    ),
    "entry by entry in place": (
        "A[i,j] = A[i,j] * B[i,j]",
        ["product A[i, j] := A[i, j] * B[i, j]"],
    ),
    "entry by entry, but moved": (
        "A[i=0:3, j] = A[i=1:4, j]",
        ["axpby tmp0[i, j] := A[i+1, j]", "axpby A[i, j] := tmp0[i, j]"],
    ),
    "like terms are one": (
        "A[i,j] = B[i,j] + 2*B[i,j] + s*B[j,i] + 0*C[i,j]",
        ["axpby A[i, j] := 3 * B[i, j]", "axpby A[i, j] := A[i, j] + s * B[j, i]"],
    ),
    "but not those that may cancel": (
        "A[i,j] = B[i,j] - B[i,j] + s*B[i,j]",
        [
            "axpby A[i, j] := B[i, j]",
            "axpby A[i, j] := A[i, j] + -1 * B[i, j]",
            "axpby A[i, j] := A[i, j] + s * B[i, j]",
        ],
    ),
    "equal products are made once": (
        "A[i,j] = B[i,k]*C[k,l]*v[l]*v[j]\n t[] = B[p,q]*C[q,r]*v[r]*v[p]",
        [
            "log tmp0[k] := C[k, l] * v[l]",
            "log tmp1[i] := B[i, k] * tmp0[k]",
            "product A[i, j] := tmp1[i] * v[j]",
            "log t[] := tmp1[p] * v[p]",
        ],
    ),
    "equal products in a changed world are made again": (
        "A[i,j] = B[i,k]*v[k]*v[j]\n B[0,0] = 1\n C[i,j] = B[i,k]*v[k]*v[j]",
        [
            "log tmp0[i] := B[i, k] * v[k]",
            "product A[i, j] := tmp0[i] * v[j]",
            "fill B[0, 0] := 1",
            "log tmp1[i] := B[i, k] * v[k]",
            "product C[i, j] := tmp1[i] * v[j]",
        ],
    ),
    "equal values are computed once": (
        "A[i,j] = B[i,k]*C[k,j]\n A[a,b] -= 2*B[b,c]*C[c,a]",
        [
            "log tmp0[i, j] := B[i, k] * C[k, j]",
            "axpby A[i, j] := tmp0[i, j]",
            "axpby A[a, b] := A[a, b] + -2 * tmp0[b, a]",
        ],
    ),
    "a number alone fills": ("A[i,j] = s", ["fill A[i, j] := s"]),
    "scaling in place fills with nothing": ("A[i,j] = 2*A[i,j]", ["fill A[i, j] := 2 * A[i, j] + 0"]),
    "nothing happens to what stays": ("A[i,j] = A[i,j]", []),
    "boxes are cut to what matters, and the rest is zero": (
        "A[i,j] = S[i,k] * L[k,j]",
        [
            "fill A[i, j] := 0",
            "fill A[i+2, j+2] := 0",
            "log A[i+2, j] := S[i+2, k+1] * L[k+1, j]",
        ],
    ),
    "only what is read of a temporary is computed": (
        "T[i,j] = A[i,k]*B[k,j]\n v[i] = T[i,1]",
        ["log T[i, j] := A[i, k] * B[k, j+1]", "axpby v[i] := T[i, 0]"],
    ),
    "what nobody reads is not computed": ("T[i,j] = A[i,j]\n v[i] = A[i,0]\n v[i] = A[i,1]", ["axpby v[i] := A[i, 1]"]),
    "diagonals are copied before they are multiplied": (
        "t[] = A[i,i] * v[i]",
        ["broadcast tmp0[i] := A[i, i]", "log t[] := tmp0[i] * v[i]"],
    ),
    "products for a diagonal go through a temporary": (
        "A[i,i] = v[i] * B[i,0]",
        ["product tmp0[i] := v[i] * B[i, 0]", "broadcast A[i, i] := tmp0[i]"],
    ),
    "an index of one factor alone is summed first": (
        "v[i] = A[i,j] * B[j,k]",
        ["sum tmp0[j] := B[j, k]", "log v[i] := A[i, j] * tmp0[j]"],
    ),
    "small terms are added up before they are broadcast": (
        "D[i,j,k] = w[i] + 2*w[i] + w[j] + w[k]",
        [
            "broadcast tmp0[i, j] := 3 * w[i]",
            "broadcast tmp0[i, j] := tmp0[i, j] + w[j]",
            "broadcast D[i, j, k] := tmp0[i, j]",
            "broadcast D[i, j, k] := D[i, j, k] + w[k]",
        ],
    ),
}


def formulas(made: Plan) -> list[str]:
    steps = explain_as_data(made)["steps"]
    assert isinstance(steps, list)
    return [f"{step['instruction']} {step['formula']}" for step in steps]


@pytest.mark.parametrize("title", STEPS)
def test_steps(title: str) -> None:
    text, expected = STEPS[title]
    assert formulas(plan_of(f"{DECLARATIONS}\nkernel f {{\n {text}\n}}")) == expected


def test_a_temporary_is_as_large_as_what_matters_of_it() -> None:
    made = plan_of(f"{DECLARATIONS}\nkernel f {{\n T[i,j] = S[i,k] * L[k,j]\n C[i,j] = T[i,k] * B[k,j] }}")
    assert made.tensors["T"].shape == (2, 2)


def test_what_is_not_written_before_it_is_read_is_set_to_zero() -> None:
    """The box of `T` holds entries that are zero, which the product reads; the assignments in parts leave them out."""
    text = """
    tensor A[4, 4]
    tensor L[4, 4] nonzeros [(0,0), (1,1)]
    temp   T[4, 4] nonzeros [(0,0), (1,1), (3,3)]
    kernel f { T[0,0] = A[0,0]
     T[1,1] = A[1,1]
     T[3,3] = A[3,3]
     A[i,j] = T[i,k] * A[k,j] }
    """
    assert formulas(plan_of(text))[:2] == ["fill T[0, 1] := 0", "axpby T[0, 0] := A[0, 0]"]


@pytest.mark.parametrize(
    ("file", "operations"),
    [
        ("minimal", {"minimal": 2048}),
        ("matmul", dict.fromkeys(("AB", "ATB", "ABT", "ATBT"), 64512)),
        ("interpolation", {"interpolate": 1322496}),
        ("broadcast", {"outer_sum": 64, "cyclic": 1024, "many_modes": 266368}),
    ],
)
def test_dense_examples_take_as_many_operations_as_they_must(file: str, operations: dict[str, int]) -> None:
    text = (matrices.HERE.parent / f"{file}.ein").read_text(encoding="utf-8")
    assert {kernel: plan_of(text, kernel).cost.operations for kernel in operations} == operations
