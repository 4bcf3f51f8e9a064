"""Functions of linalg become contraction graphs."""

from einsum_front.mlir.to_graph.function import graphs, kernel_name

__all__ = ["graphs", "kernel_name"]
