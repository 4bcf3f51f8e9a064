"""Terms of a sum that need no reduction, added in one loop behind the products.

    Y[i,j] := X[i,j]                                     Y[i,j] := W[i,k] * h[k,j]
    Y[i,j] := Y[i,j] + W[i,k] * h[k,j]                   Y[i,j] := Y[i,j] + (X[i,j] + b[i])
    Y[i,j] := Y[i,j] + b[i]

The product then starts without reading what it adds to, and a schedule may run the loop on its sums in registers.
"""

from collections.abc import Callable, Sequence
from functools import reduce

from einsum_front.core.coefficient import ONE, Coefficient
from einsum_front.core.extent import total as sum_of
from einsum_front.core.functions import Function
from einsum_front.core.payload import Entry, Operation, Payload
from einsum_front.ir.plan.pending import PendingStep, Target
from einsum_front.ir.plan.plan import EntryPayload
from einsum_front.ir.plan.regions import volume

_Add = Callable[..., Entry]


def joins(pending: PendingStep, target: Target) -> bool:
    """True if a pending step computes each entry of all of the target's region from one entry of each operand."""
    is_everywhere = target.region(pending) == target.ranges and not target.placement.has_diagonal
    is_pointwise = bool(pending.operands) and not pending.reduction and pending.combiner is None
    return is_everywhere and is_pointwise and not any(placement.has_diagonal for placement, _ in pending.operands)


def is_worth_it(joining: Sequence[PendingStep], others: Sequence[PendingStep], target: Target) -> bool:
    """True if the loop saves a pass over the target: there are several terms, or a product writes all of it first."""
    if not others:
        return len(joining) > 1
    return bool(joining) and any(bool(each.reduction) and target.region(each) == target.ranges for each in others)


def in_one_loop(joining: Sequence[PendingStep], target: Target) -> PendingStep:
    """The sum of pending steps that all `joins`, as one payload."""
    operands = tuple(dict.fromkeys(operand for each in joining for operand in each.operands))
    operations: list[Operation[Coefficient]] = []

    def add(function: Function, *arguments: Entry | Coefficient) -> Entry:
        operations.append(Operation(function, arguments))
        return Entry(len(operands) + len(operations) - 1)

    values = (_value(each, [Entry(operands.index(operand)) for operand in each.operands], add) for each in joining)
    total = reduce(lambda left, right: add(Function.ADD, left, right), values)
    if not operations:
        add(Function.MUL, ONE, total)
    origin = tuple(dict.fromkeys(span for each in joining for span in each.origin))
    added = (len(joining) - 1) * volume(target.ranges)
    counted = sum_of((added, *(each.operations for each in joining)))
    payload = Payload(tuple(operations))
    return PendingStep(operands, dict(target.ranges), target.indices, ONE, counted, origin, payload)


def _value(pending: PendingStep, entries: Sequence[Entry], add: _Add) -> Entry:
    """`alpha` times the product of the entries, or the payload on them."""
    if pending.payload is None:
        value = reduce(lambda left, right: add(Function.MUL, left, right), entries)
    else:
        value = _inlined(pending.payload, entries, add)
    return value if pending.alpha == ONE else add(Function.MUL, pending.alpha, value)


def _inlined(payload: EntryPayload, entries: Sequence[Entry], add: _Add) -> Entry:
    """The operations of a payload on other entries."""
    found = list(entries)
    for operation in payload.operations:
        arguments = (found[each.number] if isinstance(each, Entry) else each for each in operation.arguments)
        found.append(add(operation.function, *arguments))
    return found[-1]
