"""Kernels as texts of MLIR: the contraction graph, or the plan as loops or primitives."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from einsum_front.core.diagnostics import CompileError, Diagnostic, mistake, raise_any
from einsum_front.driver.stages import GraphStages, Stages, YatetoStages
from einsum_front.mlir import from_graph, from_yateto
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph import NO_BATCH, graphs
from einsum_front.mlir.tpp.recognise import recognised
from einsum_front.mlir.tpp.unparse import unparse as unparse_primitives
from einsum_front.mlir.transform import Step, transformed
from einsum_front.mlir.unparse import unparse as unparse_linalg
from einsum_front.mlir.verify import check as check_linalg


def linalg_text(kernels: Iterable[Stages]) -> str | None:
    """Contraction graphs, as they were written, as linalg on tensors; None if a kernel begins below its graph."""
    graphs = [kernel.planned.written if isinstance(kernel, GraphStages) else None for kernel in kernels]
    known = [graph for graph in graphs if graph is not None]
    return unparse_linalg(from_graph.module_of(*known)) if len(known) == len(graphs) else None


def linalg_loops_text(kernels: Iterable[Stages], steps: Sequence[Step] = ()) -> str | None:
    """Plans as loops over linalg on memrefs, transformed by `steps`; None if a kernel begins below the YATeTo language.

    Raises `CompileError` for a step that does not fit.
    """
    functions = [kernel.yateto if isinstance(kernel, YatetoStages) else None for kernel in kernels]
    known = [function for function in functions if function is not None]
    if len(known) < len(functions):
        return None
    return unparse_linalg(transformed(from_yateto.module_of(*known), steps))


def primitives_text(kernels: Iterable[Stages]) -> str | None:
    """Plans for one element as tensor processing primitives; None if a kernel begins below the YATeTo language.

    Raises `CompileError` (E0842) for what a text of primitives cannot say: each that is written can be read again.
    """
    functions = [kernel.yateto if isinstance(kernel, YatetoStages) else None for kernel in kernels]
    known = [function for function in functions if function is not None]
    if len(known) < len(functions):
        return None
    module = recognised(from_yateto.module_of(*known, is_for_one=True))
    raise_any([each for function in module.functions for each in _unreadable(function)])
    return unparse_primitives(module)


def _unreadable(function: mlir.Function) -> Iterator[Diagnostic]:
    """Why a function of primitives could not be read again, at the kernel."""
    module = mlir.Module((function,))
    try:
        check_linalg(module)
        graphs(module, batch=NO_BATCH)
    except CompileError as error:
        message = f"a text of primitives cannot say what `{function.name}` does"
        notes = [f"read again, {reason}" for reason in dict.fromkeys(each.message for each in error.diagnostics)]
        if any(None in each.shape for each in function.arguments):
            notes.append("`-D` gives a size a number when compiling")
        notes.append("`--emit linalg-loops` writes the plan as loops over linalg")
        yield mistake("E0842", message, function.origin, notes=tuple(notes))


WRITERS: dict[str, Callable[[Iterable[Stages]], str | None]] = {
    "linalg": linalg_text,
    "linalg-loops": linalg_loops_text,
    "tpp": primitives_text,
}
"""The texts by what `--emit` asks for: `options.MLIR_TEXTS`."""
