"""Assignments: a target that can be written, and a value that fits it."""

from einsum_front.core.diagnostics import CompileError
from einsum_front.core.storage import ElementType, Storage
from einsum_front.notation import checked, syntax
from einsum_front.notation.check.complexity import check_complexity
from einsum_front.notation.check.expressions import resolve
from einsum_front.notation.check.gathers import added_to, is_gathered
from einsum_front.notation.check.helps import with_helps
from einsum_front.notation.check.indices import with_reductions
from einsum_front.notation.check.mistakes import both, mistake
from einsum_front.notation.check.references import access
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.check.sizes import check_sizes


def assignment(statement: syntax.Assignment, scope: Scope) -> checked.Assignment:
    """A statement with names, sizes and summation understood; its errors come with helps."""
    try:
        return _assignment(statement, scope)
    except CompileError as error:
        raise with_helps(error, statement, scope, lambda changed: _assignment(changed, scope)) from None


def _assignment(statement: syntax.Assignment, scope: Scope) -> checked.Assignment:
    if scope.definitions:
        from einsum_front.notation.check.definitions import expanded  # noqa: PLC0415 - it loads another language

        statement = expanded(statement, scope.definitions)
    target, value = both(lambda: _target(statement.target, scope), lambda: resolve(statement.value, scope))
    explicit = with_reductions(target, value)
    check_sizes(target, explicit, scope)
    check_complexity(target.tensors[0] if isinstance(target, checked.Gather) else target.tensor, explicit, scope)
    operator = checked.AssignmentOperator(statement.operator.value)
    if isinstance(target, checked.Gather) and operator is checked.AssignmentOperator.SET:
        message = "entries whose place an integer tensor says are added to, by `+=` or `-=`"
        note = "several elements may say one place: which of their values is set there, nobody knows"
        raise mistake("E0246", message, (target.origin, ""), notes=(note,))
    if operator is checked.AssignmentOperator.SUB and scope.element_type is ElementType.BOOL:
        raise mistake("E0241", "nothing is subtracted in `bool`", (statement.origin, ""))
    return checked.Assignment(target, operator, explicit, statement.origin)


def _target(reference: syntax.Reference, scope: Scope) -> checked.Access | checked.Gather:
    name = reference.name
    if name in scope.scalars or scope.number(name) is not None:
        what = "a scalar argument" if name in scope.scalars else "a number"
        raise mistake("E0214", f"`{name}` is {what}: only tensors are assigned", (reference.origin, ""))
    if is_gathered(reference):
        return added_to(reference, scope)
    target = access(reference, scope)
    family, tensor = scope.family_of(target.tensor)
    if tensor.storage is Storage.CONSTANT:
        what, why = "a constant", "no kernel writes it"
        if tensor.is_shared:
            what, why = "shared", "kernels add to it where integers say, and do nothing else"
        declared = family.declaration.origin, f"{what} by this"
        raise mistake("E0214", f"`{tensor.spelling}` is {what}: {why}", (reference.origin, ""), declared)
    if tensor.memory is not None and tensor.memory.is_integer and not scope.element_type.is_integer:
        real = scope.element_type.value
        message = f"`{tensor.spelling}` is stored in integers, which a program of `{real}` only reads"
        declared = family.declaration.origin, f"stored in `{tensor.memory.value}` by this"
        raise mistake("E0214", message, (reference.origin, "written here"), declared)
    return target
