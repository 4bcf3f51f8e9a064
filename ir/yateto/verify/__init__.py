"""Whether a program keeps the rules of the YATeTo immediate language.

Each check stands for one sentence of the manual and gives one error code; the manual lists them for every instruction.
One cause gives one error: checks of an instruction stand in an order, and the first that finds a mistake is the last
that is asked; nothing is said about what is made from the result of a mistaken instruction.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from einsum_front.core.diagnostics import Diagnostic, by_place, mistake, raise_any
from einsum_front.core.extent import Polynomial
from einsum_front.core.prologues import with_prologues
from einsum_front.core.rules import check_life, out_of_sight
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import (
    TensorOperation,
    ValueInstruction,
    accesses,
    defined,
    instructions,
    moved_groups,
    owned_memory,
    used,
    written_arguments,
)
from einsum_front.ir.yateto.unparse import type_text
from einsum_front.ir.yateto.verify.facts import (
    check_bounds,
    check_facts,
    check_known_values,
    check_offset,
    check_parts,
    check_sizes,
    check_view_type,
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
from einsum_front.ir.yateto.verify.scope import Definition, Memory, Scope
from einsum_front.ir.yateto.verify.types import (
    check_alloca,
    check_elements,
    check_loop,
    check_type,
    check_written_types,
)

# -- names -------------------------------------------------------------------------------------------------------------
# Each is defined once, before it is used, in sight of the use, and its memory is alive.


def check_used(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """Every operand is in sight and its memory is alive; a name is reported once."""
    for local in used(instruction):
        if local.name in scope.forgiven:
            continue
        found = _unusable(local, scope)
        if found is not None:
            scope.forgiven.add(local.name)
            yield found


def _unusable(local: yir.Local, scope: Scope) -> Diagnostic | None:
    name = f"`%{local.name}`"
    definition = scope.visible.get(local.name)
    if definition is not None:
        stop = None if definition.memory is None else scope.stopped.get(definition.memory.base)
        if stop is None:
            return None
        ended = [(stop.origin, "its memory is given up here")]
        return mistake("E0467", f"{name} is used after its memory was given up", local.origin, "used here", also=ended)
    return out_of_sight("E0465", "E0465", local, scope.first, scope.closed)


def check_new(local: yir.Local, scope: Scope) -> Iterator[Diagnostic]:
    """The name is new in the function; one that is not is forgiven: nobody can say which value a use means."""
    if local.name in scope.visible or local.name in scope.closed:
        scope.forgiven.add(local.name)
        first = [(scope.first[local.name].origin, "first defined here")]
        yield mistake("E0466", f"`%{local.name}` is defined twice", local.origin, "defined again here", also=first)


def check_lifetime_stop(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """The operand is the result of an `alloca` of its own region."""
    if isinstance(instruction, yir.LifetimeStop):
        yield from check_life("E0468", instruction.operand, scope)


# -- overlap: the target of an operation is not what the operation reads -----------------------------------------------


def check_overlap(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """An operand shares no entry with the target, unless every entry of the target depends on itself alone.

    The latter is the same value with the same indices in the same order; never in `log`, which sums.
    """
    if not isinstance(instruction, TensorOperation):
        return
    *sources, (target, target_indices) = accesses(instruction)
    for source, indices in sources:
        is_entrywise = source.value == target.value and indices == target_indices and not _reduces(instruction)
        if not is_entrywise and _surely_overlap(source, target, scope):
            is_permuted = source.value == target.value and not _reduces(instruction)
            yield _overlap(source, target, is_permuted=is_permuted)
            return


def _reduces(instruction: TensorOperation) -> bool:
    """True if entries of operands are read for several entries of the target, or in several steps."""
    return isinstance(instruction, yir.Log) or (
        isinstance(instruction, yir.Elementwise) and instruction.combiner is not None
    )


def _surely_overlap(source: yir.Operand, target: yir.Operand, scope: Scope) -> bool:
    read, written = (scope.visible[operand.value.name].memory for operand in (source, target))
    return read is not None and written is not None and read.surely_overlaps(written)


def _overlap(source: yir.Operand, target: yir.Operand, *, is_permuted: bool) -> Diagnostic:
    message = f"`%{target.value.name}` is read and written"
    if source.value != target.value:
        message = f"`%{source.value.name}` is read and shares memory with `%{target.value.name}`, which is written"
    note = "entries would be read after they have been written"
    if is_permuted:
        note = "an operand may be the target if both have the same indices in the same order"
    also = [(source.value.origin, "read here")]
    return mistake("E0491", message, target.value.origin, "written here", also=also, notes=(note,))


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
    return by_place(fit)


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
    yield from check_sizes(function)
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


# -- rules of prologues ------------------------------------------------------------------------------------------------
# They read arguments of the function, and write memory that belongs to the launch.


def check_prologue(function: yir.Function) -> Iterator[Diagnostic]:
    """The prologue of a function has arguments that are one for all work items, and that both agree on."""
    prologue = function.prologue
    if prologue is None:
        return
    owned, written = owned_memory(prologue), written_arguments(function)
    own = {argument.name.name: argument for argument in function.arguments}
    for argument in prologue.arguments:
        name = argument.name.name
        if isinstance(argument.type, yir.GroupType):
            message = f"`%{name}` is one for each work item, but `@{prologue.name}` runs once for all"
            yield mistake("E0494", message, argument.origin)
        elif name not in own and name not in owned:
            message = f"`@{prologue.name}` reads `%{name}`, which is no argument of `@{function.name}`"
            yield mistake("E0494", f"{message}: the caller of that passes all that is read", argument.origin)
        elif name in own:
            yield from _other(argument, own[name], prologue, function)
        if name in owned and any(isinstance(size, Polynomial) for size in owned[name].shape):
            message = f"`@{prologue.name}` writes `%{name}`, whose size is not known when compiling"
            yield mistake("E0494", message, argument.origin)
        elif name in owned and name in written:
            message = f"`%{name}` is written by `@{prologue.name}` beforehand: the function itself only reads it"
            yield mistake("E0494", message, argument.origin)


def _other(
    argument: yir.Argument, own: yir.Argument, prologue: yir.Function, function: yir.Function
) -> Iterator[Diagnostic]:
    """In what an argument of the prologue differs from that of the function."""
    name = argument.name.name
    facts, theirs = ({fact for fact in each.facts if fact.argument == name} for each in (prologue, function))
    if own.type != argument.type:
        of_function, of_prologue = type_text(own.type), type_text(argument.type)
        message = f"`%{name}` is `{of_prologue}` in `@{prologue.name}`, but `{of_function}` in `@{function.name}`"
        yield mistake("E0494", message, argument.origin)
    elif facts != theirs:
        message = f"the facts about `%{name}` in `@{prologue.name}` are not those in `@{function.name}`"
        yield mistake("E0494", message, argument.origin)
