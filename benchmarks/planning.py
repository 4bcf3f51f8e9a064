"""Time to plan contractions of many factors: `python -m benchmarks.planning`.

chain    products of matrices
ring     every factor has three indices, which it shares with others
tree     every factor shares an index with the factor above it and with two below it
dense    four indices in every factor, each with another one that is drawn
"""

import sys
import time
from collections.abc import Callable
from random import Random
from statistics import median

from rich.console import Console
from rich.table import Table

from einsum_front.core.diagnostics import Source
from einsum_front.core.machines import ZEN4
from einsum_front.elaborate import elaborate
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.plan.planner import plan
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse

FACTORS = (6, 12, 16, 20)
REPETITIONS = 5

Modes = tuple[tuple[int, ...], ...]
"""The numbers of the indices of each factor."""


def chain(count: int) -> Modes:
    """A product of so many matrices."""
    return tuple((factor, factor + 1) for factor in range(count))


def ring(count: int) -> Modes:
    """Factors that share an index with each neighbour and one with another factor."""
    return tuple(
        tuple(dict.fromkeys((factor, (factor + 1) % count, (3 * factor + 2) % count))) for factor in range(count)
    )


def tree(count: int) -> Modes:
    """A binary tree; factor and first index have the same number, the last factor is a leaf."""
    return tuple(
        tuple(index for index in (factor, 2 * factor + 1, 2 * factor + 2) if index < count) for factor in range(count)
    )


def dense(count: int) -> Modes:
    """A network in which four indices of every factor lead to others, after some permutations of the factors."""
    random = Random(count)
    modes: list[list[int]] = [[] for _ in range(count)]
    for index in range(2 * count):
        if index % count == 0:
            order = random.sample(range(count), count)
        modes[order[index % count]].append(index)
        modes[order[(index + 1) % count]].append(index)
    return tuple(map(tuple, modes))


def graph_of(modes: Modes) -> Graph:
    """The product, summed over all but an index of the first and one of the last factor; extents are 2 to 5."""
    first, last = modes[0][0], modes[-1][-1]
    lines = [f"tensor A{number}[{_joined(factor, _extent)}]" for number, factor in enumerate(modes)]
    factors = " * ".join(f"A{number}[{_joined(factor, _name)},]" for number, factor in enumerate(modes))
    lines.append(f"tensor R[{_joined((first, last), _extent)}]")
    lines.append(f"kernel product {{ R[{_joined((first, last), _name)}] = {factors} }}")
    program = check(parse(Source("product.ein", "\n".join(lines))))
    return elaborate(program.kernels[0], program)


def _joined(indices: tuple[int, ...], word: Callable[[int], str]) -> str:
    return ", ".join(word(index) for index in indices)


def _name(index: int) -> str:
    return f"x_{index}"


def _extent(index: int) -> str:
    return str(2 + index % 4)


def seconds(graph: Graph) -> float:
    """Processor time of this process for a plan, the median of some."""
    times = []
    for _ in range(REPETITIONS):
        start = time.process_time()
        plan(graph, ZEN4)
        times.append(time.process_time() - start)
    return median(times)


KINDS = (chain, ring, tree, dense)


def main() -> int:
    """Prints a table."""
    table = Table("factors", *(kind.__name__ for kind in KINDS), title="milliseconds to plan")
    for count in FACTORS:
        table.add_row(str(count), *(f"{seconds(graph_of(kind(count))) * 1e3:.0f}" for kind in KINDS))
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
