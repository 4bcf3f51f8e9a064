"""Functions of entries in the notation and in Python: what they mean, and that they are read back."""

import numpy as np
import pytest

import einsum_front as ef
from einsum_front import functions as f
from einsum_front.core.diagnostics import Source
from einsum_front.dsl_expressions import Expression
from einsum_front.notation.parse import parse
from einsum_front.notation.unparse import unparse
from tests.ir.programs import graph_of, run_plan
from tests.ir.programs import plan_of as plan_of_text

A, B, v = ef.Tensor("A", (4, 3)), ef.Tensor("B", (4, 3)), ef.Tensor("v", (3,), storage="constant")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (f.relu(A["ij"]), "relu(A[i,j])"),
        (f.exp(-A["ij"]) + 1, "exp(-A[i,j]) + 1"),
        (f.maximum(A["ij"], B["ij"], 0.5), "max(A[i,j], B[i,j], 0.5)"),
        (f.minimum(A["ij"] * v["j"], over="j"), "min{j}(A[i,j] * v[j])"),
        (f.maximum(A["ij"], over="i,j"), "max{i,j}(A[i,j])"),
        (f.where(A["ij"], "<", 0, f.log(B["ij"]), f.sqrt(2)), "where(A[i,j] < 0, log(B[i,j]), sqrt(2))"),
        (f.gelu(f.sigmoid(f.tanh(f.erf(f.abs(A["ij"]))))), "gelu(sigmoid(tanh(erf(abs(A[i,j])))))"),
        (A["ij"] / B["ij"], "A[i,j] / B[i,j]"),
    ],
)
def test_python_spells_what_the_notation_does(expression: Expression, text: str) -> None:
    assert repr(expression) == text


def test_a_condition_is_one_of_the_six() -> None:
    with pytest.raises(ValueError, match="'=' is no comparison: <, <=, >, >=, ==, != are"):
        f.where(A["ij"], "=", 0, 1, 2)


def test_a_layer_in_python_is_one_of_numpy() -> None:
    X, W, Y = ef.Tensor("X", (4, 5)), ef.Tensor("W", (5, 3), storage="constant"), ef.Tensor("Y", (4, 3))
    layer = ef.compile(ef.program(ef.kernel("layer", Y["ij"] <= f.relu(X["ik"] * W["kj"] + v["j"]))))["layer"]
    random = np.random.default_rng(0)
    x, w, b, y = (random.uniform(-1, 1, shape) for shape in ((7, 4, 5), (5, 3), (3,), (7, 4, 3)))
    layer(X=x, W=w, v=b, Y=y)
    assert np.allclose(y, np.maximum(x @ w + b, 0), rtol=1e-12)


def test_calls_are_read_back() -> None:
    value = "max{k,l}(A[k,l]) / where(A[i,j] >= 0, exp(1), 2)"
    text = f"tensor A[3,4]\n\nkernel f {{\n    A[i,j] = {value}\n}}\n"
    assert unparse(parse(Source("t.ein", text))) == text


def test_names_of_functions_are_names_of_tensors_too() -> None:
    graph_of("tensor exp[3] tensor max[3] kernel f { exp[i] = exp(max[i]) + max(exp[i], max[i]) }")


SHAPES = "tensor y[3] tensor C[3,4] tensor A[3,4] tensor x[4] tensor d[3]"
MEANINGS = {
    "y[i] = exp(A[ij])": lambda A, x, d: np.exp(A.sum(axis=2)),
    "y[i] = exp(A[ij]) * x[j]": lambda A, x, d: np.einsum("bij,bj->bi", np.exp(A), x),
    "y[i] = exp(A[ij]) * 1[j]": lambda A, x, d: np.exp(A).sum(axis=2),
    "y[i] = A[ij] / x[j]": lambda A, x, d: (A / x[:, None, :]).sum(axis=2),
    "y[i] = A[ij] * x[j] / d[i]": lambda A, x, d: np.einsum("bij,bj->bi", A, x) / d,
    "y[i] = A[ij] * x[j] / x[j]": lambda A, x, d: A.sum(axis=2),
    "y[i] = 2 / d[i] / 4 * d[i]": lambda A, x, d: np.full_like(d, 0.5),
    "y[i] = max{j}(A[ij] * x[j])": lambda A, x, d: (A * x[:, None, :]).max(axis=2),
    "y[i] = max{j}(A[ij]) * x[j]": lambda A, x, d: A.max(axis=2) * x.sum(axis=1)[:, None],
    "y[i] = max{j}(x[j]) * d[i]": lambda A, x, d: x.max(axis=1)[:, None] * d,
    "y[i] = relu(d[i]) - relu(-d[i])": lambda A, x, d: d,
    "y[i] = exp(2)": lambda A, x, d: np.full_like(d, np.exp(2)),
}


@pytest.mark.parametrize("text", MEANINGS)
def test_what_is_summed_where(text: str) -> None:
    random = np.random.default_rng(1)
    arrays = {
        "A": random.uniform(1, 2, (2, 3, 4)),
        "x": random.uniform(1, 2, (2, 4)),
        "d": random.uniform(1, 2, (2, 3)),
    }
    expected = MEANINGS[text](**arrays)
    made = plan_of_text(f"{SHAPES} kernel f {{ {text} }}")
    result = np.zeros((2, 3))
    used = {buffer.tensor.name for buffer in made.buffers}
    run_plan(made, {"y": result, **{name: array for name, array in arrays.items() if name in used}}, 2)
    np.testing.assert_allclose(result, expected, rtol=1e-13)
