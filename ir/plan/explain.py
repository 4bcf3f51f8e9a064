"""A plan for people and for programs: the steps, what they cost, and why they are in this order.

plan volume: 4806 operations on nonzeros, 20736 on boxes, 4320 bytes read, …
  buffers
    Q: f64 20x9 batched
    tmp0: f64 10x9 temp, in memory 10x9 (modes 0 1), steps 0 to 1
  steps
    0: log {lq, qp to lp} tmp0[l, p] := I[l, q] * star_0[q, p]    l=10 p=9, sum q=9    432 operations
  orders
    kDivM_0 * I * star_0: kDivM_0 (I star_0), 1026 operations
      rejected: (kDivM_0 I) star_0, 1200 operations
"""

import math
from collections.abc import Iterator, Sequence

from einsum_front.core.coefficient import ONE, Coefficient, is_zero
from einsum_front.core.coefficient import unparse as unparse_coefficient
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, Polynomial, Size, hint, is_at_most, product
from einsum_front.core.extent_text import data, text_of_shape
from einsum_front.core.payload import payload_text
from einsum_front.core.scatter_text import formula as formula_of_sum
from einsum_front.core.writer import Writer, Written
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.unparse import unparse_parts, unparse_space, unparse_tensor
from einsum_front.ir.index import IndexMap, spelled
from einsum_front.ir.plan.gemm import LoopsOverGemm, loops_over_gemm
from einsum_front.ir.plan.memory import peak_bytes
from einsum_front.ir.plan.order import Operand, Order, Pair, Tree
from einsum_front.ir.plan.plan import Buffer, Decision, Gathering, Plan, Step, StepKind, View
from einsum_front.ir.tensor import Tensor


def explain(plan: Plan) -> str:
    """The plan as text; equal plans have equal texts."""
    return explain_with_origins(plan)[0]


def explain_with_origins(plan: Plan) -> tuple[str, tuple[Written, ...]]:
    """The text, and the characters of what has an origin: the plan, its buffers, its steps, rewritings, and orders.

    What is computed once per launch comes last.
    """
    writer = Writer(width=math.inf)
    _write(writer, plan)
    if plan.prologue is not None:
        writer.line("once per launch")
        _write(writer, plan.prologue)
    return writer.text(), tuple(writer.written)


def _write(writer: Writer, plan: Plan) -> None:
    cost = plan.cost
    writer.leaf(
        f"plan {plan.name}: {cost.operations} operations on nonzeros, {cost.executed} on boxes, "
        f"{cost.read} bytes read, {cost.written} bytes written, {peak_bytes(plan.buffers)} bytes of temporaries",
        plan.origin,
    )
    _write_part(writer, "sizes", [(size_text(size), ()) for size in plan.sizes])
    _write_part(writer, "buffers", [(_buffer(buffer), _origin(buffer, plan)) for buffer in plan.buffers])
    steps = (f"{number}: {_step(step, plan)}" for number, step in enumerate(plan.steps))
    _write_part(writer, "steps", list(zip(steps, (step.origin for step in plan.steps), strict=True)))
    _write_part(writer, "functions", [(each, ()) for each in plan.fusions])
    rewritten = f"rewritten, {plan.saved} operations less"
    _write_part(writer, rewritten, [(each.text, each.origin) for each in plan.rewritings])
    orders = ((line, each.origin) for each in plan.decisions for line in _decision(each))
    _write_part(writer, "orders", list(orders))
    _write_part(writer, "sums where integers say", list(sums(plan)))


def sums(plan: Plan) -> Iterator[tuple[str, Origin]]:
    """What is added where integers say, how and why, in words with their origins."""
    for step in plan.steps:
        if step.gathering is not None and step.gathering.adds:
            there, name = _gathering_text(step.gathering), step.gathering.sources[0]
            yield f"{there} += {view_text(step.target)}: in any order, since `{name}` is `atomic`", step.origin
    for scatter in plan.scatters:
        source = plan.tensors[scatter.source]
        moved = data(product(source.shape) * source.element_type.size)
        integers = ", ".join(f"`{name}`" for name in dict.fromkeys(said.tensor for said in scatter.integers))
        how = f"in the order of the elements by the inverse of {integers}, since `{scatter.target}` is not `atomic`"
        yield f"{formula_of_sum(scatter)}: {how}; {moved} bytes of an element are read again", scatter.origin


def _origin(buffer: Buffer, plan: Plan) -> Origin:
    """A temporary of the planner came from the statement that it is first used for."""
    first = () if buffer.first is None else plan.steps[buffer.first].statement
    return buffer.tensor.origin or first


def _write_part(writer: Writer, head: str, lines: Sequence[tuple[str, Origin]]) -> None:
    """Lines with their origins under a head, if there are any; buffers and steps always have one."""
    if lines or head in ("buffers", "steps"):
        writer.line(f"  {head}")
    writer.depth += 2
    for text, origin in lines:
        writer.leaf(text, origin)
    writer.depth -= 2


