"""Entries whose place an integer tensor says: another element's tensor, a position of a mode, a member of a family."""

from collections.abc import Iterator
from itertools import chain

from einsum_front.core.diagnostics import CompileError, Origin
from einsum_front.core.storage import Storage
from einsum_front.notation import checked, syntax
from einsum_front.notation.check.mistakes import gather, mistake
from einsum_front.notation.check.numbers import integer
from einsum_front.notation.check.references import check_order, declared_family, member, position_of
from einsum_front.notation.check.scope import Scope, TensorFamily
from einsum_front.notation.references import entries_of


def is_gathered(reference: syntax.Reference) -> bool:
    """True if an entry of a tensor says where in the batch, a mode or a family a reference reads."""
    return next(entries_of(reference), None) is not None


def gathered(reference: syntax.Reference, scope: Scope, what: str = "be read") -> checked.Gather:
    """The entries that a tensor's name, its index list and integer tensors stand for; `what` is done with them."""
    family = declared_family(reference, scope)
    tensors, chosen = _members(reference, family, scope)
    for tensor in tensors:
        _reject_source(reference, tensor, family, what)
    check_order(reference, tensors[0], family)
    modes = range(len(tensors[0].shape))
    positions = gather(lambda mode: _position((reference.positions or ())[mode], mode, tensors[0], scope), tuple(modes))
    element = None if reference.element is None else _entry(reference.element, scope)
    if element is not None and tensors[0].storage is Storage.CONSTANT:
        message = f"`{tensors[0].spelling}` is one for all elements, so it is that of no other"
        raise mistake("E0245", message, (reference.origin, ""), (family.declaration.origin, "a constant by this"))
    return checked.Gather(tuple(each.name for each in tensors), positions, element, chosen, reference.origin)


def added_to(reference: syntax.Reference, scope: Scope) -> checked.Gather:
    """The entries that a statement adds to where integer tensors say."""
    found = gathered(reference, scope, "be added to")
    family, tensor = scope.family_of(found.tensors[0])
    declared = (family.declaration.origin, "declared here")
    if found.member is not None:
        message = f"an integer chooses a member of `{reference.name}`, and members are added to one by one"
        raise mistake("E0246", message, (reference.origin, ""), declared)
    if tensor.storage is Storage.GROUPED:
        message = f"`{tensor.spelling}` cannot be added to where an integer tensor says: it is grouped"
        raise mistake("E0246", message, (reference.origin, ""), declared)
    if tensor.storage is Storage.CONSTANT and not tensor.is_shared:
        message = f"`{tensor.spelling}` is a constant: no kernel writes it"
        declared = (family.declaration.origin, "`shared` instead of `constant` lets kernels add to it")
        raise mistake("E0214", message, (reference.origin, ""), declared)
    return found


def _members(
    reference: syntax.Reference, family: TensorFamily, scope: Scope
) -> tuple[tuple[checked.Tensor, ...], checked.Access | None]:
    """The tensor, or those that an entry among the members chooses from, in their order."""
    entries = [number for number, each in enumerate(reference.members) if syntax.is_entry(each)]
    if not entries:
        return (member(reference, family.extents, family.members, scope),), None
    if len(entries) > 1:
        raise mistake("E0245", "one entry of an integer tensor chooses a member", (reference.origin, ""))
    (place,) = entries
    expression = reference.members[place]
    if not isinstance(expression, syntax.Reference) or len(reference.members) != len(family.extents):
        member(reference, family.extents, family.members, scope)  # which says what is wrong
    entry = _entry(expression, scope)
    numbers = [0 if syntax.is_entry(each) else integer(each, scope, "a member index") for each in reference.members]
    own = (syntax.Literal(str(number), each.origin) for number, each in zip(numbers, reference.members, strict=True))
    member(syntax.Reference(reference.name, tuple(own), None, reference.origin), family.extents, family.members, scope)
    several = [(*numbers[:place], each, *numbers[place + 1 :]) for each in range(family.extents[place])]
    return tuple(family.members[number] for number in several), entry


def _position(position: syntax.Position, mode: int, tensor: checked.Tensor, scope: Scope) -> checked.Position:
    if isinstance(position, syntax.FixedIndex) and syntax.is_entry(position.position):
        return checked.EntryPosition(_entry(position.position, scope), position.origin)
    found = position_of(position, tensor.shape[mode], mode, tensor, scope)
    if isinstance(found, checked.IndexPosition) and found.index.extent != tensor.shape[mode]:
        message = f"an index runs through all of a mode of `{tensor.spelling}`, which is read where an integer says"
        raise mistake("E0245", message, (position.origin, "a slice of it"))
    return found


