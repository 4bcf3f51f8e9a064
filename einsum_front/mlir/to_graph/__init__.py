"""Functions of linalg become contraction graphs."""

from einsum_front.mlir.attributes import NO_BATCH
from einsum_front.mlir.to_graph.function import graphs, kernel_name

__all__ = ["NO_BATCH", "graphs", "kernel_name"]
