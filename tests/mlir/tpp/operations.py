"""One text for each primitive, and what it computes, directly in NumPy: an oracle that knows nothing of linalg."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import erf, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]

_ERF = np.vectorize(erf, otypes=[float])

UNARY: dict[str, Callable[[Array], Array]] = {
    "copy": lambda x: x,
    "square": lambda x: x * x,
    "sqrt": np.sqrt,
    "negate": lambda x: -x,
    "reciprocal": lambda x: 1 / x,
    "exp": np.exp,
    "relu": lambda x: np.where(x < 0, 0, x),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "gelu": lambda x: x / 2 * (1 + _ERF(x / sqrt(2))),
    "leaky_relu": lambda x: np.where(x < 0, 0.01 * x, x),
    "elu": lambda x: np.where(x < 0, np.exp(x) - 1, x),
}
BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
}


@dataclass(frozen=True)
class Case:
    """An operation on operands of these shapes; the last shapes are those of outputs, `old` of them are read first.

    `expected` gets the inputs, then what the outputs had before, and returns what they have then.
    """

    name: str
    words: str
    inputs: tuple[tuple[int, ...], ...]
    outputs: tuple[tuple[int, ...], ...]
    old: int
    expected: Callable[..., Sequence[Array] | Array]

    @property
    def id(self) -> str:
        """Its name, and its shapes."""
        shapes = "_".join("x".join(map(str, shape)) or "s" for shape in (*self.inputs, *self.outputs))
        return f"{self.name}_{shapes}"


def _case(name: str, inputs: str, outputs: str, expected: Callable[..., object], old: int = 0, words: str = "") -> Case:
    def shapes(text: str) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(int(n) for n in each.split("x")) if each != "s" else () for each in text.split())

    return Case(name, words, shapes(inputs), shapes(outputs), old, expected)  # type: ignore[arg-type]  # of arrays


def _fused(a: Array, b: Array, d: Array, c: Array) -> list[Array]:
    a, b = np.where(a < 0, 0, a), b * b
    before = (a @ b).sum(0) + c + d
    return [np.tanh(before), before, a, b]


CASES = (
    *(_case(name, "5x7", "5x7", function) for name, function in UNARY.items()),
    *(_case(name, "5x7 5x7", "5x7", function) for name, function in BINARY.items()),
    _case("leaky_relu", "6", "6", lambda x: np.where(x < 0, 0.25 * x, x), words="{alpha = 0.25}"),
    _case("elu", "6", "6", lambda x: np.where(x < 0, 2 * (np.exp(x) - 1), x), words="{alpha = 2.0}"),
    _case("zero", "", "5x7", lambda: np.zeros((5, 7))),
    _case("broadcast", "5x1", "5x7", lambda x: np.broadcast_to(x, (5, 7))),
    _case("broadcast", "7", "5x7", lambda x: np.broadcast_to(x, (5, 7))),
    _case("broadcast", "1x7", "5x7", lambda x: np.broadcast_to(x, (5, 7))),
    _case("broadcast", "s", "5x7", lambda x: np.broadcast_to(x, (5, 7))),
    _case("reduce_add", "5x7", "5x1", lambda x: x.sum(1, keepdims=True)),
    _case("reduce_add", "5x7", "7", lambda x: x.sum(0)),
    _case("reduce_add", "5x7", "1x7", lambda x: x.sum(0, keepdims=True)),
    _case("reduce_add", "5x7", "s", lambda x: x.sum()),
    _case("reduce_max", "5x7", "5x1", lambda x: x.max(1, keepdims=True)),
    _case("reduce_max", "5x7", "7", lambda x: x.max(0)),
    _case("reduce_max", "5x7", "s", lambda x: x.max()),
    _case("reduce_add", "5x7", "1x1", lambda x: x.sum(keepdims=True)),
    _case("reduce_add", "5x1", "1x1", lambda x: x.sum(keepdims=True)),
    _case("reduce_max", "5x7", "1x1", lambda x: x.max(keepdims=True)),
    _case("reduce_max", "1x7", "1x1", lambda x: x.max(keepdims=True)),
    _case("reduce_max", "5x1", "1", lambda x: x.max(0)),
    _case("reduce_add", "5x7", "1", lambda x: x.sum(keepdims=True)[0]),
    _case("reduce_max", "5", "1", lambda x: x.max(keepdims=True)),
    _case("reduce_add", "5", "s", lambda x: x.sum()),
    _case("broadcast", "1", "5", lambda x: np.broadcast_to(x, 5)),
    _case("broadcast", "1x1", "5x7", lambda x: np.broadcast_to(x, (5, 7))),
    _case("transpose", "5x7", "7x5", lambda x: x.T),
    _case("muladd", "5x7 5x7", "5x7", lambda a, b, c: a * b + c, old=1),
    _case("matmul", "5x4 4x7", "5x7", lambda a, b: a @ b),
    _case("matmul", "5x4 4x7", "5x7", lambda a, b, c: a @ b + c, old=1),
    _case("brgemm", "3x5x4 3x4x7", "5x7", lambda a, b: (a @ b).sum(0)),
    _case("brgemm", "3x5x4 3x4x7", "5x7", lambda a, b, c: (a @ b).sum(0) + c, old=1),
    _case(
        "fused_brgemm",
        "3x5x4 3x4x7 5x7",
        "5x7",
        lambda a, b, d, c: np.maximum((a @ b).sum(0) + c + d, 0),
        old=1,
        words="[unary = relu, binary = add]",
    ),
    _case("fused_brgemm", "3x5x4 3x4x7 5x7", "5x7", lambda a, b, d, c: ((a @ b).sum(0) + c) * d, 1, "[binary = mul]"),
    _case("fused_brgemm", "3x5x4 3x4x7 5x7", "5x7", lambda a, b, _, c: (a @ b).sum(0) + c, old=1),
    _case(
        "fused_brgemm",
        "3x5x4 3x4x7 5x7",
        "5x7 5x7 3x5x4 3x4x7",
        _fused,
        old=1,
        words="[unary = tanh, binary = add, unary_a = relu, unary_b = square]",
    ),
)


def text_of(case: Case, kind: str, element: str) -> str:
    """A function `f` of the operation, on memrefs or tensors, in the spelling of the reference."""
    ins = [(f"a{n}", shape) for n, shape in enumerate(case.inputs)]
    outs = [(f"c{n}", shape) for n, shape in enumerate(case.outputs)]
    old = outs[: case.old]
    is_fused, is_tensor = case.name == "fused_brgemm", kind == "tensor"
    reads = [*ins[:2], *old, *ins[2:]] if is_fused else [*ins, *old]
    if is_tensor and case.name == "zero":
        reads = outs
    if case.name == "muladd" and not is_tensor:
        reads = ins
    arguments = [*ins, *(old if is_tensor and case.name != "zero" else outs)]
    listed = ", ".join(f"%{name}: {_type(kind, shape, element)}" for name, shape in arguments)
    types = [_type(kind, shape, element) for _, shape in outs]
    operands = f"ins({', '.join(f'%{name}' for name, _ in reads)})" if reads else ""
    shapes = [shape for _, shape in (reads if is_tensor else [*reads, *outs])]
    shown = ", ".join(_type(kind, shape, element) for shape in shapes)
    if not is_tensor:
        names = ", ".join(f"%{name}" for name, _ in outs)
        body = f"tpp.{case.name} {case.words if '[' in case.words else ''} {operands} outs({names})"
        body += f" {case.words if '{' in case.words else ''} : ({shown})"
        return f"func.func @f({listed}) {{\n  {body}\n  return\n}}\n"
    names = ", ".join(f"%r{n}" for n in range(len(outs)))
    arrow = types[0] if len(types) == 1 else f"({', '.join(types)})"
    body = f"{names} = tpp.{case.name} {case.words if '[' in case.words else ''} {operands}"
    body += f" {case.words if '{' in case.words else ''} : ({shown}) -> {arrow}"
    return f"func.func @f({listed}) -> {arrow} {{\n  {body}\n  return {names} : {', '.join(types)}\n}}\n"


def _type(kind: str, shape: tuple[int, ...], element: str) -> str:
    return f"{kind}<{''.join(f'{size}x' for size in shape)}{element}>"
