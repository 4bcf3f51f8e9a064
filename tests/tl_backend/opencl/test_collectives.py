"""Every collective instruction: transposes, factors, element types, layouts, work-groups that do not divide sizes."""

from itertools import cycle
from typing import Any

import numpy as np
import pytest

from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.opencl.harness import compare, function_of, integers

I8, I16, I32, I64 = ScalarType.I8, ScalarType.I16, ScalarType.I32, ScalarType.I64
U8, U16, U32, U64 = ScalarType.U8, ScalarType.U16, ScalarType.U32, ScalarType.U64
F32, F64, INDEX = ScalarType.F32, ScalarType.F64, ScalarType.INDEX
WORK_GROUPS = [(1, 1), (4, 1), (8, 2), (1, 3)]
M, N, K = 19, 7, 5


class Kernel:
    """A kernel with many instructions, each with a result of its own, so that one build tests them all."""

    def __init__(self, *, is_dynamic: bool = False, flag: str = "") -> None:
        self.is_dynamic = is_dynamic
        self.flag = flag
        self.arguments: dict[str, Any] = {}
        self.types: dict[str, str] = {}
        self.elements: dict[str, str] = {}
        self.instructions: list[str] = []

    def tensor(self, element: ScalarType, *shape: int, name: str = "") -> str:
        """The name of a new tensor argument."""
        name = name or f"out{len(self.types)}"
        extents = "x".join((element.value, *("?" if self.is_dynamic else str(size) for size in shape)))
        layout = f",strided<{','.join('?' * len(shape))}>" if self.is_dynamic and shape else ""
        self.types[name] = f"memref<{extents}{layout}>"
        self.elements[name] = element.value
        self.arguments[name] = integers(element, *shape, seed=len(self.types), limit=4)
        return name

    def scalar(self, element: ScalarType, value: float, name: str) -> str:
        """The name of a new scalar argument."""
        self.types[name] = element.value
        self.arguments[name] = value
        return f"%{name}"

    def add(self, instruction: str, coefficients: tuple[str, str], *operands: str) -> None:
        """An instruction: alpha comes first, beta before the last operand."""
        element = self.elements[operands[-1]]
        values = [coefficients[0], *(f"%{operand}" for operand in operands[:-1]), coefficients[1], f"%{operands[-1]}"]
        types = [element, *(self.types[operand] for operand in operands[:-1]), element, self.types[operands[-1]]]
        name, _, transposes = instruction.partition(".")
        words = ".".join(word for word in (name, transposes, self.flag) if word)
        self.instructions.append(f"{words} {', '.join(values)} : {', '.join(types)}")

    def compare(self, work_group: tuple[int, int], *, exact: bool = True) -> None:
        arguments = ", ".join(f"%{name}: {type_}" for name, type_ in self.types.items())
        body = "\n".join(self.instructions)
        compare(function_of(f"func @f({arguments}) {{\n{body}\n}}", work_group), self.arguments, exact=exact)


def coefficients(kernel: Kernel, element: ScalarType) -> list[tuple[str, str]]:
    """Pairs of alpha and beta: constants that are special or not, and values, of which one is 0."""
    constants = ["0.0", "1.0", "3.0"] if element.is_floating else ["0", "1", "3"]
    alpha, beta = kernel.scalar(element, 2, "alpha"), kernel.scalar(element, 3, "beta")
    zero = kernel.scalar(element, 0, "zero")
    return [
        (constants[1], constants[0]),
        (constants[1], constants[1]),
        (constants[2], constants[2]),
        (alpha, beta),
        (alpha, zero),
    ]


def add_all(kernel: Kernel, element: ScalarType) -> None:
    """All collective instructions with all transposes, cycling through the coefficients."""
    pairs = cycle(coefficients(kernel, element))
    a_n, a_t = kernel.tensor(element, M, K, name="A"), kernel.tensor(element, K, M, name="At")
    b_n, b_t = kernel.tensor(element, K, N, name="B"), kernel.tensor(element, N, K, name="Bt")
    s = kernel.tensor(element, name="s")
    x, y, z = (kernel.tensor(element, size, name=name) for size, name in ((M, "x"), (N, "y"), (K, "z")))
    for transposes, a, b in (("n.n", a_n, b_n), ("n.t", a_n, b_t), ("t.n", a_t, b_n), ("t.t", a_t, b_t)):
        kernel.add(f"gemm.{transposes}", next(pairs), a, b, kernel.tensor(element, M, N))
    for transpose, a in (("n", a_n), ("t", a_t)):
        kernel.add(f"gemv.{transpose}", next(pairs), a, z, kernel.tensor(element, M))
        kernel.add(f"axpby.{transpose}", next(pairs), a, kernel.tensor(element, M, K))
        kernel.add(f"axpby.{transpose}", next(pairs), x, kernel.tensor(element, M))
        kernel.add(f"sum.{transpose}", next(pairs), a, kernel.tensor(element, M))
        kernel.add(f"axpby.{transpose}", next(pairs), s, kernel.tensor(element))
        kernel.add(f"sum.{transpose}", next(pairs), x, kernel.tensor(element))
    kernel.add("ger", next(pairs), x, y, kernel.tensor(element, M, N))
    kernel.add("hadamard_product", next(pairs), x, x, kernel.tensor(element, M))


