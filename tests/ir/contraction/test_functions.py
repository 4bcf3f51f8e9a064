"""Functions of entries in the graph: what they mean for every number, and what the builder refuses."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from einsum_front import ir
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.functions import KEEP_ZERO, Array, Function, evaluate, pattern
from einsum_front.core.storage import Storage
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.contraction.interpret import interpret
from einsum_front.ir.contraction.unparse import unparse
from einsum_front.ir.contraction.verify import verify

SPECIAL = (0.0, -0.0, 1.0, -1.5, 0.3, -700.0, 1e300, 5e-324, -5e-324, math.inf, -math.inf, math.nan)


def layer() -> ir.GraphBuilder:
    builder = ir.GraphBuilder("layer")
    builder.tensor("Y", (4, 3))
    builder.tensor("X", (4, 2))
    builder.tensor("W", (2, 3), Storage.CONSTANT)
    builder.tensor("b", (3,), Storage.CONSTANT)
    return builder


def test_a_layer_is_a_product_a_sum_and_a_function() -> None:
    builder = layer()
    product = builder.product([builder.read("X", "ik"), builder.read("W", "kj")], over="k")
    builder.assign("Y", "ij", builder.elementwise(Function.RELU, [builder.sum([product, builder.read("b", "j")])]))
    graph = builder.graph()
    assert verify(graph) == ()
    assert unparse(graph).splitlines()[-4:] == [
        "  %4 = contract {ik, kj to ij} %1, %2 : i=4 j=3, sum k=2",
        "  %5 = sum {ij, j to ij} %4, %3 : i=4 j=3",
        "  %6 = relu {ij to ij} %5 : i=4 j=3",
        "  %7 = Y[i, j] := {ij} %6 : i=4 j=3",
    ]
    x, w, b, y = np.random.rand(5, 4, 2) - 0.5, np.random.rand(2, 3) - 0.5, np.random.rand(3) - 0.5, np.zeros((5, 4, 3))
    interpret(graph, {"X": x, "W": w, "b": b, "Y": y})
    assert np.allclose(y, np.maximum(x @ w + b, 0))


def test_a_maximum_over_an_index_is_a_reduction() -> None:
    builder = layer()
    largest = builder.extremum(Function.MAX, builder.read("X", "ik"), "k")
    builder.assign("Y", "ij", builder.elementwise(Function.MIN, [largest, builder.read("b", "j")]))
    graph = builder.graph()
    assert verify(graph) == ()
    assert "reduce max {ik to i} %1 : i=4, max k=2" in unparse(graph)
    x, b, y = np.random.rand(5, 4, 2), np.random.rand(3), np.zeros((5, 4, 3))
    interpret(graph, {"X": x, "W": np.zeros((2, 3)), "b": b, "Y": y})
    assert np.array_equal(y, np.minimum(x.max(axis=2)[..., None], b))


def test_equal_functions_are_one_node() -> None:
    builder = layer()
    one = builder.elementwise(Function.EXP, [builder.read("X", "ik")])
    other = builder.elementwise(Function.EXP, [builder.read("X", "jl")])
    assert one.factors[0].node == other.factors[0].node
    third = builder.elementwise(Function.LOG, [builder.read("X", "jl")])
    assert third.factors[0].node != one.factors[0].node


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda b: b.elementwise(Function.MAX, [b.read("b", "j")]), "`max` has 2 arguments, and 1 are given"),
        (lambda b: b.extremum(Function.EXP, b.read("b", "j"), "j"), "`exp` over 1 indices is no extremum"),
        (lambda b: b.extremum(Function.MAX, b.read("b", "j"), "k"), "`max` is over index `k`, which the value lacks"),
    ],
)
def test_what_is_no_function_is_refused(make: Callable[[ir.GraphBuilder], ir.Value], message: str) -> None:
    with pytest.raises(CompileError, match=message.replace("(", r"\(")):
        make(layer())


def same(one: Array, other: Array) -> bool:
    return bool(np.array_equal(one, other, equal_nan=True) and np.array_equal(np.signbit(one), np.signbit(other)))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_functions_are_those_of_numpy(kind: type) -> None:
    x: Array = np.array(SPECIAL, kind)
    for name in ("exp", "log", "sqrt", "tanh", "abs"):
        found = evaluate(Function(name), [x])
        assert found.dtype == kind
        assert same(found, getattr(np, name)(x)), name
    a, b = np.meshgrid(x, x)
    for name, oracle in (("max", np.maximum), ("min", np.minimum)):
        assert np.array_equal(evaluate(Function(name), [a, b]), oracle(a, b), equal_nan=True)
    assert same(evaluate(Function.RELU, [x]), np.where(x < 0, kind(0), x))
    assert same(evaluate(Function.DIV, [a, b]), a / b)
    assert evaluate(Function.GELU, [x]).dtype == evaluate(Function.SIGMOID, [x]).dtype == kind


def test_patterns_know_which_functions_keep_zero() -> None:
    zero, one = Pattern.empty((1,)), Pattern.full((1,))
    for function in Function:
        with np.errstate(all="ignore"):
            keeps = not evaluate(function, [np.zeros(1)] * function.arity).any()
        if function is not Function.DIV:
            assert pattern(function, [zero] * function.arity).is_full is not keeps, function
        assert function.arity > 2 or keeps == (function in KEEP_ZERO), function
    assert pattern(Function.DIV, [zero, one]).is_empty
    assert pattern(Function.DIV, [zero, zero]).is_full
