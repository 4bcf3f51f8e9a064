"""NaN and infinity by the rules of `docs/notation.md`: generated sums of products, each with what NumPy makes of it.

Numbers are small integers, NaN and infinities, so that no rounding and no overflow takes part.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.driver.verification import copies, levels

Array = NDArray[Any]

SHAPES = {"x": "i", "z": "i", "y": "i", "v": "j", "A": "ij", "B": "ij", "M": "ki", "N": "kj", "c": ""}
EXTENTS = {"i": 4, "j": 3, "k": 2}
CONSTANTS = ("v", "M", "N")
SCALARS = {"s": 2.0, "t": -1.0}
BATCH = 2


@dataclass
class Program:
    """Statements that change `y`, and what NumPy does in their place."""

    text: str
    arrays: dict[str, Array] = field(default_factory=dict)

    def expected(self) -> Array:
        """All terms one by one; a literal 0 takes its term away."""
        state = {name: array.copy() for name, array in self.arrays.items()}
        with np.errstate(all="ignore"):
            for operator, terms in self.statements:
                total = np.zeros((BATCH, EXTENTS["i"]))
                for number, scalars, factors in terms:
                    if number:
                        total = total + number * math.prod(SCALARS[each] for each in scalars) * _product(factors, state)
                state["y"] = {"=": total, "+=": state["y"] + total, "-=": state["y"] - total}[operator]
        return state["y"]

    statements: list[tuple[str, list[tuple[float, list[str], list[tuple[str, str]]]]]] = field(default_factory=list)


def _product(factors: list[tuple[str, str]], state: dict[str, Array]) -> Array:
    """Σ of the factors over all indices but i and the batch; each entry of it is multiplied out."""
    letters = "bijk"
    operands: list[Any] = [np.ones((BATCH, EXTENTS["i"])), [0, 1]]
    for name, indices in factors:
        batch = "" if name in CONSTANTS else "b"
        operands += [state[name], [letters.index(each) for each in batch + indices]]
    return np.asarray(np.einsum(*operands, [0, 1]))


def program(seed: int) -> Program:
    """A few statements, many of whose terms cancel, come twice or have a literal 0."""
    numbers = random.Random(seed)
    made = Program("")
    entries = [1.0, 2.0, -1.0, 0.0, 3.0, math.nan, math.inf, -math.inf]
    for name, modes in SHAPES.items():
        shape = tuple(EXTENTS[mode] for mode in modes)
        whole = shape if name in CONSTANTS else (BATCH, *shape)
        weights = [8, 8, 8, 4, 8, 1, 1, 1] if numbers.random() < 0.7 else [1] * 5 + [0] * 3
        made.arrays[name] = np.array(numbers.choices(entries, weights, k=math.prod(whole))).reshape(whole)
    lines = []
    for _ in range(numbers.randint(1, 2)):
        operator = numbers.choice(["=", "+=", "-="])
        terms = list(_terms(numbers))
        made.statements.append((operator, terms))
        lines.append(f"y[i] {operator} {' + '.join(map(_text, terms))}")
    declared = [
        f"tensor {name}[{','.join(str(EXTENTS[mode]) for mode in modes)}]{' constant' * (name in CONSTANTS)}"
        for name, modes in SHAPES.items()
    ]
    made.text = "\n".join([*declared, "scalar s", "scalar t", "kernel f {", *lines, "}"])
    return made


FACTORS = (
    [("x", "i")],
    [("z", "i")],
    [("y", "i")],
    [("A", "ij"), ("v", "j")],
    [("B", "ij"), ("v", "j")],
    [("A", "ij"), ("B", "ij")],
    [("M", "ki"), ("N", "kj"), ("v", "j")],
    [("x", "i"), ("c", "")],
)


def _terms(numbers: random.Random) -> Iterator[tuple[float, list[str], list[tuple[str, str]]]]:
    chosen = numbers.sample(FACTORS, numbers.randint(1, 3))
    for _ in range(numbers.randint(1, 4)):
        scalars = numbers.choice([[], [], [], ["s"], ["s", "t"]])
        yield numbers.choice([1.0, -1.0, 2.0, -2.0, 0.0, 1.0, -1.0]), scalars, numbers.choice(chosen)


def _text(term: tuple[float, list[str], list[tuple[str, str]]]) -> str:
    number, scalars, factors = term
    return " * ".join([f"({number!r})", *scalars, *(f"{name}[{indices}]" for name, indices in factors)])


def results(made: Program, device: str, *, on_device: bool) -> Iterator[tuple[str, Array]]:
    kernel = ef.compile(ef.parse(made.text), device=device)["f"]
    taken = {parameter.name for parameter in kernel.artifact.arguments}
    arguments = {name: value for name, value in {**made.arrays, **SCALARS}.items() if name in taken}
    for name, run in levels(kernel.translation, kernel.device, BATCH):
        if on_device or name != "device":
            own = copies(arguments)
            run(own)
            yield name, np.asarray(own["y"])


def assert_right(made: Program, device: str, *, on_device: bool) -> None:
    expected = made.expected()
    finite = np.isfinite(expected)
    for level, found in results(made, device, on_device=on_device):
        assert np.array_equal(np.isfinite(found), finite), f"{level}: {found}, expected {expected} of\n{made.text}"
        assert np.array_equal(found[finite], expected[finite]), f"{level}: {found}, expected {expected}"


@pytest.mark.generated
@given(st.integers(0, 1 << 32))
def test_what_is_not_finite_stays_so(seed: int) -> None:
    assert_right(program(seed), "auto", on_device=False)


@pytest.mark.parametrize("device", ["auto", "c"])
@pytest.mark.parametrize("seed", range(6))
def test_so_it_does_on_the_device(seed: int, device: str) -> None:
    assert_right(program(seed), device, on_device=True)


STATEMENTS = {
    "y[i] = x[i] - x[i]": [0, np.nan, np.nan, np.nan],
    "y[i] = 2 * x[i] - x[i]": [1, np.nan, np.nan, np.nan],
    "y[i] -= y[i]": [0, 0, np.nan, 0],
    "y[i] = x[i] - y[i] + y[i]": [1, np.nan, np.nan, -np.inf],
    "y[i] = (A[i,j] - A[i,j]) * v[j]": [0, np.nan, 0, 0],
    "y[i] = A[i,j] * v[j] - A[i,j] * v[j]": [0, np.nan, 0, 0],
    "y[i] = exp(x[i]) - exp(x[i])": [0, np.nan, np.nan, 0],
    "y[i] = sum{d in 0:2}((1 - 2 * d) * x[i])": [0, np.nan, np.nan, np.nan],
    "y[i] = (s - s) * x[i]": [0, np.nan, np.nan, np.nan],
    "y[i] = 0 * x[i] + y[i]": [1, 2, np.inf, 4],
    "y[i] = 0 * exp(x[i])": [0, 0, 0, 0],
    "y[i] = x[i] / x[i]": [1, np.nan, np.nan, np.nan],
}
"""Of x = 1, NaN, ∞, -∞, y = 1, 2, ∞, 4 and A with ∞ in row 1."""


def given_numbers() -> dict[str, Array | float]:
    a = np.ones((1, 4, 2))
    a[0, 1, 0] = np.inf
    x, y = np.array([[1, np.nan, np.inf, -np.inf]]), np.array([[1, 2, np.inf, 4.0]])
    return {"x": x, "y": y, "A": a, "v": np.ones((1, 2)), "s": 3.0}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_every_level_keeps_what_numpy_does(statement: str) -> None:
    declared = "tensor y[4] tensor x[4] tensor A[4,2] tensor v[2] scalar s"
    kernel = ef.compile(ef.parse(f"{declared} kernel f {{ {statement} }}"))["f"]
    taken = {parameter.name for parameter in kernel.artifact.arguments}
    for level, run in levels(kernel.translation, kernel.device, 1):
        own = copies({name: value for name, value in given_numbers().items() if name in taken})
        run(own)
        np.testing.assert_array_equal(own["y"], [STATEMENTS[statement]], err_msg=level)


TEXTS = {
    "tl": """;! batched %x
      ;! batched %y
      func @f(%x: memref<f64x4x?>, %y: memref<f64x4x?>) {
        %g = group_id
        %xg = subview %x[:, %g] : memref<f64x4x?>
        %yg = subview %y[:, %g] : memref<f64x4x?>
        axpby.n 0.0, %xg, 0.0, %yg : f64, memref<f64x4>, f64, memref<f64x4>
        foreach %i = 0, 4 {
          %a = load %xg[%i] : memref<f64x4>
          %b = arith.mul %a, 0.0 : f64
          %c = arith.sub %a, %a : f64
          %d = arith.add %b, %c : f64
          %e = load %yg[%i] : memref<f64x4>
          %f = arith.add %d, %e : f64
          store %f, %yg[%i] : memref<f64x4>
        }
      }""",
    "yir": """define @f(%x: group<memref<f64x4>, distance<4>>, %y: group<memref<f64x4>, distance<4>>) {
        %xi = get_work_item %x : group<memref<f64x4>, distance<4>>
        %yi = get_work_item %y : group<memref<f64x4>, distance<4>>
        axpby {i to i} 0.0, %xi, 0.0, %yi : memref<f64x4> to memref<f64x4>
        axpby {i to i} 1.0, %xi, 1.0, %yi : memref<f64x4> to memref<f64x4>
        axpby {i to i} -1.0, %xi, 1.0, %yi : memref<f64x4> to memref<f64x4>
      }""",
    "mlir": """func.func @f(%x: memref<4xf64>, %y: memref<4xf64>) {
        linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%x : memref<4xf64>) outs(%y : memref<4xf64>) {
        ^bb0(%a: f64, %b: f64):
          %c = arith.subf %a, %a : f64
          %n = arith.negf %a : f64
          %d = arith.addf %n, %a : f64
          %e = arith.addf %c, %d : f64
          linalg.yield %e : f64
        }
        return
      }""",
}
"""Differences of equal numbers, and below the notation products with 0: these are multiplied there."""


@pytest.mark.parametrize("device", ["auto", "c"])
@pytest.mark.parametrize("suffix", TEXTS)
def test_texts_below_the_notation_keep_it_too(tmp_path: Path, suffix: str, device: str) -> None:
    path = tmp_path / f"f.{suffix}"
    path.write_text(TEXTS[suffix], encoding="utf-8")
    options: dict[str, Any] = {"batch_dim": "none"} if suffix == "mlir" else {}
    (kernel,) = ef.compile(ef.parse(path), device=device, **options).values()
    numbers = given_numbers()
    for level, run in levels(kernel.translation, kernel.device, 1):
        own = copies({"x": numbers["x"], "y": numbers["y"]})
        run(own)
        np.testing.assert_array_equal(own["y"], [[0, np.nan, np.nan, np.nan]], err_msg=level)
