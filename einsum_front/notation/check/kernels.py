"""Kernels: families and loops are unrolled, then every statement is checked."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from einsum_front.core.diagnostics import CompileError, Diagnostic, Origin
from einsum_front.core.extent import Polynomial
from einsum_front.core.functions import SELECTIONS, Function
from einsum_front.core.limits import LARGEST_RANGE
from einsum_front.core.storage import ElementType, Storage
from einsum_front.notation import checked, syntax
from einsum_front.notation.check.declarations import declared_twice
from einsum_front.notation.check.expressions import resolve
from einsum_front.notation.check.gathers import added_to, check_gathers, is_gathered
from einsum_front.notation.check.helps import with_helps
from einsum_front.notation.check.indices import check_sizes, with_reductions
from einsum_front.notation.check.mistakes import Mistakes, both, gather, mistake
from einsum_front.notation.check.numbers import values_of
from einsum_front.notation.check.patterns import accesses_of, check_entries
from einsum_front.notation.check.references import access
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.checked import Apply, Expression, Extremum, Kernel, parts
from einsum_front.notation.parts.complexity import Names, is_complex

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


# -- where a launch finds sizes: in the shapes of the arguments of the kernel ------------------------------------------


def check_sizes_are_shown(kernel: Kernel, scope: Scope) -> None:
    """Raise if the kernel needs a size that is not the whole extent of a mode of one of its arguments."""
    if not scope.sizes:
        return
    tensors = [scope.family_of(name)[1] for name in dict.fromkeys(a.tensor for a in accesses_of(kernel))]
    dynamic = [(tensor, e) for tensor in tensors for e in tensor.shape if isinstance(e, Polynomial)]
    shown = {extent.size for tensor, extent in dynamic if tensor.storage is not Storage.TEMPORARY}
    for tensor, extent in dynamic:
        for size in extent.sizes:
            if size not in shown:
                message = (
                    f"no argument of `{kernel.name}` has a mode of extent `{size.name}`, so a launch cannot tell it"
                )
                label = f"`{tensor.spelling}` has the extent {extent}"
                note = "a size of its own may stand for the whole extent: `size m`"
                raise mistake("E0231", message, (kernel.origin, ""), (tensor.origin, label), notes=(note,))


# -- assignments: a target that can be written, and a value that fits it -----------------------------------------------


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


# -- complex values stand where complex numbers are meant --------------------------------------------------------------
# Never in a real tensor, a comparison or a function of reals.

PARTS = "`real(…)` is the real part of a complex value, `imag(…)` the imaginary part and `abs(…)` the absolute value"


def check_complexity(written: str, value: Expression, scope: Scope) -> None:
    """Raises `CompileError` (E0240) if a complex value stands where a real one is needed."""
    names = scope.complex_names
    _check_inside(value, names)
    if written in names or not is_complex(value, names):
        return
    family, tensor = scope.family_of(written)
    message = f"this value is complex, and `{tensor.spelling}` is a real tensor"
    declared = (family.declaration.origin, "`complex` after it makes it complex")
    raise mistake("E0240", message, (value.origin, "complex"), declared, notes=(PARTS,))


def _check_inside(expression: Expression, names: Names) -> None:
    for part in parts(expression):
        _check_inside(part, names)
    match expression:
        case Extremum(function=function, operand=operand):
            _reject(function.value, (operand,), names)
        case Apply(function=function, arguments=(left, right, _, _)) if function in SELECTIONS:
            _reject("where", (left, right), names)
        case Apply(function=function, arguments=arguments) if function is not Function.ABS:
            _reject(function.value, arguments, names)
        case _:  # open: sums, products and quotients are of complex numbers as of real ones
            pass


def _reject(word: str, operands: tuple[Expression, ...], names: Names) -> None:
    for operand in operands:
        if is_complex(operand, names):
            what = "`where` compares real numbers" if word == "where" else f"`{word}` is of real numbers"
            raise mistake("E0240", f"{what}, and this is complex", (operand.origin, ""), notes=(PARTS,))
