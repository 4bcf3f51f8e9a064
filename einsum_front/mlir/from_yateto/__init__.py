"""Functions of the YATeTo language as loops over structured operations on memrefs: loop-over-GEMM in linalg.

    module = module_of(function)                a function for the kernel, and one for its prologue

An argument that each element of the batch has is a memref with a leading mode, and `scf.for` walks it. Modes come from
the slowest to the fastest in memory, with the strides that they have. `log` is `scf.for` over a matrix product on
subviews, `subview` is `memref.subview`, indices that are seen as one are `memref.collapse_shape`. Temporaries are
allocated once.
"""

from einsum_front.core.scattered import Scatter
from einsum_front.ir.yateto import nodes as yir
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.from_graph.payloads import refused
from einsum_front.mlir.from_yateto.kernel import function_of

__all__ = ["module_of"]


def module_of(*functions: yir.Function, is_for_one: bool = False) -> mlir.Module:
    """The functions of some kernels; a prologue stands before its kernel. Asked for, they are for one element.

    Raises `CompileError` (E0842) for groups of pointers, offsets of groups, integers, and diagonals that are written.
    """
    found = []
    for function in functions:
        if any(isinstance(fact, Scatter) for fact in function.facts):
            raise refused(function.name, "adds where integers say")
        if function.prologue is not None:
            found.append(function_of(function.prologue, is_for_one=is_for_one))
        found.append(function_of(function, is_for_one=is_for_one))
    return mlir.Module(tuple(found))
