"""Random programs with functions of entries, as text, each with what NumPy makes of it.

A statement is over indices i and j; an expression knows its value as an array (batch, i, j), so nothing of the notation
takes part in what is expected. Numbers stay of moderate size: logarithms and divisors are kept away from 0, exponents
from large numbers, and comparisons are of entries, whose order rounding does not change.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from math import erf

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Array = NDArray[np.float64]
Environment = dict[str, Array]
Value = Callable[[Environment], Array]

SHAPES = {"A": "ij", "B": "ij", "Z": "ij", "u": "i", "v": "j", "M": "ik", "N": "kj", "c": ""}
CONSTANTS = ("v", "N")


def _erf(x: Array) -> Array:
    return np.asarray(np.frompyfunc(erf, 1, 1)(x), np.float64)


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression, and its value over (batch, i, j)."""

    text: str
    value: Value


@dataclass(frozen=True, slots=True)
class FunctionProgram:
    """A program that writes `Y`, `m` and perhaps `Z`, and what they are then."""

    text: str
    extents: dict[str, int]
    zeros: tuple[tuple[int, int], ...]
    results: dict[str, Value]

    def arguments(self, batch: int, seed: int) -> Environment:
        """Random entries, some of them equal; those of `Z` that are declared to be zero hold NaN."""
        random = np.random.default_rng(seed)
        arrays = {}
        for name, modes in {**SHAPES, "Y": "ij", "m": "i"}.items():
            shape = tuple(self.extents[mode] for mode in modes)
            arrays[name] = random.uniform(-2, 2, shape if name in CONSTANTS else (batch, *shape))
            arrays[name].flat[:: random.integers(2, 5)] = random.choice([0.0, 1.0, -1.0])
        for position in self.zeros:
            arrays["Z"][:, *position] = np.nan
        return arrays

    def expected(self, arguments: Environment) -> Environment:
        """What NumPy says that the arguments are after the kernel."""
        known = {name: np.nan_to_num(array) for name, array in arguments.items()}
        spread = {
            "A": known["A"], "B": known["B"], "Z": known["Z"], "M": known["M"], "N": known["N"],
            "u": known["u"][:, :, None], "v": known["v"][None, None, :], "c": known["c"][:, None, None],
            "Y": known["Y"], "m": known["m"],
        }  # fmt: skip
        for name, value in self.results.items():
            spread[name] = value(spread)
        return {name: np.broadcast_to(spread[name], arguments[name].shape) for name in self.results}


def _apart(text: str) -> str:
    """Each value over `k` with an index of its own: one that stands in two factors is summed over both."""
    names = count()
    values = "|".join(re.escape(each.text) for each in (CONTRACTION, LARGEST, SMALLEST))
    return re.sub(values, lambda found: found[0].replace("k", f"k{next(names)}"), text)


def _leaf(name: str) -> Formula:
    indices = {"A": "i,j", "B": "i,j", "Z": "i,j", "u": "i,", "v": "j,", "c": ""}[name]
    return Formula(f"{name}[{indices}]", lambda of: of[name])


LEAVES = tuple(map(_leaf, ("A", "B", "Z", "u", "v", "c")))
CONTRACTION = Formula("(M[i,k] * N[k,j])", lambda of: of["M"] @ of["N"])
LARGEST = Formula(
    "max{k}(M[i,k] + N[k,j])", lambda of: (of["M"][:, :, :, None] + of["N"][None, None, :, :]).max(axis=2)
)
SMALLEST = Formula("min{k}(M[i,k])", lambda of: of["M"].min(axis=2)[:, :, None])

UNARY: dict[str, Callable[[Array], Array]] = {
    "exp(min({}, 2))": lambda x: np.exp(np.minimum(x, 2)),
    "log(abs({}) + 0.5)": lambda x: np.log(np.abs(x) + 0.5),
    "sqrt(abs({}))": lambda x: np.sqrt(np.abs(x)),
    "tanh({})": np.tanh,
    "erf({})": _erf,
    "abs({})": np.abs,
    "relu({})": lambda x: np.maximum(x, 0),
    "sigmoid({})": lambda x: 1 / (1 + np.exp(-x)),
    "softplus({})": lambda x: np.logaddexp(0, x),
    "log1p(abs({}))": lambda x: np.log1p(np.abs(x)),
    "gelu({})": lambda x: 0.5 * x * (1 + _erf(x / np.sqrt(2))),
    "(-{})": np.negative,
    "(0.5 * {})": lambda x: 0.5 * x,
}
BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "max({}, {})": np.maximum,
    "min({}, {})": np.minimum,
    "({} + {})": np.add,
    "({} - {})": np.subtract,
    "({} * {})": np.multiply,
    "({} / (1 + abs({})))": lambda x, y: x / (1 + np.abs(y)),
}
COMPARISONS: dict[str, Callable[[Array, Array], NDArray[np.bool_]]] = {
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal,
}  # fmt: skip


