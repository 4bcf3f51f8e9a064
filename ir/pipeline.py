"""The steps from a contraction graph to the YATeTo language, in order."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import partial

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import Machine
from einsum_front.core.machines import GENERIC
from einsum_front.core.storage import Storage
from einsum_front.ir.algebra.factor import factor_sums, factor_sums_for_launch
from einsum_front.ir.algebra.fold import fold_known_values
from einsum_front.ir.algebra.once import compute_constants_once
from einsum_front.ir.algebra.price import cost_of_element, price_of
from einsum_front.ir.algebra.scale import distribute_to_constants, scale_known_constants
from einsum_front.ir.algebra.select import select_entries
from einsum_front.ir.algebra.sparsify import sparsify_known_matrices
from einsum_front.ir.contraction.graph import Graph, without_unread
from einsum_front.ir.emit_tensor_language import TensorLanguageFunction, emit
from einsum_front.ir.plan.emit_yateto import emit_function
from einsum_front.ir.plan.plan import Plan
from einsum_front.ir.plan.planner import Joined, fits, ordered_products
from einsum_front.ir.plan.planner import plan as make_plan
from einsum_front.ir.yateto import nodes as yir

Pass = tuple[str, Callable[[Graph], Graph]]
"""A pass over the contraction graph, with its name."""

SIMPLIFICATIONS: tuple[Pass, ...] = (
    ("select_entries", select_entries),
    ("fold_known_values", fold_known_values),
    ("sparsify_known_matrices", sparsify_known_matrices),
    ("factor_sums", factor_sums),
    ("scale_known_constants", scale_known_constants),
)
"""Passes over the contraction graph, in order."""

BEFORE_FACTORS = 3
"""Passes before common factors are taken out, which are others where sums of constants are free."""


def _simplifications(machine: Machine) -> tuple[Pass, ...]:
    """The passes as they are for a machine."""
    if machine.splits_matrices:
        return SIMPLIFICATIONS
    changed = {"sparsify_known_matrices": partial(sparsify_known_matrices, has_single=False)}
    return tuple((name, changed.get(name, run)) for name, run in SIMPLIFICATIONS)


def simplify(
    graph: Graph,
    observe: Callable[[str, Graph], None],
    machine: Machine,
    max_temp: int | None = None,
    taken: Collection[str] = (),
    *,
    has_prologue: bool = True,
) -> Graph:
    """The graph behind all simplifications; the observer sees each of them.

    The graph itself, if they do not make it cheaper, or need more than `max_temp` bytes of temporaries. A prologue has
    a name that is not `taken`; without `has_prologue` there is none.
    """
    passes = _simplifications(machine)
    known = _passed(graph, passes[:BEFORE_FACTORS], observe)
    simplified = _simplified(graph, _passed(known, passes[BEFORE_FACTORS:], observe), machine, max_temp)
    if not has_prologue:
        return simplified
    once = _once(graph, known, simplified, machine, taken)
    observe("compute_constants_once", once)
    if once is simplified or (max_temp is not None and not fits(once, machine, max_temp)):
        return simplified
    return replace(once, saved=price_of(graph).operations - price_of(once).operations)


def _once(graph: Graph, known: Graph, simplified: Graph, machine: Machine, taken: Collection[str]) -> Graph:
    """The cheapest graph with a prologue for an element, or the one that has none.

    `known` is the graph before common factors are taken out. They may be others if sums of constants are free, so they
    are looked for once more. Coefficients of sums are free where all terms are products of constants.
    """
    found = [simplified, compute_constants_once(simplified, machine, taken)]
    if (distributed := distribute_to_constants(simplified)).values != simplified.values:
        found.append(compute_constants_once(distributed, machine, taken))
    if sum(tensor.storage is Storage.CONSTANT for tensor in graph.arguments) > 1:
        factored = without_unread(factor_sums_for_launch(known), graph.leaves)
        if factored.rewritings != simplified.rewritings:
            found.append(compute_constants_once(factored, machine, taken))
    with_prologue = [each for each in found if each.prologue is not None]
    cost = partial(cost_of_element, machine=machine)
    return min([simplified, *with_prologue], key=cost) if with_prologue else simplified


def _simplified(graph: Graph, passed: Graph, machine: Machine, max_temp: int | None) -> Graph:
    """Result of the simplifications that leave the graph in one, if it is cheaper.

    Constants that one has made and another has replaced are no part of it.
    """
    simplified = without_unread(passed, graph.leaves)
    if not simplified.rewritings:
        return graph
    before, after = price_of(graph), price_of(simplified)
    if not after.is_below(before) or (max_temp is not None and not fits(simplified, machine, max_temp)):
        return graph
    return replace(simplified, saved=before.operations - after.operations)


def _passed(graph: Graph, passes: Iterable[Pass], observe: Callable[[str, Graph], None]) -> Graph:
    """The graph behind some passes."""
    passed = graph
    for name, run in passes:
        passed = run(passed)
        observe(name, passed)
    return passed


@dataclass(frozen=True, slots=True)
class Planned:
    """A kernel as far as only the machine matters: its graph behind all simplifications, its plan, its first graph."""

    graph: Graph
    plan: Plan
    written: Graph


Observer = Callable[[str, Graph | Plan], None]
"""Sees the value behind each step, with its name: that of a pass, `graph` or `plan`."""


def _ignore(_step: str, _value: Graph | Plan) -> None:
    """The observer for which all steps are a no-op."""


def plan_graph(
    graph: Graph,
    observe: Observer = _ignore,
    max_temp: int | None = None,
    taken: Collection[str] = (),
    machine: Machine = GENERIC,
    *,
    has_prologue: bool = True,
) -> Planned:
    """Simplifies a graph and plans it for a machine; `max_temp` are the bytes of temporaries alive at one time.

    A prologue gets a name that is not `taken`; without `has_prologue` there is none. Raises `CompileError` if no plan
    has so few temporaries (E0302).
    """
    simplified = simplify(graph, observe, machine, max_temp, {*taken, graph.name}, has_prologue=has_prologue)
    observe("graph", simplified)
    plan = make_plan(simplified, machine, max_temp)
    observe("plan", plan)
    return Planned(simplified, plan, graph)


def order_graph(graph: Graph, machine: Machine = GENERIC) -> tuple[Joined, ...]:
    """The products of the plan of a graph of contractions, in their order."""
    return ordered_products(simplify(graph, _ignore, machine, None, {graph.name}), machine)


def emit_yateto(plan: Plan) -> yir.Function:
    """The plan in the YATeTo language."""
    return emit_function(plan)


def lower_yateto(function: yir.Function) -> TensorLanguageFunction:
    """The function in the tensor language. Raises `CompileError` if it has no memory for a temporary (E0301)."""
    (lowered,) = emit(yir.Program((function,))).functions
    return lowered


def compile_graph(
    graph: Graph, observe: Observer = _ignore, max_temp: int | None = None, machine: Machine = GENERIC
) -> TensorLanguageFunction:
    """A contraction graph as a function of the tensor language; raises what `plan_graph` and `lower_yateto` raise."""
    return lower_yateto(emit_yateto(plan_graph(graph, observe, max_temp, machine=machine).plan))
