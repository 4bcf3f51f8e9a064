"""`ef.einsum_path`: the order in which `ef.einsum` contracts, in NumPy's form, and the plan that says why."""

from collections.abc import Sequence
from typing import Any, cast

from numpy.typing import ArrayLike

from einsum_front import ir
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.driver.targets import own_machine
from einsum_front.driver.texts import level_text
from einsum_front.index_string.device_operands import read_device_operands
from einsum_front.index_string.graph import graph_of
from einsum_front.index_string.interleaved import as_string
from einsum_front.index_string.keywords import Optimize, read_keywords
from einsum_front.index_string.operands import ELEMENT_TYPES, common_type, read_arrays, reject_states
from einsum_front.index_string.planned import path_of
from einsum_front.index_string.program import IndexString, read_einsum
from einsum_front.runtime import is_on_device

Path = list[str | tuple[int, ...]]


def einsum_path(subscripts: object, *given: Any, optimize: Optimize = True) -> tuple[Path, str]:
    """The order of the products that `einsum` computes, and its plan as a text: steps, costs, what was rejected.

    The order is that of `numpy.einsum_path`: positions in the list of operands, which are taken out of it, while their
    product goes to its end; `einsum` and `numpy.einsum` take it as `optimize`. Only the shapes of the operands matter.
    Raises what `einsum` raises for these operands.
    """
    text, operands = as_string(subscripts, given)
    reject_states(operands)
    if callable(optimize) or read_keywords(len(operands), optimize, None, "K", "safe").path is not None:
        message = "`optimize` is a path, and `ef.einsum_path` says which one the planner finds"
        raise CompileError([Diagnostic("E0230", message, notes=("`ef.einsum` follows a path",))])
    if any(map(is_on_device, operands)):
        there = read_device_operands(operands)
        shapes, real = [array.shape for array in there], there[0].dtype
    else:
        arrays = read_arrays(cast("Sequence[ArrayLike]", operands))
        shapes, real = [array.shape for array in arrays], common_type(arrays, None, None, "safe", operands)
    string = read_einsum(text, shapes)
    plan = ir.plan_graph(graph_of(string.kernel, ELEMENT_TYPES[real]), machine=own_machine()).plan
    path: Path = ["einsum_path", *path_of([operand.name for operand in string.kernel.operands], plan)]
    return path, f"{_batch_text(string)}\n{level_text(plan)}"


def _batch_text(string: IndexString) -> str:
    if string.kernel.has_batch_index:
        return f"a batch of {string.shape[0]}, the first index of the result; costs are those of one of them"
    return "no index is a batch: costs are those of the whole"