def explain_as_data(plan: Plan) -> dict[str, object]:
    """The plan as lists and dictionaries of strings and integers."""
    cost = plan.cost
    return {
        "name": plan.name,
        "machine": plan.machine.name,
        "sizes": {size.name: _size_data(size) for size in plan.sizes},
        "operations": {"nonzero": data(cost.operations), "executed": data(cost.executed)},
        "bytes": data(cost.bytes),
        "read_bytes": data(cost.read),
        "written_bytes": data(cost.written),
        "temporary_bytes": data(peak_bytes(plan.buffers)),
        "buffers": [_buffer_data(buffer) for buffer in plan.buffers],
        "steps": [_step_data(step, plan) for step in plan.steps],
        "functions": list(plan.fusions),
        "rewritten": [each.text for each in plan.rewritings],
        "saved_operations": data(plan.saved),
        "orders": [_decision_data(decision) for decision in plan.decisions],
        "sums": [text for text, _ in sums(plan)],
        "prologue": None if plan.prologue is None else explain_as_data(plan.prologue),
    }


# -- sizes -------------------------------------------------------------------------------------------------------------


def size_text(size: Size) -> str:
    """What is known about a size: `n: from 4 to 64, hint 56`."""
    end = "on" if size.most is None else f"to {size.most}"
    return f"{size.name}: from {size.least} {end}, hint {size.hint}"


def _size_data(size: Size) -> dict[str, int | None]:
    return {"least": size.least, "most": size.most, "hint": size.hint}


# -- buffers -----------------------------------------------------------------------------------------------------------


def _buffer(buffer: Buffer) -> str:
    tensor = buffer.tensor
    head = f"{tensor.name}: {unparse_tensor(tensor)}"
    if not buffer.is_temporary:
        return head
    order = tensor.modes_by_stride
    there = f", in memory {text_of_shape(tensor.shape[mode] for mode in order)} (modes {' '.join(map(str, order))})"
    return f"{head}{there if order else ''}, steps {buffer.first} to {buffer.last}"


def _buffer_data(buffer: Buffer) -> dict[str, object]:
    tensor = buffer.tensor
    return {
        "name": tensor.name,
        "type": tensor.element_type.value,
        "shape": list(map(data, tensor.shape)),
        "strides": list(map(data, tensor.strides)),
        "storage": tensor.storage.value,
        "first_step": buffer.first,
        "last_step": buffer.last,
    }


# -- steps -------------------------------------------------------------------------------------------------------------


def _step(step: Step, plan: Plan) -> str:
    operations = f"{step.cost.operations} operations"
    map_ = f"{map_text(step, plan)} " if step.kind is StepKind.LOG else ""
    return f"{step.kind.value} {map_}{formula(step)}    {unparse_space(step.space)}    {operations}"


def formula(step: Step) -> str:
    """The step as an equation: `Q[k+1, p] := Q[k+1, p] + K[k+1, l] * tmp0[p, l]`."""
    factors = [view_text(view) for view in step.operands]
    if step.payload is not None:
        value = payload_text(step.payload, factors, _factor)
        reduced_over = ",".join(index.name for index in step.space.reduction)
        factors = [value if step.combiner is None else f"{step.combiner.value}{{{reduced_over}}}({value})"]
    if step.alpha != ONE or not factors:
        factors.insert(0, _factor(step.alpha))
    if step.gathering is not None and step.gathering.adds:
        there = _gathering_text(step.gathering)
        return f"{there} := {there} + {view_text(step.target)}"
    if step.gathering is not None:
        factors = [_gathering_text(step.gathering)]
    terms = [" * ".join(factors)]
    target = view_text(step.target)
    if not is_zero(step.beta):
        terms.insert(0, target if step.beta == ONE else f"{_factor(step.beta)} * {target}")
    return f"{target} := {' + '.join(terms)}"


def _gathering_text(gathering: Gathering) -> str:
    """What is read where, as the notation has it: `x[node[i], q]@next[f]`, of several `(R_0, R_1){side[f]}[p, q]`."""
    places = ", ".join(view_text(each) if isinstance(each, View) else str(each) for each in gathering.places)
    element = "" if gathering.element is None else f"@{view_text(gathering.element)}"
    sources = ", ".join(gathering.sources)
    if gathering.member is not None:
        sources = f"({sources}){{{view_text(gathering.member)}}}"
    return f"{sources}[{places}]{element}"


def _factor(coefficient: Coefficient) -> str:
    text = unparse_coefficient(coefficient)
    return f"({text})" if " " in text else text


def view_text(view: View) -> str:
    """A view as text: `tmp0[l, p+3, 2]`."""
    return f"{view.buffer}{unparse_parts(view.parts)}"


