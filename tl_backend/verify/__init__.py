"""Whether a program keeps the rules of the tensor language.

Each check stands for one sentence of the manual and gives one error code; the manual lists them for every instruction.
One cause gives one error: an instruction whose operands are mistaken is not looked at further, and nothing is said
about what is made from its result.
"""

from collections.abc import Callable, Iterator
from itertools import chain

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.prologues import with_prologues
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Access, viewed, whole
from einsum_front.tl_backend.program import Argument, Function, Program
from einsum_front.tl_backend.semantics import result_type
from einsum_front.tl_backend.traverse import defined_locals, operands, regions, results
from einsum_front.tl_backend.types import ScalarType
from einsum_front.tl_backend.verify.collectives import check_collective
from einsum_front.tl_backend.verify.control import check_results, check_spmd, check_yields
from einsum_front.tl_backend.verify.facts import (
    check_alloca_nonzeros,
    check_facts,
    check_known_values,
    check_limits,
    check_zeros,
    known_values,
)
from einsum_front.tl_backend.verify.functions import check_arguments, check_attributes, check_names
from einsum_front.tl_backend.verify.iterations import check_iterations
from einsum_front.tl_backend.verify.names import check_definitions, check_lifetime_stop, check_operands
from einsum_front.tl_backend.verify.operand_types import (
    check_cast,
    check_function,
    check_loop,
    check_operand_types,
    check_operator,
    check_result,
)
from einsum_front.tl_backend.verify.prologue import check_prologue
from einsum_front.tl_backend.verify.scope import Scope
from einsum_front.tl_backend.verify.unwritten import check_unwritten
from einsum_front.tl_backend.verify.views import (
    check_alloca,
    check_fusions,
    check_open_temporaries,
    check_overlap,
    check_type,
    check_view,
)

RULES: tuple[Callable[[tl.Instruction], Iterator[Diagnostic]], ...] = (
    check_cast,
    check_operator,
    check_function,
    check_result,
    check_loop,
    check_alloca,
    check_alloca_nonzeros,
    check_view,
    check_collective,
)
"""The checks of an instruction whose operands are of the types that it says."""


def verify(program: Program) -> tuple[Diagnostic, ...]:
    """Every mistake of the program, in the order of its text; none means that it can be run and translated."""
    found = [*check_names(program), *chain.from_iterable(map(_verify_function, with_prologues(program.functions)))]
    if not found:
        found += chain.from_iterable(map(check_prologue, program.functions))
        found += chain.from_iterable(map(check_fusions, with_prologues(program.functions)))
        found += chain.from_iterable(map(check_open_temporaries, with_prologues(program.functions)))
        prologues = [each.prologue for each in program.functions]
        for each in with_prologues(program.functions):
            found += check_zeros(each, is_prologue=any(each is prologue for prologue in prologues))
    return tuple(sorted(found, key=_place))


def read_unwritten(program: Program) -> tuple[Diagnostic, ...]:
    """What is read before anything in the text has written it (E0451): legal, and most often not what was meant."""
    found = chain.from_iterable(map(check_unwritten, with_prologues(program.functions)))
    return tuple(sorted(found, key=_place))


def is_legal(instruction: tl.Instruction) -> bool:
    """True if an instruction, whose operands are of the types that it says, keeps the rules by itself."""
    return not any(True for rule in RULES for _ in rule(instruction))


def _place(diagnostic: Diagnostic) -> int:
    return diagnostic.labels[0].span.start if diagnostic.labels else 0


def check(program: Program) -> None:
    """Raise CompileError with every mistake of the program, if it has any."""
    found = verify(program)
    if found:
        raise CompileError(found)


