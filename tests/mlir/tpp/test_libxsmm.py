"""LIBXSMM as an oracle: `matmul` and `brgemm` give its numbers, interpreted and as kernels, with and without a sum."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import einsum_front as ef
from benchmarks.arguments import random
from benchmarks.case import Case, FileSource, WorkingSet
from benchmarks.chain import Chain, Matrix
from benchmarks.chain import Product as Step
from benchmarks.ours import translate
from benchmarks.peers.libxsmm import prepare, why_missing
from einsum_front.core.diagnostics import Source
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.parse import parse
from einsum_front.mlir.verify import check

MISSING = why_missing()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=f"LIBXSMM is not installed: {MISSING}")

Array = NDArray[np.floating]
BATCH = 3
NUMBERS = {"f64": np.float64, "f32": np.float32}


@dataclass(frozen=True)
class Product:
    """C (m x n) = sum of `reduced` A (m x k) B (k x n), and what C was if it `adds`; with 0, A and B are no stacks."""

    m: int
    n: int
    k: int
    reduced: int
    adds: bool

    @property
    def copies(self) -> int:
        """Products that are added."""
        return max(1, self.reduced)

    def text(self, element: str) -> str:
        """The primitive on memory."""
        stack = f"{self.reduced}x" if self.reduced else ""
        a, b, c = (
            f"memref<{shape}x{element}>"
            for shape in (f"{stack}{self.m}x{self.k}", f"{stack}{self.k}x{self.n}", f"{self.m}x{self.n}")
        )
        ins, types = ("%a, %b, %c", f"{a}, {b}, {c}") if self.adds else ("%a, %b", f"{a}, {b}")
        name = "brgemm" if self.reduced else "matmul"
        return (
            f"func.func @f(%a: {a}, %b: {b}, %c: {c}) {{\n"
            f"  tpp.{name} ins({ins}) outs(%c) : ({types}, {c})\n  return\n}}\n"
        )

    def by_libxsmm(self, element: str, folder: Path) -> dict[str, Array]:
        """Random A, B and C of some elements, row by row as primitives have them, and the result by LIBXSMM."""
        path = folder / "product.ein"
        path.write_text(
            f"tensor A[{self.m}, {self.k}, {self.copies}]\ntensor B[{self.k}, {self.n}, {self.copies}]\n"
            f"tensor C[{self.m}, {self.n}]\nkernel f {{ C[ij] += A[ikr] * B[kjr] }}\n",
            encoding="utf-8",
        )
        source = FileSource(path, "f", {})
        arguments = random(translate(source, element, "auto").kernel, BATCH, is_single=False)
        a = Matrix("A", self.m, distance=self.m * self.k)
        b = Matrix("B", self.k, distance=self.k * self.n)
        step = Step(a, b, Matrix("C", self.m), self.m, self.n, self.k, int(self.adds), 1, self.copies)
        case = Case("", source, element, WorkingSet.CACHE, (), chain=lambda _arrays: Chain((step,)))
        runner = prepare(case, arguments, 1)
        assert runner is not None
        runner.run()
        found = {"a": np.moveaxis(arguments.array("A"), 3, 1), "b": np.moveaxis(arguments.array("B"), 3, 1)}
        if not self.reduced:
            found = {name: each[:, 0] for name, each in found.items()}
        found |= {"c": arguments.array("C"), "result": runner.outputs()["C"]}
        return {name: np.array(each, NUMBERS[element], order="C") for name, each in found.items()}


PRODUCTS = [
    Product(m, n, k, reduced, adds)
    for m, n, k in ((8, 8, 8), (5, 3, 7), (16, 9, 4))
    for reduced in (0, 1, 4)
    for adds in (False, True)
]


def compare(found: Array, product: Product, data: dict[str, Array]) -> None:
    """Two orders of the same sum: each term is rounded as often as there are terms, on either side."""
    a, b = (abs(data[name]).reshape(BATCH, product.copies, *data[name].shape[-2:]) for name in "ab")
    size = (a @ b).sum(axis=1) + abs(data["c"])
    terms = product.copies * product.k + 1
    error = abs(found - data["result"])
    assert (error <= 2 * terms * np.finfo(found.dtype).eps * size).all()


@pytest.mark.parametrize("element", NUMBERS)
@pytest.mark.parametrize("product", PRODUCTS, ids=str)
def test_the_interpreter(product: Product, element: str, tmp_path: Path) -> None:
    data = product.by_libxsmm(element, tmp_path)
    module = parse(Source("f.tpp", product.text(element)))
    check(module)
    found = data["c"].copy()
    for number in range(BATCH):
        interpret(module, "f", [data["a"][number], data["b"][number], found[number]])
    compare(found, product, data)
    if product.adds:
        with pytest.raises(AssertionError):
            compare(found - data["c"], product, data)


@pytest.mark.parametrize("element", NUMBERS)
@pytest.mark.parametrize("product", PRODUCTS[1::5], ids=str)
def test_kernels(product: Product, element: str, tmp_path: Path) -> None:
    data = product.by_libxsmm(element, tmp_path)
    path = tmp_path / "f.tpp"
    path.write_text(product.text(element), encoding="utf-8")
    found = data["c"].copy()
    ef.compile(ef.parse(path))["f"](a=data["a"], b=data["b"], c=found)
    compare(found, product, data)
