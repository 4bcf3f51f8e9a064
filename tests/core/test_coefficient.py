"""Coefficients: what is folded, and what stays for the launch."""

import pytest

from einsum_front.core.coefficient import (
    Coefficient,
    Number,
    ScalarOperation,
    ScalarOperator,
    ScalarUse,
    evaluate,
    may_cancel,
    plus,
    times,
)

S, T = ScalarUse("s"), ScalarUse("t")
ZERO, ONE, TWO = Number(0.0), Number(1.0), Number(2.0)


@pytest.mark.parametrize(
    ("left", "right", "product"),
    [
        (TWO, Number(3.0), Number(6.0)),
        (ONE, S, S),
        (S, ONE, S),
        (ZERO, S, ZERO),
        (S, ZERO, ZERO),
        (TWO, S, ScalarOperation(ScalarOperator.MUL, TWO, S)),
        (S, T, ScalarOperation(ScalarOperator.MUL, S, T)),
    ],
)
def test_products(left: Coefficient, right: Coefficient, product: Coefficient) -> None:
    assert times(left, right) == product


@pytest.mark.parametrize(
    ("left", "right", "total"),
    [
        (TWO, Number(-3.0), Number(-1.0)),
        (ZERO, S, S),
        (S, ZERO, S),
        (ONE, S, ScalarOperation(ScalarOperator.ADD, ONE, S)),
    ],
)
def test_sums(left: Coefficient, right: Coefficient, total: Coefficient) -> None:
    assert plus(left, right) == total


@pytest.mark.parametrize(
    ("operator", "value"),
    [
        (ScalarOperator.ADD, 8.0),
        (ScalarOperator.SUB, 4.0),
        (ScalarOperator.MUL, 12.0),
        (ScalarOperator.DIV, 3.0),
    ],
)
def test_values(operator: ScalarOperator, value: float) -> None:
    assert evaluate(ScalarOperation(operator, S, TWO), {"s": 6.0}) == value


def test_only_numbers_of_one_sign_cannot_cancel() -> None:
    assert not may_cancel(ONE, TWO)
    assert not may_cancel(Number(-1.0), Number(-2.0))
    assert may_cancel(ONE, Number(-2.0))
    assert may_cancel(ONE, S)
    assert may_cancel(S, S)
    assert may_cancel(ZERO, ONE)