@pytest.mark.parametrize("work_group", WORK_GROUPS)
@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("element", [F32, F64, I32])
def test_every_instruction(element: ScalarType, is_dynamic: bool, work_group: tuple[int, int]) -> None:
    kernel = Kernel(is_dynamic=is_dynamic)
    add_all(kernel, element)
    kernel.compare(work_group)


@pytest.mark.parametrize("element", [I8, I16, I64, U8, U16, U32, U64, INDEX])
def test_integers_of_every_width_wrap_around(element: ScalarType) -> None:
    kernel = Kernel()
    add_all(kernel, element)
    kernel.arguments["A"][...] = (2 ** (element.bits - 2)) - 1
    kernel.compare((1, 1))


@pytest.mark.parametrize("work_group", [(1, 1), (4, 2)])
@pytest.mark.parametrize("element", [F32, F64, I32, I64])
def test_atomic_updates(element: ScalarType, work_group: tuple[int, int]) -> None:
    kernel = Kernel(flag="atomic")
    add_all(kernel, element)
    kernel.compare(work_group)


def test_f32_and_f64_are_mixed() -> None:
    kernel = Kernel()
    a, b = kernel.tensor(F32, M, K), kernel.tensor(F64, K, N)
    kernel.arguments[b] /= 3
    for element in (F32, F64):
        kernel.add("gemm.n.n", ("1.0", "0.0"), a, b, kernel.tensor(element, M, N))
        kernel.add("gemm.n.n", ("0.1", "0.3"), a, b, kernel.tensor(element, M, N))
        kernel.add("axpby.n", ("0.1", "1.0"), b, kernel.tensor(element, K, N))
        kernel.flag = "atomic"
        kernel.add("gemm.n.n", ("0.1", "0.3"), a, b, kernel.tensor(element, M, N))
        kernel.flag = ""
    kernel.compare((1, 1), exact=False)


@pytest.mark.parametrize("work_group", [(1, 1), (2, 2)])
@pytest.mark.parametrize("flag", ["", "atomic"])
def test_what_beta_0_overwrites_is_not_read(flag: str, work_group: tuple[int, int]) -> None:
    kernel = Kernel(flag=flag)
    zero = kernel.scalar(F64, 0, "zero")
    a, b = kernel.tensor(F64, M, K), kernel.tensor(F64, K, N)
    for beta in ("0.0", zero):
        kernel.add("gemm.n.n", ("1.0", beta), a, b, kernel.tensor(F64, M, N))
        kernel.add("axpby.t", ("2.0", beta), b, kernel.tensor(F64, N, K))
    for name in kernel.arguments:
        if name.startswith("out") and name not in (a, b):
            kernel.arguments[name][...] = np.nan
    kernel.compare(work_group)


@pytest.mark.parametrize("work_group", [(1, 1), (4, 2)])
@pytest.mark.parametrize("element", [F32, F64, I32, I64])
@pytest.mark.parametrize("beta", [1, 2])
def test_work_groups_that_update_the_same_entries_atomically_lose_nothing(
    beta: int, element: ScalarType, work_group: tuple[int, int]
) -> None:
    """Every group adds its own number; with beta = 2 all add nothing, so that the order does not matter."""
    one, scale = (f"{number}.0" if element.is_floating else str(number) for number in (1, beta))
    text = f"""func @f(%X: memref<{element.value}x5x?>, %Y: memref<{element.value}x5>) {{
      %g = group_id
      %x = subview %X[:, %g] : memref<{element.value}x5x?>
      axpby.n.atomic {one}, %x, {scale}, %Y
        : {element.value}, memref<{element.value}x5>, {element.value}, memref<{element.value}x5>
    }}"""
    groups = 500 if beta == 1 else 20
    arguments = {"X": integers(element, 5, groups) * (beta == 1), "Y": integers(element, 5)}
    compare(function_of(text, work_group), arguments, groups)
