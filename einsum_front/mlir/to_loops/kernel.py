"""What a function becomes: a contraction graph, or loops over entries where no graph has what it does."""

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.ir import Graph
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph import graphs, kernel_name
from einsum_front.mlir.to_loops.function import loops_of
from einsum_front.tl_backend.program import Function

NOT_OF_GRAPHS = ("E0152", "E0815", "E0817", "E0826", "E0828")
"""What a graph cannot say; other mistakes are those of the text."""


@dataclass(frozen=True, slots=True)
class Loops:
    """A kernel in the tensor language, and why it is no graph."""

    function: Function
    why: Diagnostic


def kernel_of(module: mlir.Module, function: mlir.Function, batch: str | None = None) -> Graph | Loops:
    """The kernel of a function that has a body.

    `batch` is the number of the mode of the results that is the batch, or `none`. Raises `CompileError` (E0826 to
    E0829) with what a graph cannot say, if loops cannot either.
    """
    try:
        (graph,) = graphs(module, kernel_name(function), batch)
    except CompileError as error:
        why = error.diagnostics[0]
        if why.code not in NOT_OF_GRAPHS:
            raise
        try:
            loops = loops_of(function, batch)
        except CompileError as other:
            raise (other if other.diagnostics[0].code == "E0829" else error) from None
        return Loops(loops, why)
    return graph
