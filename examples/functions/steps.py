"""The kernels, each as one launch and as one launch for each step, with arguments and with what NumPy makes of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.compiled import CompiledKernel

Array = NDArray[Any]
Values = Mapping[str, Any]

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Example:
    """`whole` does in one launch what `steps` do one after the other; `expected` are its results by NumPy.

    `numbers` are the scalars.
    """

    name: str
    whole: str
    steps: tuple[str, ...]
    numbers: Mapping[str, float]
    expected: Callable[[Values], dict[str, Array]]

    def kernels(self) -> tuple[CompiledKernel, ...]:
        """The whole, and the steps, compiled for the device that is found."""
        program = ef.compile(ef.parse(HERE / f"{self.name}.ein"))
        return tuple(program[name] for name in (self.whole, *self.steps))


def _perceptron(v: Values) -> dict[str, Array]:
    inner = np.maximum(0, v["W1"] @ v["X"] + v["b1"][:, None])
    return {"Y": v["X"] + v["W2"] @ inner + v["b2"][:, None]}


def _limiter(v: Values) -> dict[str, Array]:
    new = v["Q"] + sum(v[f"kDivM_{d}"] @ v["I"] @ v[f"star_{d}"] for d in range(3))
    point, mean = v["V"] @ new, (v["average"] @ new)[:, None, :]
    high, low = v["high"][:, None, :], v["low"][:, None, :]
    above = abs(high - mean) / (abs(point.max(1, keepdims=True) - mean) + v["small"])
    below = abs(low - mean) / (abs(point.min(1, keepdims=True) - mean) + v["small"])
    theta = np.minimum(1, np.minimum(above, below))
    constant = mean * v["one"][:, None]
    return {"Q": constant + theta * (new - constant)}


def _friction(v: Values) -> dict[str, Array]:
    locked = sum(v[f"V_{s}"] @ v[f"Q_{s}"] @ v[f"T_{s}"] for s in range(2))
    stress = np.hypot(locked[..., 1], locked[..., 2])
    falls = v["mu_s"] - (v["mu_s"] - v["mu_d"]) * np.minimum(v["slip"] / v["d_c"], 1)
    limit = v["cohesion"] + np.maximum(0, -locked[..., 0]) * falls
    speed = np.maximum(0, stress - limit) / v["impedance"]
    share = np.where(stress > limit, limit / (stress + v["small"]), 1)
    return {"slip": v["slip"] + v["dt"] * speed, "traction": locked[..., 1:] * share[..., None]}


EXAMPLES = (
    Example(
        "perceptron",
        "perceptron",
        ("product_1", "activation_1", "product_2", "residual_2"),
        {},
        _perceptron,
    ),
    Example(
        "limiter",
        "limited",
        ("volume", "points", "averages", "maxima", "minima", "factors", "scale"),
        {"small": 1e-30},
        _limiter,
    ),
    Example(
        "friction",
        "friction",
        ("locked_traction", "sizes", "strengths", "rates", "slips", "tractions"),
        {"dt": 0.01, "impedance": 4.5, "mu_s": 0.7, "mu_d": 0.5, "d_c": 0.4, "cohesion": 0.3, "small": 1e-30},
        _friction,
    ),
)


def arguments(kernels: Sequence[CompiledKernel], numbers: Mapping[str, float], batch: int) -> dict[str, Any]:
    """Random arrays for all of the kernels, in the layout that they like; only states and weights have both signs."""
    random, values = np.random.default_rng(19), dict[str, Any](numbers)
    for kernel in kernels:
        for name in (parameter.name for parameter in kernel.artifact.arguments):
            if name not in values:
                values[name] = kernel.empty(name, batch)
                values[name][...] = random.uniform(-1 if name[0] in "QW" else 0, 1, values[name].shape)
    return values


def of(kernel: CompiledKernel, values: Values) -> dict[str, Any]:
    """The arguments that a kernel has."""
    return {parameter.name: values[parameter.name] for parameter in kernel.artifact.arguments}


def copied(values: Values) -> dict[str, Any]:
    """The same numbers in the same layouts, in memory of their own."""
    return {
        name: np.copy(value, order="K") if isinstance(value, np.ndarray) else value for name, value in values.items()
    }
