"""Processor time from texts of n, 2n and 4n parts to OpenCL C: `python -m benchmarks.proportion`."""

import sys
import time
from collections.abc import Callable
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from einsum_front.core.diagnostics import Source
from einsum_front.driver import Session, translate_program
from einsum_front.driver.targets import DEFAULT
from einsum_front.notation.parse import parse

TARGET = replace(DEFAULT, max_parameter_bytes=1 << 20)
VECTORS = "tensor A[10]\ntensor C[10]\n"


def statements(count: int) -> str:
    """Statements into one target."""
    return VECTORS + f"kernel f {{ for i in 0:{count} {{ C[k] += i * A[k] }} }}"


def terms(count: int) -> str:
    """Terms of a sum, each with an argument of its own."""
    return f"tensor A{{{count}}}[10]\ntensor C[10]\nkernel f {{ C[k] = sum{{i in 0:{count}}}(i * A{{i}}[k]) }}"


def factors(count: int) -> str:
    """Factors with the same index."""
    return VECTORS + f"kernel f {{ C[k] = {' * '.join(['A[k]'] * count)} }}"


def temporaries(count: int) -> str:
    """A chain of temporaries."""
    declared = "".join(f"temp T{number}[8]\n" for number in range(count))
    steps = " ".join(f"T{number}[i] = A[i, j] * T{number - 1}[j]" for number in range(1, count))
    return f"tensor A[8, 8]\ntensor X[8]\n{declared}kernel f {{ T0[i] = X[i] {steps} X[i] = T{count - 1}[i] }}"


def kernels(count: int) -> str:
    """A family of kernels."""
    return VECTORS + f"kernel f{{i in 0:{count}}} {{ C[k] = i * A[k] }}"


def nonzeros(count: int) -> str:
    """A list of positions."""
    listed = ", ".join(f"({number % 100}, {number // 100})" for number in range(count))
    declared = f"tensor A[100, {count // 100 + 1}] nonzeros [{listed}]\ntensor x[{count // 100 + 1}]\ntensor C[100]\n"
    return declared + "kernel f { C[i] = A[i, j] * x[j] }"


CASES = ((statements, 500), (terms, 100), (factors, 75), (temporaries, 100), (kernels, 50), (nonzeros, 2500))


def seconds(text: Callable[[int], str], count: int) -> float:
    """Processor time of this process for all kernels of a text."""
    start = time.process_time()
    translate_program(Session(TARGET), parse(Source("many.ein", text(count))))
    return time.process_time() - start


def main() -> int:
    """Prints a table."""
    table = Table("text", "n", "n: s", "2n: s", "4n: s", title="seconds of processor time")
    for text, count in CASES:
        seconds(text, 2)  # builds the parser
        times = (seconds(text, times * count) for times in (1, 2, 4))
        table.add_row(text.__name__, str(count), *(f"{each:.2f}" for each in times))
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
