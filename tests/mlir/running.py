"""Kernels of functions on the arrays that the functions take."""

from collections.abc import Sequence

import numpy as np

from einsum_front.core.storage import Storage
from einsum_front.ir import Graph
from einsum_front.ir.contraction.interpret import interpret as interpret_graph
from einsum_front.mlir import nodes as mlir
from tests.mlir.programs import Array


def run_graph(graph: Graph, function: mlir.Function, given: Sequence[Array], results: Sequence[Array]) -> list[Array]:
    """What the graph computes where the function computes `results`."""
    arguments, outputs, has_batch = kernel_arguments(graph, function, given, results)
    interpret_graph(graph, arguments)
    return [outputs[name] if has_batch else outputs[name][0] for name in outputs]


def kernel_arguments(
    graph: Graph, function: mlir.Function, given: Sequence[Array], results: Sequence[Array]
) -> tuple[dict[str, Array | float], dict[str, Array], bool]:
    """Arguments of the kernel by name, those that it writes among them, and whether the arrays have the batch."""
    tensors = {tensor.name: tensor for tensor in graph.arguments}
    names = [argument.name for argument in function.arguments]
    outputs = [name for name in tensors if name.startswith("result")]
    has_batch = any(len(tensors[name].shape) < each.ndim for name, each in zip(outputs, results, strict=True))
    found: dict[str, Array | float] = {}
    for name, array in zip(names, given, strict=True):
        if name in tensors:
            is_constant = tensors[name].storage is Storage.CONSTANT
            found[name] = array if is_constant or has_batch else array[None]
    written = {
        name: np.zeros_like(each if has_batch else each[None]) for name, each in zip(outputs, results, strict=True)
    }
    return found | written, written, has_batch


def distance(found: Sequence[Array], expected: Sequence[Array]) -> float:
    """The largest difference over the largest entry."""
    worst = 0.0
    for one, other in zip(found, expected, strict=True):
        left, right = np.asarray(one, float), np.asarray(other, float)
        scale = max(float(np.abs(right).max(initial=0.0)), 1.0)
        worst = max(worst, float(np.abs(left - right).max(initial=0.0)) / scale)
    return worst
