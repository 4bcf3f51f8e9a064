"""Texts in the notation as contraction graphs and plans, and plans run by the interpreter of the YATeTo language."""

from collections.abc import Mapping

import numpy as np

from einsum_front.core.diagnostics import Source, render_all
from einsum_front.core.machine import Machine
from einsum_front.core.machines import ZEN4
from einsum_front.core.storage import Storage
from einsum_front.elaborate import elaborate
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.interpret import Array
from einsum_front.ir.contraction.verify import verify as verify_graph
from einsum_front.ir.pipeline import simplify
from einsum_front.ir.plan.emit_yateto import emit
from einsum_front.ir.plan.plan import Plan
from einsum_front.ir.plan.planner import plan
from einsum_front.ir.tensor import pattern_of
from einsum_front.ir.yateto.interpret import interpret
from einsum_front.ir.yateto.verify import verify
from einsum_front.notation.check import check
from einsum_front.notation.checked import CheckedProgram
from einsum_front.notation.parse import parse

Arguments = dict[str, Array | complex]


def program_of(text: str) -> CheckedProgram:
    return check(parse(Source("test.ein", text)))


def graph_of(text: str, kernel: str | None = None) -> Graph:
    """The graph of a kernel, the first one if none is named."""
    program = program_of(text)
    chosen = next(k for k in program.kernels if kernel in (None, k.name))
    return elaborate(chosen, program)


def plan_of(text: str, kernel: str | None = None, machine: Machine = ZEN4) -> Plan:
    return plan(simplified(graph_of(text, kernel), machine), machine)


def simplified(graph: Graph, machine: Machine = ZEN4) -> Graph:
    """The graph that is planned; each pass on the way to it keeps the rules."""
    return simplify(graph, lambda _name, value: assert_valid(value), machine)


def assert_valid(graph: Graph) -> None:
    mistakes = verify_graph(graph)
    assert not mistakes, render_all(mistakes)


def copied(arguments: Mapping[str, Array | complex]) -> Arguments:
    return {name: np.array(value) if isinstance(value, np.ndarray) else value for name, value in arguments.items()}


def with_zeros(graph: Graph, arguments: Mapping[str, Array | complex]) -> Arguments:
    """The arguments with zeros where the tensors declare them."""
    result = copied(arguments)
    for tensor in graph.arguments:
        result[tensor.name] = np.where(pattern_of(tensor).array(), result[tensor.name], 0)
    return result


def run_plan(made: Plan, arguments: Arguments, batch: int) -> None:
    """Run the function that the plan becomes; arrays have the mode order of the text and are updated in place."""
    program = emit([made])
    mistakes = verify(program)
    assert not mistakes, render_all(mistakes)
    values: dict[str, object] = dict(arguments)
    for buffer in made.buffers:
        tensor = buffer.tensor
        if tensor.storage is not Storage.TEMPORARY and tensor.name in arguments:
            array = np.asarray(arguments[tensor.name])
            before = array.ndim - tensor.order
            values[tensor.name] = array.transpose(*range(before), *(before + mode for mode in tensor.modes_by_stride))
    interpret(program.functions[0], values, batch)
