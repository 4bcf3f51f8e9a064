"""Kernels: families and loops are unrolled, then every statement is checked."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from einsum_front.core.diagnostics import CompileError, Diagnostic, Origin
from einsum_front.core.limits import LARGEST_RANGE
from einsum_front.notation import checked, syntax
from einsum_front.notation.check.declarations import declared_twice
from einsum_front.notation.check.gathers import check_gathers
from einsum_front.notation.check.mistakes import Mistakes, gather, mistake
from einsum_front.notation.check.numbers import values_of
from einsum_front.notation.check.patterns import check_entries
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.check.shown_sizes import check_sizes_are_shown
from einsum_front.notation.check.statements import assignment

Member = tuple[str, Scope]
"""The name of a kernel and the scope of its statements."""

Instance = tuple[syntax.Assignment, Scope]
"""A statement and the scope of one pass through the loops around it."""


def asked_for(program: syntax.Program, only: str | None) -> tuple[syntax.Kernel, ...]:
    """The kernels of a text that `only` names, itself or a member or a part of the family; all, if it names none."""
    written = tuple(item for item in program.items if isinstance(item, syntax.Kernel))
    named = tuple(item for item in written if only is not None and f"{only}_".startswith(f"{item.name}_"))
    return named or written


def kernels(
    written: Iterable[syntax.Kernel], scope: Scope, mistakes: Mistakes, only: str | None = None
) -> tuple[checked.Kernel, ...]:
    """Kernels as they are written, members of families one after the other; those that are `only`, if there are any."""
    found: list[checked.Kernel] = []
    names: dict[str, Origin] = {}
    for item in written:
        with mistakes.collect():
            members = _members(item, scope)
            for name, _ in members:
                if name in names:
                    raise declared_twice(name, item.origin, names[name])
                names[name] = item.origin
            wanted = [member for member in members if f"{member[0]}_".startswith(f"{only}_")]
            found += _family(item, wanted or members)
    return tuple(found)


def _members(kernel: syntax.Kernel, scope: Scope) -> list[Member]:
    """The members of a kernel family, the last range fastest; a kernel that is no family is its only member."""
    members = [(kernel.name, scope)]
    for variable in kernel.family:
        longer = (
            (f"{name}_{number}", inner.with_variable(variable.name, number))
            for name, inner in members
            for number in values_of(variable, inner)
        )
        members = list(islice(longer, LARGEST_RANGE + 1))
        if len(members) > LARGEST_RANGE:
            message = f"the family `{kernel.name}` has more than {LARGEST_RANGE} members"
            raise mistake("E0222", message, (kernel.origin, ""))
    if not members:
        raise mistake("E0222", f"the family `{kernel.name}` has no members: a range is empty", (kernel.origin, ""))
    return members


def _family(kernel: syntax.Kernel, members: list[Member]) -> tuple[checked.Kernel, ...]:
    mistakes = Mistakes()
    instances = [_instances(kernel.statements, scope, mistakes) for _, scope in members]
    with mistakes.collect():
        statements = iter(_assignments([instance for of_member in instances for instance in of_member]))
    mistakes.raise_found()
    if not all(instances):
        raise mistake("E0225", f"kernel `{kernel.name}` has no statements", (kernel.origin, ""))
    found = [
        checked.Kernel(name, tuple(islice(statements, len(of_member))), kernel.origin)
        for (name, _), of_member in zip(members, instances, strict=True)
    ]
    gather(lambda pair: check_gathers(pair[0], pair[1][1]), zip(found, members, strict=True))
    gather(lambda pair: check_entries(pair[0], pair[1][1]), zip(found, members, strict=True))
    gather(lambda pair: check_sizes_are_shown(pair[0], pair[1][1]), zip(found, members, strict=True))
    return tuple(found)


def _assignments(instances: list[Instance]) -> list[checked.Assignment]:
    """The statements of all members; what is wrong in some passes through a loop only says in which."""
    found: list[checked.Assignment] = []
    failures: list[tuple[Instance, CompileError]] = []
    for statement, scope in instances:
        try:
            found.append(assignment(statement, scope))
        except CompileError as error:
            failures.append(((statement, scope), error))
    if failures:
        passes = Counter(id(statement) for statement, _ in instances)
        failed = Counter(id(statement) for (statement, _), _ in failures)
        raise CompileError(
            _during(diagnostic, scope) if failed[id(statement)] < passes[id(statement)] else diagnostic
            for (statement, scope), error in failures
            for diagnostic in error.diagnostics
        )
    return found


def _during(diagnostic: Diagnostic, scope: Scope) -> Diagnostic:
    where = " and ".join(f"{name} = {number}" for name, number in scope.variables.items())
    return replace(diagnostic, notes=(*diagnostic.notes, f"this is so for {where}"))


def _instances(statements: tuple[syntax.Statement, ...], scope: Scope, mistakes: Mistakes) -> list[Instance]:
    """The assignments that loops unroll to, without the loops that have a mistake."""
    found: list[Instance] = []
    for statement in statements:
        match statement:
            case syntax.Assignment():
                found.append((statement, scope))
            case syntax.Loop(variable, body):
                with mistakes.collect():
                    found += _unrolled(variable, body, scope, mistakes)
    return found


def _unrolled(
    variable: syntax.NamedRange, body: tuple[syntax.Statement, ...], scope: Scope, mistakes: Mistakes
) -> list[Instance]:
    found: list[Instance] = []
    for number in values_of(variable, scope):
        found += _instances(body, scope.with_variable(variable.name, number), mistakes)
        if len(found) > LARGEST_RANGE:
            message = f"this loop unrolls to more than {LARGEST_RANGE} statements"
            raise mistake("E0222", message, (variable.origin, ""))
    return found
