"""The planner: from the contraction graph to the plan."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf

from einsum_front.core.diagnostics import CompileError
from einsum_front.core.extent import hint
from einsum_front.core.machine import Machine
from einsum_front.core.names import Names
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.plan.copies import rooms, with_copies
from einsum_front.ir.plan.gathering import with_scatters
from einsum_front.ir.plan.gemm import cycles
from einsum_front.ir.plan.layout import KnownCycles, choose_layouts
from einsum_front.ir.plan.memory import first_beyond, peak_bytes, too_much_memory, with_lifetimes
from einsum_front.ir.plan.order import Operand, Tree
from einsum_front.ir.plan.plan import Buffer, Plan, Step
from einsum_front.ir.plan.products import make_ready
from einsum_front.ir.plan.schedule import Schedule, schedule
from einsum_front.ir.plan.sparsity import Sparsity, analyse
from einsum_front.ir.tensor import Tensor

MOST_COMPARED = 2
"""Contractions of a kernel of which equal orders are compared: each takes as long as to plan the kernel."""


def plan(graph: Graph, machine: Machine, max_temp: int | None = None) -> Plan:
    """Plan of a graph: what is computed in which order, and where.

    Temporaries take at most `max_temp` bytes at one time; raises `CompileError` (E0302) if no plan is found that does.
    """
    sparsity = analyse(graph)
    allowed = inf if max_temp is None else max_temp
    tried = []
    for limit in _limits(max_temp):
        made = with_scatters(_plan(graph, sparsity, limit, machine), graph)
        if first_beyond(made.buffers, allowed) is None:
            return made
        tried.append(made)
    smallest = min(tried, key=lambda made: hint(peak_bytes(made.buffers)))
    raise CompileError([too_much_memory(smallest, allowed)])


def fits(graph: Graph, machine: Machine, max_temp: int) -> bool:
    """True if there is a plan with at most `max_temp` bytes of temporaries."""
    try:
        plan(graph, machine, max_temp)
    except CompileError:
        return False
    return True


def _limits(max_temp: int | None) -> Iterator[float]:
    """The bytes that a product may have: any number, then ever fewer."""
    yield inf
    if max_temp is not None:
        for halvings in range(max_temp.bit_length() + 1):
            yield max_temp >> halvings


def _plan(graph: Graph, sparsity: Sparsity, max_temporary: float, machine: Machine) -> Plan:
    """The cheapest plan, where orders that take about as many operations are compared by what their layouts cost."""
    scheduled, known = schedule(graph, sparsity, max_temporary), KnownCycles(machine)
    best, taken = _laid_out(graph, scheduled, known), dict[int, int]()
    for key, number in list(scheduled.equals.items())[:MOST_COMPARED]:
        for other in range(1, number + 1):
            preferred = {**taken, key: other}
            made = _laid_out(graph, schedule(graph, sparsity, max_temporary, preferred), known)
            if _cycles(made) < _cycles(best):
                best, taken = made, preferred
    if graph.prologue is None:
        return best
    return replace(best, prologue=_plan_prologue(graph.prologue, best.tensors.values(), machine))


Joined = tuple[str, str, str]
"""A product of two values and what it makes, by names: of arguments, and of products before it."""


def ordered_products(graph: Graph, machine: Machine) -> tuple[Joined, ...]:
    """The products of `plan` in their order, those of the prologue in front, for a graph of contractions.

    No steps are made for it, unless orders are about equal, which are compared by their layouts.
    """
    found: list[Joined] = []
    known: dict[str, str] = {}
    for part in (graph,) if graph.prologue is None else (graph.prologue, graph):
        sparsity, names = analyse(part), dict[int, str]()
        for key, node in part.nodes:
            operands = [names[operand] for operand in part.operands(key)]
            if isinstance(node, cg.Contraction) and len(operands) > 1:
                ready = make_ready(sparsity, key, node, inf)
                if ready.ranking.equals:
                    return products_of(plan(graph, machine))
                names[key] = _joined(ready.tree, operands, f"{part.name} {key}", found)
            elif isinstance(node, cg.Leaf):
                names[key] = known.get(node.tensor.name, node.tensor.name)
            else:
                names[key] = operands[0]
            if isinstance(node, cg.Assignment):
                known[node.tensor.name] = names[key]
    return tuple(found)


def _joined(tree: Tree, operands: Sequence[str], prefix: str, found: list[Joined]) -> str:
    """The name of the value of a tree, whose products are found."""
    if isinstance(tree, Operand):
        return operands[tree.factor]
    left, right = (_joined(part, operands, prefix, found) for part in (tree.left, tree.right))
    found.append((left, right, f"{prefix} {len(found)}"))
    return found[-1][2]


def products_of(made: Plan) -> tuple[Joined, ...]:
    """The products of a plan as `ordered_products` has them. What is only summed before keeps the name that it had."""
    known: dict[str, str] = {}
    found = []
    for step in (*(() if made.prologue is None else made.prologue.steps), *made.steps):
        names = [known.get(view.buffer, view.buffer) for view in step.operands]
        if len(names) == 1:
            known[step.target.buffer] = names[0]
        else:
            found.append((names[0], names[1], step.target.buffer))
    return tuple(found)


def _laid_out(graph: Graph, scheduled: Schedule, known: KnownCycles) -> Plan:
    room = rooms(scheduled.temporaries, scheduled.steps)
    return assembled(graph, scheduled, choose_layouts(graph.arguments, scheduled, room, known), room, known.machine)


def _cycles(made: Plan) -> float:
    tensors = made.tensors
    return sum(cycles(step, tensors, made.machine) for step in made.steps)


def assembled(
    graph: Graph, scheduled: Schedule, temporaries: Sequence[Tensor], room: Sequence[int], machine: Machine
) -> Plan:
    """The plan with these layouts of the temporaries and the copies that pay, for which each step has so many bytes."""
    tensors = {tensor.name: tensor for tensor in (*graph.arguments, *temporaries)}
    scalars = {scalar.name for scalar in graph.scalars}
    copies, steps = with_copies(scheduled.steps, tensors, room, machine, scalars)
    used = {buffer for step in steps for buffer in step.buffers}
    kept = (*graph.arguments, *(tensor for tensor in (*temporaries, *copies) if tensor.name in used))
    buffers, decisions = with_lifetimes(kept, steps), scheduled.decisions
    rewritings, saved = graph.rewritings, graph.saved
    return Plan(
        graph.name,
        graph.scalars,
        buffers,
        steps,
        decisions,
        machine,
        rewritings,
        saved,
        None,
        graph.origin,
        scheduled.fusions,
    )


def _plan_prologue(graph: Graph, taken: Iterable[Tensor], machine: Machine) -> Plan:
    """The plan of a prologue. It has memory of the launch for its temporaries, which have no name of a tensor `taken`.

    They may be large, and a work-group has little memory; what is done once need not be near.
    """
    made = _plan(graph, analyse(graph), inf, machine)
    names = Names(tensor.name for tensor in (*taken, *graph.arguments))
    fresh = {each.tensor.name: names.fresh(each.tensor.name) for each in made.buffers if each.is_temporary}
    buffers = (_in_memory_of_launch(each, fresh) if each.is_temporary else each for each in made.buffers)
    return replace(made, buffers=tuple(buffers), steps=tuple(_renamed(step, fresh) for step in made.steps))


def _in_memory_of_launch(buffer: Buffer, names: Mapping[str, str]) -> Buffer:
    tensor = replace(buffer.tensor, name=names[buffer.tensor.name], storage=Storage.CONSTANT)
    return replace(buffer, tensor=tensor)


def _renamed(step: Step, names: Mapping[str, str]) -> Step:
    """The step with other names for some of its buffers."""
    operands = tuple(replace(view, buffer=names.get(view.buffer, view.buffer)) for view in step.operands)
    target = replace(step.target, buffer=names.get(step.target.buffer, step.target.buffer))
    return replace(step, operands=operands, target=target)
