"""Meaning of a name in an expression: a number, a scalar argument, or entries of a tensor."""

from collections.abc import Mapping
from typing import TypeVar

from einsum_front.core.coefficient import ScalarUse
from einsum_front.core.diagnostics import CompileError, Origin
from einsum_front.core.extent import Extent, Polynomial
from einsum_front.core.words import counted
from einsum_front.notation import checked, syntax
from einsum_front.notation.check.mistakes import already_reported, gather, mistake
from einsum_front.notation.check.numbers import integer
from einsum_front.notation.check.scope import ScalarFamily, Scope, TensorFamily
from einsum_front.notation.references import references

Member = TypeVar("Member", checked.Tensor, checked.Scalar)


def access(reference: syntax.Reference, scope: Scope) -> checked.Access:
    """The entries that a tensor's name and index list stand for."""
    family = declared_family(reference, scope)
    tensor = member(reference, family.extents, family.members, scope)
    positions = _positions(reference, reference.positions or (), tensor, family, scope)
    return checked.Access(tensor.name, positions, reference.origin)


def declared_family(reference: syntax.Reference, scope: Scope) -> TensorFamily:
    """The declaration of a tensor that is written with its index list."""
    name = reference.name
    if name not in scope.tensors:
        raise _not_a_tensor(reference, scope)
    family = scope.tensors[name]
    if reference.positions is None:
        message = f"`{name}` is a tensor of rank {len(family.declaration.shape)} and is written with its index list"
        label = "" if family.declaration.shape else f"write `{name}[]`"
        raise mistake(
            "E0213", message, (reference.origin, label), (family.declaration.origin, f"`{name}` declared here")
        )
    return family


def scalar(reference: syntax.Reference, scope: Scope) -> ScalarUse:
    """The scalar argument that a name stands for."""
    name = reference.name
    family = scope.scalars[name]
    if reference.positions is not None:
        message = f"`{name}` is a scalar and has no indices"
        declared = (family.declaration.origin, "declared as a scalar here")
        raise mistake("E0212", message, (reference.origin, "used like a tensor"), declared)
    return ScalarUse(member(reference, family.extents, family.members, scope).name, reference.origin)


def _not_a_tensor(reference: syntax.Reference, scope: Scope) -> CompileError:
    name = reference.name
    if name in scope.broken:
        return already_reported()
    if scope.number(name) is not None:
        message = f"`{name}` is a number and has neither indices nor members"
        return mistake("E0212", message, (reference.origin, "used like a tensor"))
    return mistake("E0201", f"`{name}` is not declared", (reference.origin, ""))


def member(
    reference: syntax.Reference, extents: tuple[int, ...], members: Mapping[tuple[int, ...], Member], scope: Scope
) -> Member:
    """The member of a family that a reference names; what is no family has one without a number."""
    name = reference.name
    if len(reference.members) != len(extents):
        declared = f"`{name}` is a family: `{name}{{{','.join('0' * len(extents))}}}` is its first member"
        message = declared if extents else f"`{name}` is no family, so it has no members"
        label = f"{len(reference.members)} given, {len(extents)} needed"
        raise mistake("E0220", message, (reference.origin, label))
    for part in reference.members:
        _reject_computed(part, part.origin, "a member")
    number = gather(lambda part: integer(part, scope, "a member index"), reference.members)
    for position, extent, expression in zip(number, extents, reference.members, strict=True):
        if not 0 <= position < extent:
            message = f"`{name}` has no member {position}: they run from 0 to {extent - 1}"
            raise mistake("E0220", message, (expression.origin, ""))
    return members[number]


def _reject_computed(expression: syntax.Expression, origin: Origin, what: str) -> None:
    if any(map(syntax.is_entry, references(expression))):
        message = f"an entry of an integer tensor is {what} alone: nothing is computed with it"
        raise mistake("E0245", message, (origin, ""))


# -- index lists -------------------------------------------------------------------------------------------------------


def _positions(
    reference: syntax.Reference,
    positions: tuple[syntax.Position, ...],
    tensor: checked.Tensor,
    family: TensorFamily | ScalarFamily,
    scope: Scope,
) -> tuple[checked.IndexPosition | checked.FixedPosition, ...]:
    check_order(reference, tensor, family)
    modes_with_positions = zip(range(len(positions)), positions, tensor.shape, strict=True)
    return gather(lambda triple: position_of(triple[1], triple[2], triple[0], tensor, scope), modes_with_positions)