def _entry(expression: syntax.Expression, scope: Scope) -> checked.Access:
    """The integer of each element, or of all, that says a place."""
    if not isinstance(expression, syntax.Reference):
        raise mistake("E0245", "an entry of an integer tensor stands alone", (expression.origin, ""))
    if is_gathered(expression):
        message = f"the place in `{expression.name}` is an entry of another integer tensor"
        note = "a place is said by one entry: positions in its index list are indices and numbers"
        raise mistake("E0245", message, (expression.origin, ""), notes=(note,))
    family = declared_family(expression, scope)
    tensor = member(expression, family.extents, family.members, scope)
    if not (tensor.memory or tensor.element_type).says_places:
        message = f"`{tensor.spelling}` has no integers of `i32` or `i64`, which places are"
        declared = (family.declaration.origin, "`i32` or `i64` after its shape makes it an integer tensor")
        raise mistake("E0245", message, (expression.origin, ""), declared)
    if tensor.storage is Storage.TEMPORARY or (tensor.nonzeros is not None and tensor.values is None):
        message = f"the entries of `{tensor.spelling}` say no places: they are all entries of an argument"
        raise mistake("E0245", message, (expression.origin, ""), (family.declaration.origin, "declared here"))
    check_order(expression, tensor, family)
    positions = expression.positions or ()
    modes = zip(range(len(positions)), positions, tensor.shape, strict=True)
    found = gather(lambda each: position_of(each[1], each[2], each[0], tensor, scope), modes)
    return checked.Access(tensor.name, found, expression.origin)


def _reject_source(reference: syntax.Reference, tensor: checked.Tensor, family: TensorFamily, what: str) -> None:
    why = None
    if tensor.storage is Storage.TEMPORARY:
        why = "it lives inside of a kernel"
    elif tensor.element_type.is_integer:
        why = "it has integers"
    elif tensor.is_complex:
        why = "it has complex numbers"
    elif tensor.is_atomic and tensor.memory is not None:
        why = f"it is stored in `{tensor.memory.value}`, to which every atomic sum would be rounded"
    elif tensor.memory is not None and tensor.memory.is_integer:
        why = f"it is stored in `{tensor.memory.value}`"
    elif tensor.values is None and tensor.nonzeros is not None:
        why = "where its zeros are depends on the place"
    if why is not None:
        message = f"`{tensor.spelling}` cannot {what} where an integer tensor says: {why}"
        raise mistake("E0246", message, (reference.origin, ""), (family.declaration.origin, "declared here"))


def check_gathers(kernel: checked.Kernel, scope: Scope) -> None:
    """Raise if a kernel writes what it reads of other elements, or adds to: they may be done, or not."""
    written = {statement.written: statement for statement in kernel.statements}
    found = chain.from_iterable(gathers_in(statement.value) for statement in kernel.statements)
    gather(lambda each: _reject_written(each, written, scope), found)
    gather(lambda each: _reject_used(each, kernel, scope), kernel.statements)


def _reject_used(statement: checked.Assignment, kernel: checked.Kernel, scope: Scope) -> None:
    """What elements add to is not read by the kernel, nor assigned; the integers that say where are not written."""
    target = statement.target
    if not isinstance(target, checked.Gather):
        return
    here, fixed = (target.origin, "added to here"), {statement.written, *(each.tensor for each in target.entries)}
    for other in kernel.statements:
        if other.written in fixed and not isinstance(other.target, checked.Gather):
            raise _race(other.written, "added to", here, (other.origin, "written here"), scope)
        for name, origin in _read(other.value):
            if name == statement.written:
                raise _race(name, "added to", here, (origin, "read here"), scope)


def _race(name: str, what: str, first: tuple[Origin, str], second: tuple[Origin, str], scope: Scope) -> CompileError:
    spelling, verb = scope.family_of(name)[1].spelling, second[1].removesuffix(" here")
    message = f"`{spelling}` is {what} where an integer tensor says, and {verb} in the same launch"
    note = "elements run in any order: another kernel, or another tensor, keeps what they read as it is"
    return mistake("E0247", message, first, second, notes=(note,))


def _read(expression: checked.Expression) -> Iterator[tuple[str, Origin]]:
    """The tensors that an expression reads, and where."""
    if isinstance(expression, checked.Access):
        yield expression.tensor, expression.origin
    if isinstance(expression, checked.Gather):
        yield from ((name, expression.origin) for name in expression.tensors)
        yield from ((entry.tensor, entry.origin) for entry in expression.entries)
    for part in checked.parts(expression):
        yield from _read(part)


def _reject_written(read: checked.Gather, written: dict[str, checked.Assignment], scope: Scope) -> None:
    name = next((each for each in (*read.tensors, *(e.tensor for e in read.entries)) if each in written), None)
    if name is not None:
        raise _race(name, "read", (read.origin, "read here"), (written[name].origin, "written here"), scope)


def gathers_in(expression: checked.Expression) -> tuple[checked.Gather, ...]:
    """The reads of an expression whose places integer tensors say."""
    if isinstance(expression, checked.Gather):
        return (expression,)
    return tuple(chain.from_iterable(map(gathers_in, checked.parts(expression))))
