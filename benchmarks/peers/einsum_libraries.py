"""Libraries that read index strings: numpy.einsum, opt_einsum on torch tensors, and JAX.

Each finds its order of contraction before anything is timed, and gets arrays in the order that it likes best: the last
axis fastest.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.arguments import Arguments
from benchmarks.case import Arrays, Case
from benchmarks.chain import Array
from benchmarks.measure import Stopwatch
from benchmarks.peers.peer import Peer, nothing_missing
from benchmarks.statements import Einsum, Functions, evaluate
from einsum_front.core.functions import Function
from einsum_front.core.functions import evaluate as entrywise


class _Repeated:
    """Runs a computation and keeps what it gave last."""

    def __init__(self, compute: Callable[[], dict[str, Any]]) -> None:
        self._compute = compute
        self._results: dict[str, Any] = {}

    def run(self) -> float:
        watch = Stopwatch()
        self._results = self._compute()
        return watch.seconds

    def outputs(self) -> Arrays:
        return {name: np.asarray(value) for name, value in self._results.items()}


OF_NUMPY: Functions = {
    "relu": lambda x: entrywise(Function.RELU, (x,)),
    "gelu": lambda x: entrywise(Function.GELU, (x,)),
}


def numpy_einsum() -> Einsum:
    """`numpy.einsum` in the order that `optimize=True` finds; it looks for each order once."""
    paths: dict[object, Any] = {}

    def einsum(subscripts: str, *operands: Array) -> Any:
        key = (subscripts, *(operand.shape for operand in operands))
        if key not in paths:
            paths[key] = np.einsum_path(subscripts, *operands, optimize=True)[0]
        return np.einsum(subscripts, *operands, optimize=paths[key])

    return einsum


def _numpy(case: Case, arguments: Arguments, _threads: int) -> _Repeated:
    values, einsum = arguments.contiguous(), numpy_einsum()
    return _Repeated(lambda: evaluate(case.statements, values, einsum, case.last, OF_NUMPY))


# -- torch and JAX may be missing and are slow to import: they are imported when they are used ------------------------


def _torch(case: Case, arguments: Arguments, threads: int) -> _Repeated:
    torch, opt_einsum = import_module("torch"), import_module("opt_einsum")
    torch.set_num_threads(threads)
    values = {
        name: torch.from_numpy(value) if isinstance(value, np.ndarray) else value
        for name, value in arguments.contiguous().items()
    }
    expressions: dict[object, Any] = {}

    def einsum(subscripts: str, *operands: Any) -> Any:
        shapes = [tuple(operand.shape) for operand in operands]
        key = (subscripts, *shapes)
        if key not in expressions:
            expressions[key] = opt_einsum.contract_expression(subscripts, *shapes)
        return expressions[key](*operands, backend="torch")

    functions = {"relu": torch.relu, "gelu": torch.nn.functional.gelu}
    return _Repeated(lambda: evaluate(case.statements, values, einsum, case.last, functions))


def _jax(case: Case, arguments: Arguments, _threads: int) -> _Repeated:
    jax = import_module("jax")
    jax.config.update("jax_enable_x64", True)
    cpu = jax.devices("cpu")[0]
    values = {name: jax.device_put(value, cpu) for name, value in arguments.contiguous().items()}
    functions = {"relu": jax.nn.relu, "gelu": lambda x: jax.nn.gelu(x, approximate=False)}
    compiled = jax.jit(lambda given: evaluate(case.statements, given, jax.numpy.einsum, case.last, functions))
    return _Repeated(lambda: jax.block_until_ready(compiled(values)))


def _needs(*modules: str) -> Callable[[], str | None]:
    def why_missing() -> str | None:
        absent = [module for module in modules if find_spec(module) is None]
        return f"`pip install {' '.join(absent)}`" if absent else None

    return why_missing


NUMPY = Peer("numpy.einsum", nothing_missing, _numpy)
TORCH = Peer("opt_einsum + torch", _needs("opt_einsum", "torch"), _torch)
JAX = Peer("JAX", _needs("jax"), _jax)
