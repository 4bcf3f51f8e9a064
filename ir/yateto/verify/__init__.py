"""Whether a program keeps the rules of the YATeTo immediate language.

Each check stands for one sentence of the manual and gives one error code; the manual lists them for every instruction.
One cause gives one error: checks of an instruction stand in an order, and the first that finds a mistake is the last
that is asked; nothing is said about what is made from the result of a mistaken instruction.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from einsum_front.core.diagnostics import Diagnostic, mistake, raise_any
from einsum_front.core.prologues import with_prologues
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import ValueInstruction, defined, instructions, moved_groups, used
from einsum_front.ir.yateto.verify.facts import (
    check_facts,
    check_known_values,
    check_limits,
    check_sizes_are_shown,
    known_values,
)
from einsum_front.ir.yateto.verify.maps import (
    check_extents,
    check_gather,
    check_letters,
    check_orders,
    check_payload,
    check_sets,
)
from einsum_front.ir.yateto.verify.markings import check_markings
from einsum_front.ir.yateto.verify.memory import Memory
from einsum_front.ir.yateto.verify.names import check_lifetime_stop, check_new, check_used
from einsum_front.ir.yateto.verify.overlap import check_overlap
from einsum_front.ir.yateto.verify.prologue import check_prologue
from einsum_front.ir.yateto.verify.scalars import check_elements, check_loop
from einsum_front.ir.yateto.verify.scope import Definition, Scope
from einsum_front.ir.yateto.verify.types import check_alloca, check_type, check_written_types
from einsum_front.ir.yateto.verify.views import check_bounds, check_offset, check_parts, check_view_type

CHECKS: tuple[Callable[[yir.Instruction, Scope], Iterator[Diagnostic]], ...] = (
    check_lifetime_stop,
    check_alloca,
    check_written_types,
    check_elements,
    check_loop,
    check_offset,
    check_parts,
    check_bounds,
    check_view_type,
    check_orders,
    check_letters,
    check_sets,
    check_payload,
    check_gather,
    check_extents,
    check_markings,
    check_overlap,
    check_known_values,
)
"""The checks of an instruction whose operands are known, in the order in which they rely on each other."""


def verify(program: yir.Program) -> tuple[Diagnostic, ...]:
    """Every mistake of the program, in the order of its text; none means that it can be run and lowered."""
    functions = with_prologues(program.functions)
    found = [*_check_function_names(functions), *chain.from_iterable(map(_verify_function, functions))]
    fit = found or chain.from_iterable(map(check_prologue, program.functions))
    return tuple(sorted(fit, key=_place))


def _place(diagnostic: Diagnostic) -> int:
    return diagnostic.labels[0].span.start if diagnostic.labels else 0


def check(program: yir.Program) -> None:
    """Raise CompileError with every mistake of the program, if it has any."""
    raise_any(verify(program))


def _check_function_names(functions: Iterable[yir.Function]) -> Iterator[Diagnostic]:
    """Functions have different names."""
    first: dict[str, yir.Function] = {}
    for function in functions:
        earlier = first.setdefault(function.name, function)
        if earlier is not function:
            also = [(earlier.origin, "first defined here")]
            yield mistake("E0466", f"`@{function.name}` is defined twice", function.origin, also=also)


def _verify_function(function: yir.Function) -> Iterator[Diagnostic]:
    yield from check_facts(function)
    yield from check_sizes_are_shown(function)
    yield from check_limits(function)
    limits = {limit.name: limit for limit in function.limits}
    scope = Scope(_first_definitions(function), moved_groups(function), known_values(function), limits)
    for argument in function.arguments:
        yield from check_new(argument.name, scope)
        found = list(check_type(argument.type, argument.origin, limits))
        yield from found
        type_ = argument.type
        memory = Memory.whole(argument.name.name, type_) if isinstance(type_, yir.MemrefType) else None
        scope.define(Definition(argument.name, None if found else type_, memory))
    yield from _verify_region(function.body, scope)


def _first_definitions(function: yir.Function) -> dict[str, yir.Local]:
    """Every name of the function with the place where it is first defined."""
    results = (defined(instruction) for instruction in instructions(function.body))
    first: dict[str, yir.Local] = {}
    for local in (*(argument.name for argument in function.arguments), *results):
        if local is not None:
            first.setdefault(local.name, local)
    return first


def _verify_region(region: yir.Region, scope: Scope) -> Iterator[Diagnostic]:
    for instruction in region:
        found = list(_verify_instruction(instruction, scope))
        yield from found
        if isinstance(instruction, yir.For):
            with scope.inside():
                yield from check_new(instruction.variable, scope)
                values = None if found else (instruction.start, instruction.stop)
                scope.define(Definition(instruction.variable, instruction.type, values=values, depth=scope.depth))
                yield from _verify_region(instruction.body, scope)
        elif isinstance(instruction, ValueInstruction):
            yield from check_new(instruction.result, scope)
            is_mistaken = bool(found) or _unknown(instruction, scope)
            scope.define(_definition(instruction, scope, is_mistaken=is_mistaken))
        elif isinstance(instruction, yir.LifetimeStop) and not found:
            scope.stopped[instruction.operand.name] = instruction


def _verify_instruction(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    found = list(check_used(instruction, scope))
    if found or _unknown(instruction, scope):
        yield from found
        return
    for check_ in CHECKS:
        found = list(check_(instruction, scope))
        if found:
            yield from found
            return


def _unknown(instruction: yir.Instruction, scope: Scope) -> bool:
    return any(scope.known(local) is None for local in used(instruction))


def _definition(instruction: ValueInstruction, scope: Scope, *, is_mistaken: bool) -> Definition:
    """Definition of the result; of a mistaken instruction nothing."""
    if is_mistaken:
        return Definition(instruction.result, None, depth=scope.depth)
    type_, memory = _result(instruction, scope)
    return Definition(instruction.result, type_, memory, None, scope.depth, isinstance(instruction, yir.Alloca))


def _result(instruction: ValueInstruction, scope: Scope) -> tuple[yir.Type, Memory | None]:
    match instruction:
        case yir.Alloca(result=result, type=memref):
            return memref, Memory.whole(result.name, memref)
        case yir.GetWorkItem(type=group):
            return group.memref, Memory.item(instruction)
        case yir.Subview(operand=operand, parts=parts, to_type=memref):
            memory = scope.visible[operand.name].memory
            return memref, None if memory is None else memory.view(parts)
        case yir.Arith(type=scalar):
            return scalar, None