def check_order(reference: syntax.Reference, tensor: checked.Tensor, family: TensorFamily | ScalarFamily) -> None:
    """Raise unless an index list has a position for each mode."""
    positions = reference.positions or ()
    if len(positions) != len(tensor.shape):
        given = f"{counted(len(positions), 'index', 'indices')} {'is' if len(positions) == 1 else 'are'} given"
        message = f"`{tensor.spelling}` has {counted(len(tensor.shape), 'mode')}, but {given}"
        raise mistake("E0202", message, (reference.origin, ""), (family.declaration.origin, "declared here"))


def position_of(
    position: syntax.Position, extent: Extent, mode: int, tensor: checked.Tensor, scope: Scope
) -> checked.IndexPosition | checked.FixedPosition:
    """The index or the number that a mode has; an entry of a tensor is neither."""
    if isinstance(position, syntax.FixedIndex):
        _reject_computed(position.position, position.origin, "a position")
    if isinstance(extent, Polynomial):
        return _through_all(position, extent, mode, tensor, scope)
    match position:
        case syntax.FixedIndex(expression, origin):
            fixed = integer(expression, scope, "a position")
            if not 0 <= fixed < extent:
                message = f"position {fixed} is outside of mode {mode} of `{tensor.spelling}`"
                raise mistake("E0206", message, (origin, f"this mode runs from 0 to {extent - 1}"))
            return checked.FixedPosition(fixed, origin)
        case syntax.RunningIndex(name, within, origin):
            _reject_number(name, position, scope)
            if within is None:
                return checked.IndexPosition(checked.Index(name, extent), 0, origin)
            start, stop = gather(lambda bound: integer(bound, scope, "a bound"), (within.start, within.stop))
            if not 0 <= start < stop <= extent:
                raise _bad_slice(within, start, stop, extent, mode, tensor)
            return checked.IndexPosition(checked.Index(name, stop - start), start, origin)


def _through_all(
    position: syntax.Position, extent: Polynomial, mode: int, tensor: checked.Tensor, scope: Scope
) -> checked.IndexPosition:
    """An index of a mode whose extent is dynamic; it has no positions and slices."""
    match position:
        case syntax.FixedIndex(origin=origin):
            raise _part_of_dynamic_mode("a position", origin, extent, mode, tensor)
        case syntax.RunningIndex(within=syntax.Range(origin=origin)):
            raise _part_of_dynamic_mode("a slice", origin, extent, mode, tensor)
        case syntax.RunningIndex(name=name, origin=origin):
            _reject_number(name, position, scope)
            return checked.IndexPosition(checked.Index(name, extent), 0, origin)


def index_of_ones(position: syntax.Position, scope: Scope) -> str:
    """The name of an index of `1[…]`; what other tensors say about it, its extent, is not said again."""
    if isinstance(position, syntax.FixedIndex) or position.within is not None:
        note = "the left-hand side or another factor, which has the index too, says through which positions it runs"
        raise mistake(
            "E0232", "`1[…]` has indices alone, no positions and slices", (position.origin, ""), notes=(note,)
        )
    _reject_number(position.name, position, scope)
    return position.name


def _reject_number(name: str, position: syntax.RunningIndex, scope: Scope) -> None:
    """A letter that is a number cannot be an index too: which of the two is meant would be a guess."""
    number = scope.number(name)
    if number is not None:
        note = f"`({name})` selects position {number}; an index needs another name"
        raise mistake("E0219", f"`{name}` is a number here, not an index", (position.origin, ""), notes=(note,))


def _part_of_dynamic_mode(
    what: str, origin: Origin, extent: Polynomial, mode: int, tensor: checked.Tensor
) -> CompileError:
    """Error for a part of a dynamic mode: its zeros have to be known when compiling."""
    message = f"{what} of mode {mode} of `{tensor.spelling}`, whose extent {extent} only the launch knows"
    notes = ("an index runs through all of such a mode", "`-D` gives a size a number when compiling")
    return mistake("E0206", message, (origin, ""), notes=notes)


def _bad_slice(
    within: syntax.Range, start: int, stop: int, extent: int, mode: int, tensor: checked.Tensor
) -> CompileError:
    if start >= stop:
        return mistake("E0206", f"the slice {start}:{stop} is empty", (within.origin, ""))
    message = f"the slice {start}:{stop} leaves mode {mode} of `{tensor.spelling}`"
    return mistake("E0206", message, (within.origin, f"this mode has extent {extent}"))
