"""Kernels for YATeTo: operations as it hands them over, our kernel interpreted, against einsum on whole tensors."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from einsum_front import ir
from einsum_front.core.diagnostics import CompileError
from einsum_front.driver import Session, compile_alone, gpu_target
from einsum_front.exporter.operations import Operations, graph_of
from einsum_front.exporter.routine import SUPPORT, routine_of
from einsum_front.runtime.artifact import GroupParameter
from einsum_front.tl_backend.interpret_kernel import interpret_kernel
from einsum_front.yateto.aspp import general
from einsum_front.yateto.memory import CSCMemoryLayout, DenseMemoryLayout, Range

Array = NDArray[Any]
SESSION = Session(gpu_target("sm_90", "cuda"))
ELEMENTS = 2
RANDOM = np.random.default_rng(0)


@dataclass(frozen=True)
class View:
    """A slice of a layout, as YATeTo has it."""

    base: Any
    index: int
    start: int
    end: int

    def shape(self) -> tuple[int, ...]:
        shape = self.base.shape()
        return (*shape[: self.index], self.end - self.start, *shape[self.index + 1 :])


@dataclass(frozen=True)
class Scalar:
    """A factor that the caller supplies."""

    text: str

    def name(self) -> str:
        return self.text


@dataclass(frozen=True)
class Description:
    """An operand; `letters` is also its list of indices, and slices are of the modes of `pattern`."""

    name: str
    indices: str
    pattern: Array
    slices: Mapping[int, tuple[int, int]]
    layout: Any
    is_compute_constant: bool = False
    is_temporary: bool = False

    @property
    def memoryLayout(self) -> Any:
        layout = self.layout
        for mode, (start, end) in self.slices.items():
            layout = View(layout, mode, start, end)
        return layout

    @property
    def part(self) -> tuple[slice, ...]:
        return tuple(slice(*self.slices.get(mode, (None, None))) for mode in range(self.pattern.ndim))

    @property
    def eqspp(self) -> Any:
        return general(self.pattern[self.part])


def operand(
    name: str,
    indices: str,
    shape: Sequence[int] = (),
    *,
    pattern: Array | None = None,
    slices: Mapping[int, tuple[int, int]] | None = None,
    layout: Any = None,
    **kinds: bool,
) -> Description:
    mask = np.ones(shape, dtype=bool) if pattern is None else pattern
    lying = DenseMemoryLayout.fromSpp(general(mask)) if layout is None else layout
    return Description(name, indices, mask, slices or {}, lying, **kinds)


@dataclass(frozen=True)
class Step:
    """`target (= | +=) factors`."""

    target: Description
    factors: tuple[Any, ...]
    is_added: bool = False


def operations_of(steps: Sequence[Step]) -> Operations:
    operations = Operations()
    for step in steps:
        operations.add(step.target, step.factors, is_added=step.is_added)
    return operations


def entries_of(layout: Any) -> Iterator[tuple[tuple[int, ...], tuple[int, ...] | int]]:
    """Positions of a tensor and where they are in the array of our kernel."""
    if layout.isCSC():
        columns = layout.colPointer()
        for column in range(len(columns) - 1):
            for place in range(columns[column], columns[column + 1]):
                yield (int(layout.rowIndex()[place]), column), place
        return
    box = layout.bbox()
    for entry in product(*(range(each.start, each.stop) for each in box)):
        if all(at < size for at, size in zip(entry, layout.shape(), strict=True)):
            yield entry, tuple(at - each.start for at, each in zip(entry, box, strict=True))


def reference(steps: Sequence[Step], tensors: dict[str, Array], scalars: Mapping[str, float]) -> None:
    """What the operations mean, on whole tensors of one element."""
    for step in steps:
        target = step.target
        if target.is_temporary and not step.is_added:
            tensors[target.name] = np.zeros(target.pattern.shape)
        value, letters = 1.0, []
        arrays: list[Array] = []
        for factor in step.factors:
            if isinstance(factor, Description):
                arrays.append(tensors[factor.name][factor.part])
                letters.append(factor.indices)
            else:
                value *= scalars[factor.name()] if isinstance(factor, Scalar) else factor
        own = target.indices
        lacking = [letter for letter in own if letter not in "".join(letters)]
        part: Any = (*target.part, ...)
        whole = tensors[target.name][part]
        ones = [np.ones(whole.shape[own.index(letter)]) for letter in lacking]
        found = value * np.einsum(",".join([*letters, *lacking]) + "->" + own, *arrays, *ones)
        whole[...] = found + (whole if step.is_added else 0)


def check(steps: Sequence[Step]) -> None:
    """Our kernel, with an offset in front of each member, against the reference."""
    operations = operations_of(steps)
    stages = compile_alone(SESSION, graph_of(operations, "fused", ir.ElementType.F64))
    assert stages.artifact.elements_per_group == 1
    operands = {each.name: each for step in steps for each in (step.target, *step.factors) if hasattr(each, "layout")}
    given = {name: each for name, each in operands.items() if not each.is_temporary}
    scalars = dict.fromkeys(operations.scalars.values(), 0.75)
    whole: list[dict[str, Array]] = []
    shared = {name: numbers(each) for name, each in given.items() if each.is_compute_constant}
    for _ in range(ELEMENTS):
        whole.append({name: shared.get(name, numbers(each)) for name, each in given.items()})
    arguments: dict[str, Any] = {name: scalars[text] for name, text in operations.scalars.items()}
    named = {argument.spelling: name for name, argument in operations.tensors.items()}
    for name, each in given.items():
        arguments[named[name]] = [memory(element[name], each) for element in whole]
    for parameter in stages.artifact.parameters:
        if not isinstance(parameter, GroupParameter) and parameter.name in arguments:
            first = arguments[parameter.name]
            arguments[parameter.name] = first[0] if isinstance(first, list) else first
    interpret_kernel(stages.scheduled, arguments, ELEMENTS)
    for number, element in enumerate(whole):
        expected = dict(element)
        reference(steps, expected, scalars)
        for name, each in given.items():
            found = arguments[named[name]]
            array = found[number] if isinstance(found, list) else found
            for entry, place in entries_of(each.layout):
                assert array[place] == pytest.approx(expected[name][entry], abs=1e-12), (name, entry)


def numbers(each: Description) -> Array:
    return np.where(each.pattern, RANDOM.uniform(-1, 1, each.pattern.shape), 0.0)


def memory(whole: Array, each: Description) -> Array:
    layout = each.layout
    shape = (layout.requiredReals(),) if layout.isCSC() else tuple(max(1, r.stop - r.start) for r in layout.bbox())
    array = np.zeros(shape, order="F")
    for entry, place in entries_of(layout):
        array[place] = whole[entry]
    return array


def sparse(shape: tuple[int, int], entries: Sequence[tuple[int, int]]) -> Array:
    pattern = np.zeros(shape, dtype=bool)
    for entry in entries:
        pattern[entry] = True
    return pattern


Q, FIELD, TWIN = operand("Q", "kp", (10, 9)), operand("I", "lq", (10, 9)), operand("I", "kp", (10, 9))
STAR = operand("star(0)", "qp", pattern=sparse((9, 9), [(0, 6), (3, 7), (6, 1), (8, 8)]))
HALF = np.arange(100).reshape(10, 10) % 10 < 4  # columns 4 to 9 are zero: they are not stored
K = operand("kDivM(1)", "kl", pattern=HALF, is_compute_constant=True)
TEMPORARY = operand("_tmp0", "lp", (10, 9), is_temporary=True)
SHORT = operand("_tmp0", "kp", (4, 9), is_temporary=True)
HIGH = np.zeros((10, 9), dtype=bool)
HIGH[4:, 2:5] = True

KERNELS: dict[str, list[Step]] = {
    "volume": [
        Step(TEMPORARY, (FIELD, STAR)),
        Step(Q, (K, TEMPORARY), is_added=True),
        Step(TEMPORARY, (FIELD, STAR, 2.0)),
        Step(Q, (K, TEMPORARY, Scalar("power(3)")), is_added=True),
    ],
    "a temporary of two shapes": [
        Step(TEMPORARY, (FIELD, STAR)),
        Step(Q, (K, TEMPORARY)),
        Step(SHORT, (operand("I", "kp", (10, 9), slices={0: (2, 6)}),)),
        Step(operand("Q", "kp", (10, 9), slices={0: (1, 5)}), (SHORT,), is_added=True),
    ],
    "what is not computed becomes zero": [Step(Q, (operand("A", "kp", pattern=HIGH),))],
    "nothing is computed": [Step(Q, (operand("A", "kl", pattern=HALF), operand("B", "lp", pattern=HIGH)))],
    "part of a target": [
        Step(operand("Q", "kp", (10, 9), slices={0: (3, 9), 1: (0, 3)}), (operand("A", "kp", (6, 3), pattern=None),)),
    ],
    "slices of slices": [
        Step(
            operand("Q", "k", (10,), slices={0: (2, 5)}),
            (operand("A", "kl", (10, 9), slices={0: (4, 7), 1: (1, 6)}), operand("B", "l", (5,))),
        )
    ],
    "a box that begins late": [Step(operand("D", "kp", pattern=HIGH), (operand("B", "kp", pattern=HIGH), 0.5))],
    "sums and repetition": [
        Step(operand("s", "k", (10,)), (operand("I", "kp", (10, 9)),)),
        Step(operand("Q", "kp", (10, 9)), (operand("s", "k", (10,)),), is_added=True),
    ],
    "rank 0": [Step(operand("s", ""), (operand("I", "kp", (10, 9)), operand("Q", "kp", (10, 9))))],
    "a matrix by its entries": [
        Step(
            operand("Q", "kp", (10, 9)),
            (
                operand("I", "kq", (10, 9)),
                operand("W", "qp", pattern=STAR.pattern, layout=CSCMemoryLayout(general(STAR.pattern))),
                -1.0,
            ),
            is_added=is_added,
        )
        for is_added in (False, True)
    ],
    "three modes": [
        Step(
            operand("C", "abc", (4, 3, 2)),
            (operand("A", "bad", (3, 4, 5)), operand("B", "dc", (5, 2), is_compute_constant=True)),
        )
    ],
    "a permutation": [Step(operand("C", "ba", (4, 3)), (operand("A", "ab", (3, 4)),))],
}


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_means_its_operations(name: str) -> None:
    check(KERNELS[name])


def test_padded_rows_are_left_alone() -> None:
    layout = DenseMemoryLayout((10, 9), (Range(0, 12), Range(0, 9)))
    check([Step(operand("Q", "kp", (10, 9), layout=layout), (TWIN, 3.0))])


def test_random_products() -> None:
    for _ in range(12):
        left = np.zeros((6, 7), dtype=bool)
        rows, columns = sorted(RANDOM.integers(0, 6, 2)), sorted(RANDOM.integers(0, 7, 2))
        left[rows[0] : rows[1] + 1, columns[0] : columns[1] + 1] = RANDOM.random() < 2
        left[rows[0], columns[0]] = True
        right = RANDOM.random((7, 5)) < 0.3
        right[3, 2] = True
        target = operand("C", "ik", (6, 5))
        factors = operand("A", "ij", pattern=left), operand("B", "jk", pattern=right, is_compute_constant=True)
        check([Step(target, factors, is_added=bool(RANDOM.integers(2)))])


def test_operations_are_counted_over_boxes() -> None:
    operations = Operations()
    assert operations.add(TEMPORARY, (FIELD, STAR), is_added=False) == 2 * 10 * 8 * 9
    assert operations.add(Q, (K, TEMPORARY, 2.0), is_added=True) == 3 * 10 * 4 * 9
    assert operations.add(Q, (TWIN,), is_added=True) == 10 * 9


def test_equal_kernels_are_one_function() -> None:
    def routine(name: str) -> Any:
        steps = [Step(operand(name, "kp", (10, 9)), (TWIN,), is_added=True)]
        return routine_of(operations_of(steps), ir.ElementType.F64, SESSION, "cuda")

    one, again, other = routine("Q"), routine("Q"), routine("P")
    assert one == again
    assert one.name != other.name
    assert one.call == f"{one.name}(I, extraOffset_I, Q, extraOffset_Q, numElements, flags, streamPtr);"


def codes(steps: Sequence[Step]) -> list[str]:
    with pytest.raises(CompileError) as caught:
        check(steps)
    return [each.code for each in caught.value.diagnostics]


def test_what_is_refused() -> None:
    stored = CSCMemoryLayout(general(STAR.pattern))
    target = operand("W", "qp", pattern=STAR.pattern, layout=stored)
    assert codes([Step(target, (STAR,))]) == ["E0166"]
    left, right = operand("V", "kq", pattern=STAR.pattern, layout=stored), target
    assert codes([Step(operand("Q", "kp", (9, 9)), (left, right))]) == ["E0166"]
    assert codes([Step(Q, (TWIN,)), Step(operand("Q", "k", (10,)), (operand("s", "k", (10,)),))]) == ["E0166"]
    large = operand("_tmp0", "ij", (250, 250), is_temporary=True)
    steps = [Step(large, (operand("A", "ij", (250, 250)),)), Step(operand("B", "ij", (250, 250)), (large,))]
    steps.insert(1, Step(operand("C", "ik", (250, 250)), (large, operand("A", "jk", (250, 250)))))
    with pytest.raises(CompileError, match="232448 bytes of shared memory"):
        routine_of(operations_of(steps), ir.ElementType.F64, SESSION, "cuda")
    with pytest.raises(CompileError, match="E0165"):
        gpu_target("sm_91", "cuda")


# -- what compilers and YATeTo say -------------------------------------------------------------------------------------


def needs(program: str) -> str:
    if shutil.which(program) is None:
        pytest.skip(f"no {program} on this machine")
    return program


def test_nvcc_takes_the_functions(tmp_path: Path) -> None:
    nvcc = needs("nvcc")
    routines = [
        routine_of(operations_of(steps), ir.ElementType.F64, SESSION, "cuda")
        for name, steps in KERNELS.items()
        if name in ("volume", "a matrix by its entries", "rank 0")
    ]
    file = tmp_path / "routines.cu"
    text = SUPPORT.replace("PREFIX", "cuda") + "".join(each.definition for each in routines)
    file.write_text(text, encoding="utf-8")
    command = [nvcc, "-arch=sm_90", "-Werror=all-warnings", "-ptx", "-o", str(tmp_path / "routines.ptx"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


SCRIPT = """
import sys
import numpy as np
import yateto
from yateto import Generator, Scalar, Tensor, deriveArchitecture, fixArchitectureGlobal
from yateto import DeviceArchDefinition, HostArchDefinition, simpleParameterSpace
from yateto.gemm_configuration import Eigen, GeneratorCollection
from einsum_front.exporter import get_routine_generator

