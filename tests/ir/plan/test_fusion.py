"""Functions of entries in plans: what joins one payload, what does not, and where the product in front is computed."""

import pytest

from einsum_front.ir.plan.explain import explain, formula
from tests.ir.programs import plan_of

TENSORS = """
    tensor Y[8,6] tensor X[8,5] tensor W[5,6] constant tensor b[6] constant tensor Z[8,6] tensor V[8,6]
    tensor S[8,6] nonzeros [(0,0), (3,2)] tensor m[8] temp T[8,6]
"""


def steps_of(statements: str) -> list[str]:
    return [formula(step) for step in plan_of(f"{TENSORS} kernel f {{ {statements} }}").steps]


@pytest.mark.parametrize(
    ("statements", "steps"),
    [
        (
            "Y[ij] = relu(X[ik] * W[kj] + b[j])",
            ["Y[i, j] := X[i, k] * W[k, j]", "Y[i, j] := relu(Y[i, j] + b[j])"],
        ),
        (
            "T[ij] = X[ik] * W[kj] Y[ij] = exp(T[ij]) / (1 + abs(T[ij]))",
            ["Y[i, j] := X[i, k] * W[k, j]", "Y[i, j] := exp(Y[i, j]) / (abs(Y[i, j]) + 1)"],
        ),
        (
            "Y[ij] = relu(X[ik] * W[kj] + Y[ij])",
            ["tmp0[i, j] := X[i, k] * W[k, j]", "Y[i, j] := relu(tmp0[i, j] + Y[i, j])"],
        ),
        (
            "Y[ij] = relu(X[ik] * W[kj]) * Z[ij] Z[ij] = tanh(X[ik] * W[kj])",
            [
                "tmp0[i, j] := X[i, k] * W[k, j]",
                "Y[i, j] := relu(tmp0[i, j]) * Z[i, j]",
                "Z[i, j] := tanh(tmp0[i, j])",
            ],
        ),
        ("Y[ij] = X[ik] * W[kj] + relu(Z[ij])", ["Y[i, j] := X[i, k] * W[k, j]", "Y[i, j] := Y[i, j] + relu(Z[i, j])"]),
        (
            "V[ij] = abs(V[ij]) Y[ij] = Z[ij] + X[ik] * W[kj] + b[j]",
            ["V[i, j] := abs(V[i, j])", "Y[i, j] := X[i, k] * W[k, j]", "Y[i, j] := Y[i, j] + Z[i, j] + b[j]"],
        ),
        (
            "V[ij] = abs(V[ij]) Y[ij] = m[i] * b[j] + m[i] * (Z[ij] - m[i] * b[j])",
            [
                "V[i, j] := abs(V[i, j])",
                "Y[i, j] := (m[i] * b[j]) + (m[i] * (Z[i, j] + (-1 * (m[i] * b[j]))))",
            ],
        ),
        (
            "V[ij] = abs(V[ij]) Y[ij] = Y[ij] + X[ik] * W[kj] + 2 * Z[ij]",
            [
                "V[i, j] := abs(V[i, j])",
                "Y[i, j] := Y[i, j] + X[i, k] * W[k, j]",
                "Y[i, j] := Y[i, j] + 2 * Z[i, j]",
            ],
        ),
        (
            "V[ij] = abs(V[ij]) Y[ij] = S[ij] + X[ik] * W[kj]",
            ["V[i, j] := abs(V[i, j])", "Y[i, j] := X[i, k] * W[k, j]", "Y[i, j] := Y[i, j] + S[i, j]"],
        ),
        ("Y[ij] += max(Z[ij], 0)", ["Y[i, j] := Y[i, j] + max(Z[i, j], 0)"]),
        ("m[i] = max{j}(Y[ij] * Y[ij] + b[j])", ["m[i] := max{j}((Y[i, j] * Y[i, j]) + b[j])"]),
    ],
)
def test_steps(statements: str, steps: list[str]) -> None:
    found = [step.replace("b[j] + Y[i, j]", "Y[i, j] + b[j]") for step in steps_of(statements)]
    assert found == steps


def test_kernels_without_functions_keep_their_instructions() -> None:
    """All schedules know these; loops over entries run in some of them only."""
    steps = steps_of("Y[ij] = Z[ij] + X[ik] * W[kj] + b[j]")
    assert len(steps) == 3
    assert steps[-1] == "Y[i, j] := Y[i, j] + b[j]"


def test_a_value_without_all_indices_is_computed_once() -> None:
    first, second = steps_of("Y[ij] = Z[ij] * exp(b[j])")
    assert first == "tmp0[j] := exp(b[j])"
    assert "exp" not in second


def test_known_zeros_are_written_where_a_function_reads_them() -> None:
    made = plan_of(f"{TENSORS} kernel f {{ Y[ij] = exp(S[ij]) }}")
    assert made.steps[-1].target.buffer == "Y"
    assert made.steps[-1].operands[0].buffer != "S"


def test_a_target_with_zeros_is_copied_to() -> None:
    steps = steps_of("S[ij] = tanh(S[ij])")
    assert steps[-1].startswith("S[")
    assert "tanh" not in steps[-1]


def test_the_plan_says_what_was_fused() -> None:
    text = explain(
        plan_of(f"{TENSORS} kernel f {{ Y[ij] = relu(X[ik] * W[kj] + b[j]) Z[ij] = tanh(V[ij] + exp(b[j])) }}")
    )
    assert "    sum, relu in one loop; product before it: it reduces k\n    exp in one loop\n" in text
    assert "    sum, tanh in one loop; exp before it: it lacks an index, along which" in text
