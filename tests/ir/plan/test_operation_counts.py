"""No kernel of ADER-DG takes more operations than YATeTo finds for it."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from einsum_front.core.extent import static
from einsum_front.core.machines import ZEN4
from einsum_front.elaborate import elaborate
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.plan.planner import plan
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse_file
from examples.ader_dg import matrices
from examples.ader_dg.rupture import DUNAVANT
from tests.ir.programs import simplified

TABLE = Path(__file__).with_name("yateto_operations.txt")
ORDERS = [2, 4, *(pytest.param(order, marks=pytest.mark.slow) for order in (3, 5, 6, 7, 8))]
CHOICES = {"boundary": ("r", (0, 3)), "projection": ("r", (0, 8))}
"""Parameters of a file that the families of the table run through, with the ends of their ranges."""

Interval = tuple[int, int]


def read_table() -> Iterator[tuple[str, str, int, Interval]]:
    """File, kernel, order, operations of the cheapest and of the dearest member."""
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    for line in lines[1:]:
        file, kernel, *cells = line.split()
        for order, cell in enumerate(cells, start=2):
            if cell != "-":
                numbers = [int(number) for number in cell.split("..")]
                yield file, kernel, order, (numbers[0], numbers[-1])


@cache
def found(file: str, order: int) -> dict[str, Interval]:
    """The operations of the cheapest and of the dearest member of every family of kernels in a file."""
    operations = defaultdict(list)
    name, values = CHOICES.get(file, ("O", (order,)))
    for value in values:
        defines = {"O": order, name: value}
        if file == "dynamic_rupture":
            defines["P"] = DUNAVANT[order]
        for kernel, count in counted(file, {} if file == "flux_solver" else defines):
            operations[family(kernel)].append(count)
    return {kernel: (min(counts), max(counts)) for kernel, counts in operations.items()}


def counted(file: str, defines: dict[str, int]) -> Iterator[tuple[str, int]]:
    for kernel, graph in graphs(matrices.HERE / f"{file}.ein", defines):
        yield kernel, static(plan(simplified(graph), ZEN4).cost.operations)


def graphs(path: Path, defines: dict[str, int], kernel: str | None = None) -> Iterator[tuple[str, Graph]]:
    program = check(parse_file(path), defines, matrices.HERE, only=kernel)
    return ((each.name, elaborate(each, program)) for each in program.kernels if kernel in (None, each.name))


def family(kernel: str) -> str:
    """The name without the numbers of a member."""
    stem, _, number = kernel.rpartition("_")
    return family(stem) if stem and number.isdigit() else kernel


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("file", sorted({file for file, *_ in read_table()}))
def test_operations(file: str, order: int) -> None:
    matrices.write(order)
    expected = {kernel: known for of, kernel, at, known in read_table() if (of, at) == (file, order)}
    actual = found(file, order) if expected else {}
    dearer = {
        kernel: (actual[kernel], known)
        for kernel, known in expected.items()
        if any(ours > theirs for ours, theirs in zip(actual[kernel], known, strict=True))
    }
    assert dearer == {}


@pytest.mark.parametrize(
    ("file", "kernel", "operations"),
    [
        ("volume", "volume", (4806, 4806)),
        ("derivative", "derivative", (6642, 6642)),
        ("local_flux", "localFlux", (3240, 6552)),
        ("points", "transformNRF", (216, 216)),
    ],
)
def test_with_patterns_the_main_kernels_take_as_many_operations_as_yateto_finds(
    file: str, kernel: str, operations: Interval, tmp_path: Path
) -> None:
    """Equal, not only no more: what is counted is the same."""
    matrices.write(4)
    counts = [
        static(plan(graph, ZEN4).cost.operations)
        for name, graph in graphs(with_patterns(file, tmp_path), {})
        if family(name) == kernel
    ]
    assert (min(counts), max(counts)) == operations


def with_patterns(file: str, folder: Path) -> Path:
    """A copy of a file that knows where the matrices of the method are zero, not what stands elsewhere."""
    text = (matrices.HERE / f"{file}.ein").read_text(encoding="utf-8")
    copy = folder / f"{file}.ein"
    copy.write_text(
        text.replace('constant values "matrices/order', 'constant nonzeros "matrices/order'), encoding="utf-8"
    )
    return copy


SAVED = {
    "computeTheta": (1068, 882),
    "computeImposedStateM": (921, 777),
    "computeImposedStateP": (921, 777),
    "addVelocity": (1110, 924),
    "subTriangleVelocity": (7548, 7488),
    "createEasiBoundaryGhostCells": (1710, 1620),
    "plComputeMean": (100, 60),
}
"""Operations of the dearest member at order 4: what YATeTo finds, and what is left where selections are no products and
common factors stand outside of sums."""


@pytest.mark.parametrize("kernel", SAVED)
def test_what_is_known_of_constants_saves_operations(kernel: str) -> None:
    matrices.write(4)
    file, yateto = next((of, known[1]) for of, name, at, known in read_table() if (name, at) == (kernel, 4))
    assert (yateto, found(file, 4)[kernel][1]) == SAVED[kernel]


@pytest.mark.parametrize(
    ("file", "kernel", "expected", "made"),
    [
        (
            "neighboring_flux",
            "neighboringFlux_0_0_0",
            (3482, 2682),
            {"rDivM_0_fP_0_rT_0_left": 34, "rDivM_0_fP_0_rT_0_right": 35},
        ),
        ("local_flux", "localFlux_0", (3240, 2160), {"rDivM_0_fMrT_0_left": 20, "rDivM_0_fMrT_0_right": 20}),
        ("local_flux", "localFlux_2", (6552, 4212), {"rDivM_2_fMrT_2_left": 77, "rDivM_2_fMrT_2_right": 77}),
        (
            "volume",
            "volume",
            (4806, 4230),
            {"kDivM_1_left": 27, "kDivM_1_right": 40, "kDivM_2_left": 36, "kDivM_2_right": 44},
        ),
    ],
)
def test_constants_with_values_are_multiplied_and_split_where_that_pays(
    tmp_path: Path, file: str, kernel: str, expected: tuple[int, int], made: dict[str, int]
) -> None:
    """The constants that are made, and how many of their entries are not zero."""
    matrices.write(4)
    ((_, plain),) = graphs(with_patterns(file, tmp_path), {}, kernel)
    ((_, graph),) = graphs(matrices.HERE / f"{file}.ein", {}, kernel)
    simpler = simplified(graph)
    assert (plan(plain, ZEN4).cost.operations, plan(simpler, ZEN4).cost.operations) == expected
    new = {tensor.name: tensor.values for tensor in simpler.tensors if tensor not in graph.tensors}
    assert {name: len(values) - values.count(0) for name, values in new.items() if values is not None} == made
