"""Contraction graphs as linalg on tensors.

    module = module_of(graph)                   a function for the kernel, and one for its prologue

An array of a batched tensor has a leading mode, the batch. Then come the modes from the slowest to the fastest in
memory: a column-major matrix of 3 x 4 is `tensor<?x4x3xf64>`, so a verifier that wants row-major tensors is content.
Each node of the graph is one structured operation, whose location spells its index maps.
"""

from einsum_front.ir import Graph
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.from_graph.kernel import function_of

__all__ = ["function_of", "module_of"]


def module_of(*graphs: Graph) -> mlir.Module:
    """The functions of some kernels; a prologue stands before its kernel, which has what it computes as arguments.

    Raises `CompileError` (E0842) for extents that no argument has.
    """
    functions = []
    for graph in graphs:
        if graph.prologue is not None:
            functions.append(function_of(graph.prologue))
        functions.append(function_of(graph))
    return mlir.Module(tuple(functions))
