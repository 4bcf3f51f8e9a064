"""Complex numbers become their parts."""

from einsum_front.mlir.to_graph.complexes.function import in_parts

__all__ = ["in_parts"]
