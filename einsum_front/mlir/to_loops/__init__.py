"""Functions of linalg as loops over entries, in the tensor language, where no contraction graph has what they do."""

from einsum_front.mlir.to_loops.kernel import Loops, kernel_of

__all__ = ["Loops", "kernel_of"]