def _verify_function(function: Function) -> Iterator[Diagnostic]:
    yield from check_facts(function)
    yield from check_limits(function)
    yield from check_arguments(function)
    first = {local.name: local for local in reversed(defined_locals(function))}
    scope = Scope(first, known_values(function))
    for argument in function.arguments:
        yield from check_definitions((argument.name,), scope)
        found = list(check_type(argument.type, argument.origin))
        yield from found
        _define_argument(argument, scope, is_mistaken=bool(found))
    yield from check_attributes(function)
    yield from _verify_region(function.body, None, scope)


def _define_argument(argument: Argument, scope: Scope, *, is_mistaken: bool) -> None:
    name, type_ = argument.name, argument.type
    if is_mistaken:
        scope.define(name, None)
    elif isinstance(type_, ScalarType):
        scope.define(name, type_)
    else:
        scope.define(name, type_, whole(name.name, type_))


def _verify_region(region: tl.Region, owner: tl.RegionInstruction | None, scope: Scope) -> Iterator[Diagnostic]:
    yield from check_yields(region, owner)
    for instruction in region:
        found = list(_verify_instruction(instruction, scope))
        yield from found
        yield from _verify_inner(instruction, scope)
        yield from check_definitions(results(instruction), scope)
        _define_results(instruction, scope, is_mistaken=bool(found) or _has_unknown_operands(instruction, scope))


def _verify_inner(instruction: tl.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    if not isinstance(instruction, tl.RegionInstruction):
        return
    for region in regions(instruction):
        with scope.inside(instruction):
            if isinstance(instruction, tl.For | tl.Foreach):
                yield from check_definitions((instruction.variable,), scope)
                scope.define(instruction.variable, instruction.type)
            yield from _verify_region(region, instruction, scope)


def _verify_instruction(instruction: tl.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """The mistakes of the instruction itself; each group of checks relies on the groups before it."""
    yield from check_spmd(instruction, scope)
    yield from check_results(instruction)
    yield from check_operands(instruction, scope)
    if _has_unknown_operands(instruction, scope):
        return
    yield from check_lifetime_stop(instruction, scope)
    types = list(check_operand_types(instruction, scope))
    yield from types
    if not types:
        yield from chain.from_iterable(rule(instruction) for rule in RULES)
        yield from check_iterations(instruction, scope)
        yield from check_overlap(instruction, scope)
        yield from check_known_values(instruction, scope)


def _has_unknown_operands(instruction: tl.Instruction, scope: Scope) -> bool:
    """True if it uses what a mistake before it has left without a type; its own mistakes are not looked for then."""
    return any(isinstance(operand, tl.Local) and scope.type_of(operand) is None for operand in operands(instruction))


def _define_results(instruction: tl.Instruction, scope: Scope, *, is_mistaken: bool) -> None:
    """Bring the results in sight; what a mistaken instruction makes of memory is unknown."""
    if isinstance(instruction, tl.If):
        for local, type_ in zip(instruction.results, instruction.types, strict=False):
            scope.define(local, type_)
        scope.forgiven.update(local.name for local in instruction.results[len(instruction.types) :])
    elif isinstance(instruction, tl.LifetimeStop) and not is_mistaken:
        scope.stopped[instruction.operand.name] = instruction
    elif isinstance(instruction, tl.ValueInstruction):
        access = _access(instruction, scope, is_mistaken=is_mistaken)
        is_alloca = isinstance(instruction, tl.Alloca)
        is_unknown = access is None and (is_alloca or viewed(instruction) is not None)
        known = None if is_unknown else result_type(instruction)
        scope.define(instruction.result, known, access, is_alloca=is_alloca)


def _access(instruction: tl.ValueInstruction, scope: Scope, *, is_mistaken: bool) -> Access | None:
    """The memory that the result stands for; None if it stands for none, or a mistake hides which."""
    if is_mistaken:
        return None
    if isinstance(instruction, tl.Alloca):
        return whole(instruction.result.name, instruction.type)
    operand = viewed(instruction)
    of = None if operand is None else scope.access_of(operand)
    return None if of is None else of.view(instruction, {})