def map_text(step: Step, plan: Plan) -> str:
    """The index map of a step in the notation of the YATeTo language, the modes in the order of memory.

    `{i[k]m, m(jn) to i(jn)[k]}`: loops around matrix products are in brackets, modes that are walked as one in
    parentheses. A step without operands has only the map of its target, `{ij}`.
    """
    tensors = plan.tensors
    walked = [_indices(view, tensors[view.buffer]) for view in (*step.operands, step.target)]
    if step.kind is StepKind.LOG:
        loops = loops_over_gemm(step, tensors, plan.machine)
        *operands, target = (_marked(indices, loops) for indices in walked)
    else:
        *operands, target = map(spelled, walked)
    return f"{{{', '.join(operands)} to {target}}}" if operands else f"{{{target}}}"


def _indices(view: View, tensor: Tensor) -> IndexMap:
    parts = (view.parts[mode] for mode in tensor.modes_by_stride)
    return tuple(part.index for part in parts if isinstance(part, cg.Along))


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
        "map": map_text(step, plan),
        "formula": formula(step),
        "space": {
            index.name: {"extent": data(index.extent), "kind": step.space.kind(index.name).value}
            for index in step.space.indices
        },
        "operations": {"nonzero": data(cost.operations), "executed": data(cost.executed)},
        "bytes": data(cost.bytes),
        "statement": statement_text(step),
    }


def statement_text(step: Step) -> str | None:
    """The statement that a step is for, in one line; None if it has no place in a text."""
    return " ".join(step.statement[0].text.split()) if step.statement else None


# -- orders ------------------------------------------------------------------------------------------------------------


def _decision(decision: Decision) -> list[str]:
    head = f"{' * '.join(decision.factors)}: {_order(decision.taken, decision)}"
    rejected = (f"  rejected: {_order(order, decision)}{_why(order, decision)}" for order in decision.rejected)
    return [head, *rejected] if decision.is_exact else [head, *rejected, f"  {extent_of_search(decision)}"]


def _why(order: Order, decision: Decision) -> str:
    """Reason that the polynomials do not show at once."""
    is_open = any(isinstance(cost, Polynomial) for cost in (order.operations, order.executed, order.temporaries))
    return f": {reason(order, decision.taken)}" if is_open else ""


def extent_of_search(decision: Decision) -> str:
    """Which orders were compared."""
    if decision.is_exact:
        return "all orders were compared"
    if decision.ranking.parts == 1:
        return "parts of a good order were exchanged as long as that is worth it"
    return f"pairs of factors were joined first; of the {decision.ranking.parts} parts left all orders were compared"


def _order(order: Order, decision: Decision) -> str:
    """An order as text, with what tells it from the others."""
    return (
        f"{tree_text(order.tree, decision.factors)}, {order.operations} operations, {order.executed} on boxes, "
        f"{order.calls} matrix products, {order.temporaries} entries of temporaries"
    )


def reason(rejected: Order, taken: Order) -> str:
    """Why an order was not taken: the first cost by which it is worse, always or for the sizes that are thought of."""
    differences = (
        (rejected.operations - taken.operations, "more operations"),
        (rejected.executed - taken.executed, "more operations on boxes"),
        (rejected.calls - taken.calls, "more matrix products"),
        (rejected.temporaries - taken.temporaries, "more entries of temporaries"),
    )
    return next((_difference(more, what) for more, what in differences if hint(more)), "as good; found later")


def _difference(more: Extent, what: str) -> str:
    if not isinstance(more, Polynomial):
        return f"{more} {what}"
    if is_at_most(0, more):
        return f"{more} {what}, whatever the sizes are"
    at = ", ".join(f"{size.name} = {size.likely}" for size in more.sizes)
    return f"{hint(more)} {what} for {at}"


def tree_text(tree: Tree, factors: tuple[str, ...]) -> str:
    """A tree as text: `A (B C)`; `factors` are the names of the factors."""
    match tree:
        case Operand(factor=factor):
            return factors[factor]
        case Pair(left=left, right=right):
            return f"{_inner(left, factors)} {_inner(right, factors)}"


def _inner(tree: Tree, factors: tuple[str, ...]) -> str:
    text = tree_text(tree, factors)
    return f"({text})" if isinstance(tree, Pair) else text


def _decision_data(decision: Decision) -> dict[str, object]:
    return {
        "factors": list(decision.factors),
        "exact": decision.is_exact,
        "taken": _order_data(decision.taken, decision),
        "rejected": [
            _order_data(order, decision) | {"reason": reason(order, decision.taken)} for order in decision.rejected
        ],
    }


def _order_data(order: Order, decision: Decision) -> dict[str, object]:
    return {
        "tree": tree_text(order.tree, decision.factors),
        "operations": {"nonzero": data(order.operations), "executed": data(order.executed)},
        "matrix_products": data(order.calls),
        "temporary_entries": data(order.temporaries),
    }
