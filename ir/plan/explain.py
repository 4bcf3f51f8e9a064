"""A plan for people and for programs: the steps, what they cost, and why they are in this order.

plan volume: 4806 operations on nonzeros, 20736 executed, 4320 bytes read, …
  buffers
    Q: f64 20x9 batched
    tmp0: f64 10x9, modes 0 1, steps 0 to 1
  steps
    0: log {lq, qp to lp} tmp0[l, p] := I[l, q] * star_0[q, p]    l=10 p=9, sum q=9    432 operations
  orders
    kDivM_0 * I * star_0: kDivM_0 (I star_0), 1026 operations
      rejected: (kDivM_0 I) star_0, 1200 operations
"""

from ir.coefficient import ONE, Coefficient, is_zero
from ir.coefficient import unparse as unparse_coefficient
from ir.contraction.nodes import Along
from ir.contraction.unparse import unparse_parts, unparse_space, unparse_tensor
from ir.index import IndexMap, spelled
from ir.plan.gemm import LoopsOverGemm, loops_over_gemm
from ir.plan.memory import peak_bytes
from ir.plan.order import Operand, Order, Pair, Tree
from ir.plan.plan import Buffer, Decision, Plan, Step, StepKind, View


def explain(plan: Plan) -> str:
    """The plan as text; equal plans have equal texts."""
    cost = plan.cost
    lines = [
        f"plan {plan.name}: {cost.operations} operations on nonzeros, {cost.executed} executed, "
        f"{cost.read} bytes read, {cost.written} bytes written, {peak_bytes(plan.buffers)} bytes of temporaries",
        "  buffers",
        *(f"    {_buffer(buffer)}" for buffer in plan.buffers),
        "  steps",
        *(f"    {number}: {_step(step, plan)}" for number, step in enumerate(plan.steps)),
    ]
    if plan.decisions:
        lines += ["  orders", *(f"    {line}" for decision in plan.decisions for line in _decision(decision))]
    return "\n".join(lines) + "\n"


def explain_as_data(plan: Plan) -> dict[str, object]:
    """The plan as lists and dictionaries of strings and integers."""
    cost = plan.cost
    return {
        "name": plan.name,
        "operations": {"nonzero": cost.operations, "executed": cost.executed},
        "bytes": {"read": cost.read, "written": cost.written, "temporaries": peak_bytes(plan.buffers)},
        "buffers": [_buffer_data(buffer) for buffer in plan.buffers],
        "steps": [_step_data(step, plan) for step in plan.steps],
        "orders": [_decision_data(decision) for decision in plan.decisions],
    }


# -- buffers -----------------------------------------------------------------------------------------------------------


def _buffer(buffer: Buffer) -> str:
    tensor = buffer.tensor
    head = f"{tensor.name}: {unparse_tensor(tensor)}"
    if not buffer.is_temporary:
        return head
    order = " ".join(map(str, tensor.modes_by_stride))
    return f"{head}{', modes ' + order if order else ''}, steps {buffer.first} to {buffer.last}"


def _buffer_data(buffer: Buffer) -> dict[str, object]:
    tensor = buffer.tensor
    return {
        "name": tensor.name,
        "type": tensor.element_type.value,
        "shape": list(tensor.shape),
        "strides": list(tensor.strides),
        "storage": tensor.storage.value,
        "first_step": buffer.first,
        "last_step": buffer.last,
    }


# -- steps -------------------------------------------------------------------------------------------------------------


def _step(step: Step, plan: Plan) -> str:
    operations = f"{step.cost.operations} operations"
    return f"{step.kind.value} {_map(step, plan)}{_formula(step)}    {unparse_space(step.space)}    {operations}"


def _formula(step: Step) -> str:
    """The step as an equation."""
    factors = [view_text(view) for view in step.operands]
    if step.alpha != ONE or not factors:
        factors.insert(0, _factor(step.alpha))
    terms = [" * ".join(factors)]
    target = view_text(step.target)
    if not is_zero(step.beta):
        terms.insert(0, target if step.beta == ONE else f"{_factor(step.beta)} * {target}")
    return f"{target} := {' + '.join(terms)}"


def _factor(coefficient: Coefficient) -> str:
    text = unparse_coefficient(coefficient)
    return f"({text})" if " " in text else text


def view_text(view: View) -> str:
    """A view as text: `tmp0[l, p+3, 2]`."""
    return f"{view.buffer}{unparse_parts(view.parts)}"


def _map(step: Step, plan: Plan) -> str:
    """The index map of a product with its modifiers, the modes in the order of memory."""
    if step.kind is not StepKind.LOG:
        return ""
    loops = loops_over_gemm(step, plan.tensors)
    left, right, target = (_marked(_indices(view, plan), loops) for view in (*step.operands, step.target))
    return f"{{{left}, {right} to {target}}} "


def _indices(view: View, plan: Plan) -> IndexMap:
    parts = (view.parts[mode] for mode in plan.tensors[view.buffer].modes_by_stride)
    return tuple(part.index for part in parts if isinstance(part, Along))


def _marked(indices: IndexMap, loops: LoopsOverGemm) -> str:
    groups = {group[0]: group for group in (loops.m, loops.n, loops.k) if len(group) > 1}
    later = {index for group in groups.values() for index in group[1:]}
    entries = []
    for index in indices:
        if index in loops.loops:
            entries.append(f"[{index}]")
        elif index in groups:
            entries.append(f"({spelled(groups[index])})")
        elif index not in later:
            entries.append(index)
    separator = "" if all(len(index) == 1 for index in indices) else " "
    return separator.join(entries) or "_"


def _step_data(step: Step, plan: Plan) -> dict[str, object]:
    cost = step.cost
    return {
        "instruction": step.kind.value,
        "map": _map(step, plan).strip() or None,
        "formula": _formula(step),
        "space": {
            index.name: {"extent": index.extent, "kind": step.space.kind(index.name).value}
            for index in step.space.indices
        },
        "operations": {"nonzero": cost.operations, "executed": cost.executed},
        "bytes": {"read": cost.read, "written": cost.written},
    }


# -- orders ------------------------------------------------------------------------------------------------------------


def _decision(decision: Decision) -> list[str]:
    head = f"{' * '.join(decision.factors)}: {_order(decision.taken, decision)}"
    return [head, *(f"  rejected: {_order(order, decision)}" for order in decision.rejected)]


def _order(order: Order, decision: Decision) -> str:
    """An order as text, with what tells it from the others."""
    return (
        f"{_tree(order.tree, decision.factors)}, {order.operations} operations, {order.executed} executed, "
        f"{order.calls} matrix products, {order.temporaries} entries of temporaries"
    )


def _tree(tree: Tree, factors: tuple[str, ...]) -> str:
    match tree:
        case Operand(factor=factor):
            return factors[factor]
        case Pair(left=left, right=right):
            return f"{_inner(left, factors)} {_inner(right, factors)}"


def _inner(tree: Tree, factors: tuple[str, ...]) -> str:
    text = _tree(tree, factors)
    return f"({text})" if isinstance(tree, Pair) else text


def _decision_data(decision: Decision) -> dict[str, object]:
    return {
        "factors": list(decision.factors),
        "taken": _order_data(decision.taken, decision),
        "rejected": [_order_data(order, decision) for order in decision.rejected],
    }


def _order_data(order: Order, decision: Decision) -> dict[str, object]:
    return {
        "tree": _tree(order.tree, decision.factors),
        "operations": {"nonzero": order.operations, "executed": order.executed},
        "matrix_products": order.calls,
        "temporary_entries": order.temporaries,
    }