def formulas() -> st.SearchStrategy[Formula]:
    """Expressions of some depth."""
    numbers = st.sampled_from((0.0, 1.0, -0.5)).map(lambda n: Formula(f"({n!r})", lambda _of: np.full((1, 1, 1), n)))
    leaves = st.sampled_from((*LEAVES, CONTRACTION, LARGEST, SMALLEST))
    return st.recursive(leaves, lambda inner: _composed(inner, inner | numbers), max_leaves=6)


def _composed(inner: st.SearchStrategy[Formula], other: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    compared = st.sampled_from(LEAVES)
    return (
        st.builds(_unary, st.sampled_from(sorted(UNARY)), inner)
        | st.builds(_binary, st.sampled_from(sorted(BINARY)), inner, other)
        | st.builds(_where, st.sampled_from(sorted(COMPARISONS)), compared, compared, inner, other)
    )


def _unary(function: str, x: Formula) -> Formula:
    return Formula(function.format(x.text), lambda of: UNARY[function](x.value(of)))


def _binary(function: str, x: Formula, y: Formula) -> Formula:
    return Formula(function.format(x.text, y.text), lambda of: BINARY[function](x.value(of), y.value(of)))


def _where(sign: str, a: Formula, b: Formula, x: Formula, y: Formula) -> Formula:
    return Formula(
        f"where({a.text} {sign} {b.text}, {x.text}, {y.text})",
        lambda of: np.where(COMPARISONS[sign](a.value(of), b.value(of)), x.value(of), y.value(of)),
    )


@st.composite
def function_programs(draw: st.DrawFn, real: str | None = None) -> FunctionProgram:
    """A kernel `f` of two or three statements; a declared zero stays one."""
    extents = {index: draw(st.integers(1, 4)) for index in "ijk"}
    places = [(i, j) for i in range(extents["i"]) for j in range(extents["j"])]
    nonzeros = draw(st.lists(st.sampled_from(places), min_size=1, unique=True))
    zeros = tuple(place for place in places if place not in nonzeros)
    first, second, third = draw(formulas()), draw(formulas()), draw(st.none() | st.sampled_from(["relu", "tanh"]))
    operator = draw(st.sampled_from(("=", "+=", "-=")))
    storage = draw(st.sampled_from(("", "grouped")))
    listed = ", ".join(f"({i}, {j})" for i, j in nonzeros)
    lines = [f"real {real or draw(st.sampled_from(('f32', 'f64')))}"]
    for name, modes in {**SHAPES, "Y": "ij", "m": "i"}.items():
        shape = ", ".join(str(extents[mode]) for mode in modes)
        attribute = "constant" if name in CONSTANTS else storage if name == "A" else ""
        attribute += f" nonzeros [{listed}]" if name == "Z" else ""
        lines.append(f"tensor {name}[{shape}] {attribute}".rstrip())
    through_temporary = draw(st.booleans())
    lines += [f"temp T[{extents['i']}, {extents['j']}]", "kernel f {"]
    value = f"{first.text} + 0.5 * A[i,j]"
    lines += [f"    T[i,j] = {value}", f"    Y[i,j] {operator} T[i,j]"] if through_temporary else []
    lines += [] if through_temporary else [f"    Y[i,j] {operator} {value}"]
    lines.append(f"    m[i] = max{{j}}({second.text} + Y[i,j])")
    lines += [] if third is None else [f"    Z[i,j] = {third}(Z[i,j])"]
    before: dict[str, Callable[[Array, Array], Array]] = {
        "=": lambda _old, new: new, "+=": np.add, "-=": np.subtract,
    }  # fmt: skip
    results: dict[str, Value] = {
        "Y": lambda of: before[operator](of["Y"], first.value(of) + 0.5 * of["A"]),
        "m": lambda of: (second.value(of) + of["Y"]).max(axis=2),
    }
    if third is not None:
        results["Z"] = lambda of: np.tanh(of["Z"]) if third == "tanh" else np.maximum(of["Z"], 0)
    return FunctionProgram(_apart("\n".join([*lines, "}"]) + "\n"), extents, zeros, results)
