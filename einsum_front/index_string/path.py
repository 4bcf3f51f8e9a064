"""`ef.einsum_path`: the order in which `ef.einsum` contracts, in NumPy's form, and the plan that says why."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from einsum_front import ir
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.signatures import shown_without_types
from einsum_front.driver.targets import own_machine
from einsum_front.driver.texts import level_text
from einsum_front.index_string.device_operands import read_device_operands
from einsum_front.index_string.element_types import ELEMENT_TYPES
from einsum_front.index_string.graph import graph_of
from einsum_front.index_string.interleaved import as_string
from einsum_front.index_string.keywords import MemoryLimit, Optimize, read_path
from einsum_front.index_string.operands import read_arrays, reject_states
from einsum_front.index_string.order import path_of_terms
from einsum_front.index_string.path_info import PathInfo, path_info
from einsum_front.index_string.planned import path_of
from einsum_front.index_string.program import IndexString, read_einsum
from einsum_front.index_string.rare import read_rare, within_limit
from einsum_front.index_string.shapes import closed_shape
from einsum_front.index_string.steps import Positions
from einsum_front.runtime import is_on_device

Path = list[str | tuple[int, ...]]


@shown_without_types
def einsum_path(
    subscripts: object = "",
    *given: Any,
    optimize: Optimize = True,
    memory_limit: MemoryLimit = None,
    shapes: bool = False,
    use_blas: bool = True,
) -> tuple[Path, PathInfo]:
    """The order of the products that `einsum` computes, and what it costs.

    Parameters
    ----------
    subscripts : str
        As in `einsum`.
    *given : array_like or tuple of int
        The operands, of which only the shapes matter; with `shapes` these alone.
    optimize, memory_limit
        As in `einsum`. A path is not looked for then, but said what it costs.
    shapes : bool
        True if shapes are given instead of arrays.
    use_blas : bool
        opt_einsum's, without effect.

    Returns
    -------
    path : list
        As `numpy.einsum_path` gives it: positions in the list of operands, which are taken out of it, while their
        product goes to its end. `einsum` and `numpy.einsum` take it as `optimize`.
    info : PathInfo
        A text, with opt_einsum's figures as attributes (`opt_cost`, `largest_intermediate`, …) and the plan of the
        kernel as `plan`: steps, costs, what was rejected. The plan is made when it is asked for.

    Raises
    ------
    CompileError
        If the string does not fit the operands.

    Examples
    --------
    >>> import einsum_front as ef
    >>> path, info = ef.einsum_path("ab,bc,cd->ad", (20, 9), (9, 30), (30, 5), shapes=True)
    >>> path
    ['einsum_path', (1, 2), (0, 1)]
    """
    text, operands = as_string(subscripts, given)
    listed, real = _shapes(operands, are_shapes=shapes)
    try:
        string = read_einsum(text, listed)
    except CompileError as error:
        is_of_shapes = not shapes and bool(operands) and all(map(_is_shape, operands))
        raise _of_shapes(error) if is_of_shapes else error from None
    stand_ins = [np.broadcast_to(0.0, shape) for shape in listed]
    rare = read_rare(text, stand_ins, optimize, memory_limit)
    path, limited = read_path(rare.optimize, len(listed)), within_limit(rare)
    cut = () if limited is None else limited.cut
    path = path if limited is None else limited.path
    info = path_info(string.kernel.subscripts, string.extents, _ordered(string, real) if path is None else path, cut)
    if path is None:
        info.explain = partial(_explained, string, real)
    return ["einsum_path", *info.path], info


def _is_shape(operand: object) -> bool:
    return isinstance(operand, tuple) and all(isinstance(size, int) for size in operand)


def _of_shapes(error: CompileError) -> CompileError:
    """The error, with what helps those who gave shapes."""
    note = "with `shapes=True`, shapes stand in the place of arrays"
    return CompileError([replace(each, notes=(*each.notes, note)) for each in error.diagnostics])


def _shapes(operands: Sequence[Any], *, are_shapes: bool) -> tuple[list[tuple[int, ...]], str]:
    """The shape of each operand, and the type of the contraction."""
    if are_shapes:
        return [closed_shape(number, shape) for number, shape in enumerate(operands)], "f64"
    reject_states(operands)
    if any(map(is_on_device, operands)):
        there, kind = read_device_operands(operands)
        return [array.shape for array in there], ELEMENT_TYPES.get(kind, "f64")
    arrays = read_arrays(cast("Sequence[ArrayLike]", operands))
    kind = np.result_type(*arrays) if arrays else np.dtype(float)
    return [array.shape for array in arrays], ELEMENT_TYPES.get(kind, "f64")


def _ordered(string: IndexString, real: str) -> Positions:
    """The path of the planner."""
    kernel = string.kernel
    graph = _graph(string, real)
    if graph is None:
        terms = [term.names for term in kernel.subscripts.operands]
        return path_of_terms(terms, kernel.subscripts.output.names, string.extents, inf)
    return path_of([operand.name for operand in kernel.operands], ir.order_graph(graph, own_machine()))


def _explained(string: IndexString, real: str) -> str:
    """The plan as a text; none if there are more indices than a kernel has."""
    graph = _graph(string, real)
    if graph is None:
        return ""
    return f"{_batch_text(string)}\n{level_text(ir.plan_graph(graph, machine=own_machine()).plan)}\n"


def _graph(string: IndexString, real: str) -> ir.Graph | None:
    """The graph of a string; None if it has more indices than a graph."""
    try:
        return graph_of(string.kernel, real)
    except CompileError as error:
        if any(each.code != "E0303" for each in error.diagnostics):
            raise
    return None


def _batch_text(string: IndexString) -> str:
    if string.kernel.has_batch_index:
        return f"a batch of {string.shape[0]}, the first index of the result; costs are those of one of them"
    return "no index is a batch: costs are those of the whole"
