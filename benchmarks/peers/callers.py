"""Calls of other libraries that read an index string, from call to result, on arrays where they like them."""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.chain import Array

Call = Callable[[], object]


def callers(text: str, operands: Sequence[Array], threads: int, *, is_gpu: bool, wanted: str) -> dict[str, Call]:
    """What is installed and `wanted`, by name: NumPy first; torch and JAX on the device at hand; CuPy."""
    makers: dict[str, Callable[[], Call | None]] = {
        "numpy.einsum": lambda: _numpy(text, operands),
        "torch.einsum": lambda: torch_call(text, operands, threads, "cuda" if is_gpu else "cpu"),
        "JAX": lambda: _jax(text, operands),
        "CuPy": lambda: _cupy(text, operands) if is_gpu else None,
    }
    modules = {"torch.einsum": "torch", "JAX": "jax", "CuPy": "cupy"}
    found = {
        name: make()
        for name, make in makers.items()
        if wanted.lower() in name.lower() and (name not in modules or find_spec(modules[name]) is not None)
    }
    return {name: call for name, call in found.items() if call is not None}


def _numpy(text: str, operands: Sequence[Array]) -> Call:
    # with a path NumPy would look for one in each call of a single operand, and of sums it would make matrix products
    is_optimized = len(operands) > 1 and not text.endswith(">")
    return lambda: np.einsum(text, *operands, optimize=is_optimized)


def torch_call(text: str, operands: Sequence[Array], threads: int, device: str) -> Call | None:
    """`torch.einsum`; None if torch finds no such device."""
    torch = import_module("torch")
    if device == "cuda" and not torch.cuda.is_available():
        return None
    torch.set_num_threads(threads)
    there = [torch.from_numpy(operand).to(device) for operand in operands]

    def call() -> Any:
        result = torch.einsum(text, *there)
        if device == "cuda":
            torch.cuda.synchronize()
        return result

    return call


def _jax(text: str, operands: Sequence[Array]) -> Call:
    jax = import_module("jax")
    jax.config.update("jax_enable_x64", True)
    there = [jax.device_put(operand) for operand in operands]
    compiled = jax.jit(lambda *given: jax.numpy.einsum(text, *given))
    return lambda: jax.block_until_ready(compiled(*there))


def _cupy(text: str, operands: Sequence[Array]) -> Call:
    cupy = import_module("cupy")
    there = [cupy.asarray(operand) for operand in operands]

    def call() -> Any:
        result = cupy.einsum(text, *there)
        cupy.cuda.get_current_stream().synchronize()
        return result

    return call
