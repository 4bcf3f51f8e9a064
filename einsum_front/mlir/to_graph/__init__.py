"""Functions of linalg become contraction graphs."""

from einsum_front.mlir.to_graph.function import graphs

__all__ = ["graphs"]
