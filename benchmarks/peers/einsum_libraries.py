"""Libraries that read index strings: numpy.einsum, opt_einsum on torch tensors, torch.compile, JAX and CuPy.

Each finds its order of contraction before anything is timed, and gets arrays in the order that it likes best: the last
axis fastest. Those of a GPU are timed by its clock, but for JAX, which has none.
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

Values = dict[str, Any]
Clock = Callable[[Callable[[], None]], float]
"""Seconds of a computation, which it runs."""


def by_host(compute: Callable[[], None]) -> float:
    """Seconds by the clock of the host."""
    watch = Stopwatch()
    compute()
    return watch.seconds


def by_cuda(compute: Callable[[], None]) -> float:
    """Seconds of what is started in torch's stream, by the clock of the GPU."""
    torch = import_module("torch")
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    compute()
    end.record()
    end.synchronize()
    return float(start.elapsed_time(end)) * 1e-3


class Repeated:
    """Runs a computation and keeps what it gave last; `fetch` brings a value to the host."""

    def __init__(
        self, compute: Callable[[], Values], clock: Clock = by_host, fetch: Callable[[Any], Any] = np.asarray
    ) -> None:
        self._compute, self._clock, self._fetch = compute, clock, fetch
        self._results: Values = {}

    def run(self) -> float:
        return self._clock(self._again)

    def outputs(self) -> Arrays:
        return {name: self._fetch(value) for name, value in self._results.items()}

    def _again(self) -> None:
        self._results = self._compute()


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


def _numpy(case: Case, arguments: Arguments, _threads: int) -> Repeated:
    values, einsum = arguments.contiguous(), numpy_einsum()
    return Repeated(lambda: evaluate(case.statements, values, einsum, case.last, OF_NUMPY))


# -- the others may be missing and are slow to import: they are imported when they are used ---------------------------


def torch_on(device: str, *, compiled: bool = False) -> Callable[[Case, Arguments, int], Repeated]:
    """opt_einsum on tensors of torch on a device; if it is `compiled`, torch makes kernels of all of a case at once."""

    def prepare(case: Case, arguments: Arguments, threads: int) -> Repeated:
        torch = import_module("torch")
        torch.set_num_threads(threads)
        values = _placed(arguments, lambda array: torch.from_numpy(array).to(device))
        functions = {"relu": torch.relu, "gelu": torch.nn.functional.gelu}
        einsum = torch.einsum if compiled else _opt_einsum()

        def compute(given: Values) -> Values:
            return evaluate(case.statements, given, einsum, case.last, functions)

        run = torch.compile(compute, dynamic=False) if compiled else compute
        clock = by_cuda if device == "cuda" else by_host
        return Repeated(lambda: run(values), clock, lambda tensor: np.asarray(tensor.cpu()))

    return prepare


def _opt_einsum() -> Einsum:
    """`contract` of opt_einsum on torch tensors; it looks for each order once."""
    opt_einsum = import_module("opt_einsum")
    expressions: dict[object, Any] = {}

    def einsum(subscripts: str, *operands: Any) -> Any:
        shapes = [tuple(operand.shape) for operand in operands]
        key = (subscripts, *shapes)
        if key not in expressions:
            expressions[key] = opt_einsum.contract_expression(subscripts, *shapes)
        return expressions[key](*operands, backend="torch")

    return einsum


def _jax_on(platform: str) -> Callable[[Case, Arguments, int], Repeated]:
    def prepare(case: Case, arguments: Arguments, _threads: int) -> Repeated:
        jax = import_module("jax")
        jax.config.update("jax_enable_x64", True)
        device = jax.devices(platform)[0]
        values = _placed(arguments, lambda array: jax.device_put(array, device))
        functions = {"relu": jax.nn.relu, "gelu": lambda x: jax.nn.gelu(x, approximate=False)}
        compiled = jax.jit(lambda given: evaluate(case.statements, given, jax.numpy.einsum, case.last, functions))
        return Repeated(lambda: jax.block_until_ready(compiled(values)))

    return prepare


def _cupy(case: Case, arguments: Arguments, _threads: int) -> Repeated | None:
    cupy = import_module("cupy")
    if case.last is not None:
        return None
    values = _placed(arguments, cupy.asarray)

    def by_events(compute: Callable[[], None]) -> float:
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        compute()
        end.record()
        end.synchronize()
        return float(cupy.cuda.get_elapsed_time(start, end)) * 1e-3

    return Repeated(lambda: evaluate(case.statements, values, cupy.einsum, None, {}), by_events, cupy.asnumpy)


def _placed(arguments: Arguments, place: Callable[[Array], Any]) -> Values:
    return {
        name: place(value) if isinstance(value, np.ndarray) else value for name, value in arguments.contiguous().items()
    }


def _needs(*modules: str) -> Callable[[], str | None]:
    def why_missing() -> str | None:
        absent = [module for module in modules if find_spec(module) is None]
        return f"`pip install {' '.join(absent)}`" if absent else None

    return why_missing


def without_cuda() -> str | None:
    """Why torch cannot use a GPU; None if it can."""
    if find_spec("torch") is None:
        return "`pip install torch`"
    return None if import_module("torch").cuda.is_available() else "torch finds no CUDA device"


def _opt_einsum_without_cuda() -> str | None:
    return _needs("opt_einsum", "torch")() or without_cuda()


def _jax_without_gpu() -> str | None:
    if (reason := _needs("jax")()) is not None:
        return reason
    return None if import_module("jax").default_backend() == "gpu" else "JAX finds no GPU: `pip install jax[cuda12]`"


def _cupy_without_gpu() -> str | None:
    if (reason := _needs("cupy")()) is not None:
        return reason
    return None if import_module("cupy").cuda.is_available() else "CuPy finds no CUDA device"


NUMPY = Peer("numpy.einsum", nothing_missing, _numpy)
TORCH = Peer("opt_einsum + torch", _needs("opt_einsum", "torch"), torch_on("cpu"))
JAX = Peer("JAX", _needs("jax"), _jax_on("cpu"))

TORCH_CUDA = Peer("opt_einsum + torch", _opt_einsum_without_cuda, torch_on("cuda"))
TORCH_COMPILED = Peer("torch.compile", without_cuda, torch_on("cuda", compiled=True))
JAX_GPU = Peer("JAX", _jax_without_gpu, _jax_on("gpu"))
CUPY = Peer("CuPy", _cupy_without_gpu, _cupy)