arch = deriveArchitecture(
    HostArchDefinition("hsw", "d", None, None), DeviceArchDefinition("sm_90", "nvidia", "cuda", "d", None)
)
fixArchitectureGlobal(arch)
Q, I = Tensor("Q", (10, 9)), Tensor("I", (10, 9))
star = [Tensor(f"star({d})", (9, 9), spp=np.eye(9, k=d, dtype=bool)) for d in range(3)]
K = [Tensor(f"K({d})", (10, 10), spp=np.eye(10, k=d + 1)) for d in range(3)]
generator = Generator(arch)
volume = Q["kp"]
for d in range(3):
    volume = volume + K[d]["kl"] * I["lq"] * star[d]["qp"]
generator.add("volume", Q["kp"] <= volume, target="gpu")
generator.addFamily(
    "flux", simpleParameterSpace(3), lambda d: Q["kp"] <= Scalar("dt") * I["kq"] * star[d]["qp"], target="gpu"
)
generator.generate(
    sys.argv[1],
    gemm_cfg=GeneratorCollection([Eigen(arch)]),
    routine_exporters={"gpu": get_routine_generator(yateto)},
)
"""


def test_yateto_makes_kernels_with_it(tmp_path: Path) -> None:
    yateto: ModuleType = pytest.importorskip("yateto", reason="YATeTo is not installed")
    nvcc = needs("nvcc")
    script, folder = tmp_path / "script.py", tmp_path / "made"
    script.write_text(SCRIPT, encoding="utf-8")
    folder.mkdir()
    done = subprocess.run([sys.executable, script, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / "kernel.cpp").read_text(encoding="utf-8").count("    einsum_front_") == 4
    include = Path(str(yateto.__file__)).parents[1] / "include"
    file = folder / "gpulike_subroutine.cpp"
    command = [nvcc, "-x", "cu", "-std=c++17", f"-I{include}", "-c", "-o", folder / "kernels.o", file]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
