"""A text of twice the length is twice the work, from the notation to OpenCL C: what is counted are calls."""

import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.driver import Session, translate_program
from einsum_front.driver.targets import DEFAULT
from einsum_front.notation.parse import parse
from tests.tl_backend.test_proportion import calls

SHARE = 1.25
"""Times the share of calls that a longer text has: lists grow, and so do the first few of everything."""

TARGET = replace(DEFAULT, max_parameter_bytes=1 << 20)
VECTORS = "tensor A[10]\ntensor C[10]\n"


def repeated(count: int) -> str:
    """The same target again and again."""
    return VECTORS + f"kernel f {{ for i in 0:{count} {{ C[k] += i * A[k] }} }}"


def pieces(count: int) -> str:
    """A part of the target at a time."""
    return (
        f"tensor A[{count}, 5]\ntensor C[{count}, 5]\ntensor B[5, 5]\n"
        f"kernel f {{ for i in 0:{count} {{ C[(i), l] = A[(i), j] * B[j, l] }} }}"
    )


def temporaries(count: int) -> str:
    """A chain of temporaries."""
    declared = "".join(f"temp T{number}[4, 4]\n" for number in range(count))
    steps = " ".join(f"T{number}[i, k] = A[i, j] * T{number - 1}[j, k]" for number in range(1, count))
    statements = f"T0[i, k] = A[i, k] {steps} Y[i, k] = T{count - 1}[i, k]"
    return f"tensor A[4, 4]\ntensor Y[4, 4]\n{declared}kernel f {{ {statements} }}"


def alive(count: int) -> str:
    """Temporaries that are alive at the same time."""
    declared = "".join(f"temp T{number}[4]\n" for number in range(count))
    steps = " ".join(f"T{number}[i] = {number + 2} * A[i]" for number in range(count))
    total = " + ".join(f"T{number}[i]" for number in range(count))
    return f"tensor A[4]\ntensor Y[4]\n{declared}kernel f {{ {steps} Y[i] = {total} }}"


def tensors(count: int) -> str:
    """As many arguments as statements."""
    declared = f"tensor A{{{count}}}[4, 4]\ntensor C{{{count}}}[4, 4]\n"
    return declared + f"kernel f {{ for i in 0:{count} {{ C{{i}}[k, l] = A{{i}}[l, k] }} }}"


def terms(count: int) -> str:
    """A sum."""
    return f"tensor A{{{count}}}[10]\ntensor C[10]\nkernel f {{ C[k] = sum{{i in 0:{count}}}(i * A{{i}}[k]) }}"


def broadcasts(count: int) -> str:
    """Terms that lack an index of the target, which are added up first."""
    return (
        f"tensor A{{{count}}}[4]\ntensor C[4, 4]\nkernel f {{ C[k, l] = sum{{i in 0:{count}}}(A{{i}}[k] + A{{i}}[l]) }}"
    )


def factors(count: int) -> str:
    """A product of vectors."""
    return VECTORS + f"kernel f {{ C[k] = {' * '.join(['A[k]'] * count)} }}"


def kernels(count: int) -> str:
    """A family of kernels."""
    return VECTORS + f"kernel f{{i in 0:{count}}} {{ C[k] = i * A[k] }}"


def nonzeros(count: int) -> str:
    """A list of positions."""
    listed = ", ".join(f"({7 * number % 10}, {number})" for number in range(count))
    declared = f"tensor A[10, {count}] nonzeros [{listed}]\ntensor x[{count}]\ntensor C[10]\n"
    return declared + "kernel f { C[i] = A[i, j] * x[j] }"


def work(text: str) -> int:
    """The calls that a translation takes."""
    return calls(lambda: translate_program(Session(TARGET), parse(Source("many.ein", text))))


def assert_proportional(text: Callable[[int], str], few: int, many: int) -> None:
    work(text(2))  # builds the parser, and imports
    assert work(text(many)) < SHARE * many / few * work(text(few))


@pytest.mark.parametrize(
    "text",
    [pieces, temporaries, alive, broadcasts, factors, kernels, nonzeros],
    ids=lambda each: each.__name__,
)
def test_the_work_grows_with_the_length(text: Callable[[int], str]) -> None:
    assert_proportional(text, 50, 100)


@pytest.mark.parametrize(
    "text", [repeated, terms, pytest.param(tensors, marks=pytest.mark.slow)], ids=lambda each: each.__name__
)
def test_the_work_grows_with_the_length_of_what_is_long(text: Callable[[int], str]) -> None:
    """Sums of 50 summands are short enough to be unrolled; code for 200 tensors is long enough to be cut."""
    assert_proportional(text, 200, 300)


def test_temporaries_beyond_the_depth_of_the_interpreter() -> None:
    text = temporaries(sys.getrecursionlimit() + 1)
    (made,) = translate_program(Session(TARGET), parse(Source("deep.ein", text)))
    assert len(made.planned.plan.steps) > sys.getrecursionlimit()
