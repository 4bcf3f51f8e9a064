"""Index arithmetic: what is known when compiling is computed then, and nothing is written that changes nothing."""

from collections.abc import Callable

import pytest

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index

N, M = tree.Name("n"), tree.Name("m")
Operation = Callable[[tree.Expression, tree.Expression], tree.Expression]


def number(value: int) -> tree.Integer:
    return index.constant(value)


@pytest.mark.parametrize(
    ("operation", "left", "right", "result"),
    [
        (index.add, number(3), number(4), number(7)),
        (index.add, number(0), N, N),
        (index.add, N, number(0), N),
        (index.add, N, M, tree.Binary(tree.BinaryOperator.ADD, N, M)),
        (index.subtract, number(3), number(4), number(-1)),
        (index.subtract, N, number(0), N),
        (index.subtract, number(0), N, tree.Binary(tree.BinaryOperator.SUBTRACT, number(0), N)),
        (index.multiply, number(3), number(4), number(12)),
        (index.multiply, number(0), N, number(0)),
        (index.multiply, N, number(0), number(0)),
        (index.multiply, number(1), N, N),
        (index.multiply, N, number(1), N),
        (index.multiply, N, M, tree.Binary(tree.BinaryOperator.MULTIPLY, N, M)),
        (index.divide, number(9), number(4), number(2)),
        (index.divide, N, number(1), N),
        (index.divide, N, M, tree.Binary(tree.BinaryOperator.DIVIDE, N, M)),
        (index.remainder, number(9), number(4), number(1)),
        (index.remainder, N, number(1), number(0)),
        (index.remainder, N, M, tree.Binary(tree.BinaryOperator.REMAINDER, N, M)),
    ],
)
def test_known_numbers_are_computed(
    operation: Operation, left: tree.Expression, right: tree.Expression, result: tree.Expression
) -> None:
    assert operation(left, right) == result


def test_large_numbers_are_longs() -> None:
    assert number(2**31 - 1).type is Scalar.I32
    assert index.add(number(2**31 - 1), number(1)) == tree.Integer(2**31, Scalar.I64)
