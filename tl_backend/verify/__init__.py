"""Whether a program keeps the rules of the tensor language.

Each check stands for one sentence of the manual and gives one error code; the manual lists them for every instruction.
One cause gives one error: an instruction whose operands are mistaken is not looked at further, and nothing is said
about what is made from its result.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from einsum_front.core.diagnostics import Diagnostic, by_place, mistake, raise_any
from einsum_front.core.prologues import with_prologues
from einsum_front.core.rules import check_life, out_of_sight
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Access, viewed, whole
from einsum_front.tl_backend.program import Argument, Function, Program
from einsum_front.tl_backend.semantics import result_type
from einsum_front.tl_backend.traverse import defined_locals, operands, regions, results
from einsum_front.tl_backend.types import GroupType, ScalarType
from einsum_front.tl_backend.verify.control import check_results, check_spmd, check_yields
from einsum_front.tl_backend.verify.facts import (
    check_alloca_nonzeros,
    check_facts,
    check_known_values,
    check_zeros,
    known_values,
)
from einsum_front.tl_backend.verify.operand_types import (
    check_cast,
    check_collective,
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
    return by_place(found)


def read_unwritten(program: Program) -> tuple[Diagnostic, ...]:
    """What is read before anything in the text has written it (E0451): legal, and most often not what was meant."""
    found = chain.from_iterable(map(check_unwritten, with_prologues(program.functions)))
    return by_place(found)


def is_legal(instruction: tl.Instruction) -> bool:
    """True if an instruction, whose operands are of the types that it says, keeps the rules by itself."""
    return not any(True for rule in RULES for _ in rule(instruction))


def check(program: Program) -> None:
    """Raise CompileError with every mistake of the program, if it has any."""
    raise_any(verify(program))


def _verify_function(function: Function) -> Iterator[Diagnostic]:
    yield from check_facts(function)
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
    if isinstance(instruction, tl.LifetimeStop):
        yield from check_life("E0414", instruction.operand, scope)
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


# -- functions: their names, their arguments and their attributes ------------------------------------------------------


def check_names(program: Program) -> Iterator[Diagnostic]:
    """Functions have different names."""
    seen: dict[str, Function] = {}
    for function in with_prologues(program.functions):
        if function.name in seen:
            also = [(seen[function.name].origin, "first defined here")]
            yield mistake("E0446", f"`@{function.name}` is defined twice", function.origin, "", also=also)
        seen.setdefault(function.name, function)


def check_arguments(function: Function) -> Iterator[Diagnostic]:
    """A boolean has no place in a kernel's argument list."""
    for argument in function.arguments:
        if argument.type is ScalarType.BOOL:
            message = f"`%{argument.name.name}` is of type `i1`, which no argument can have"
            note = "OpenCL has no boolean kernel arguments"
            yield mistake("E0447", message, argument.origin, "", notes=(note,))


def check_attributes(function: Function) -> Iterator[Diagnostic]:
    """Work-groups have items, and consist of whole subgroups."""
    size, subgroup = function.work_group_size, function.subgroup_size
    if size is not None and min(size) < 1:
        message = f"the work-group size of `@{function.name}` is {size[0]} x {size[1]}"
        yield mistake("E0448", message, function.origin, "both modes must be at least 1")
    elif subgroup is not None and subgroup < 1:
        message = f"the subgroup size of `@{function.name}` is {subgroup}"
        yield mistake("E0448", message, function.origin, "must be at least 1")
    elif size is not None and subgroup is not None and size[0] % subgroup != 0:
        message = f"the first mode of the work-group, {size[0]}, is not a multiple of the subgroup size {subgroup}"
        yield mistake("E0448", message, function.origin)


# -- positions that a loop counts --------------------------------------------------------------------------------------
# Where its bounds are known, its first and last iteration show whether they stay inside. Only what runs for certain
# is looked at. Behind an `if`, or in a loop whose bounds are known at run time only, the program may know better.

Loop = tl.For | tl.Foreach


def check_iterations(instruction: tl.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """No iteration of the loops around the instruction takes it out of a mode, as far as that is known."""
    if not isinstance(instruction, tl.Load | tl.Store | tl.Subview) or isinstance(instruction.type, GroupType):
        return
    loops = _running(scope.around)
    picks: Iterable[tl.Position | tl.Slice] = (
        instruction.slices if isinstance(instruction, tl.Subview) else map(tl.Position, instruction.indices)
    )
    for mode, (pick, size) in enumerate(zip(picks, instruction.type.shape, strict=False)):
        index, width = (pick.index, 1) if isinstance(pick, tl.Position) else (pick.offset, _known(pick.size) or 1)
        if size is not None and isinstance(index, tl.Local) and index.name in loops:
            for found in _check(index, width, mode, size, *loops[index.name]):
                scope.forgiven.add(index.name)  # one loop, one error
                yield found


def _check(index: tl.Local, width: int, mode: int, size: int, loop: Loop, positions: range) -> Iterator[Diagnostic]:
    first, last = positions[0], positions[-1]
    if first >= 0 and last + width <= size:
        return
    runs = f"`%{index.name}` runs from {first} to {last}"
    what = runs if width == 1 else f"{runs}, where a slice has {width} positions"
    message = f"{what}: outside of mode {mode}, which has size {size}"
    label = "positions count from 0" if first < 0 else f"the last position is {size - 1}"
    yield mistake("E0437", message, index.origin, label, also=[(loop.stop.origin, "the end of the loop, excluded")])


def _running(around: tuple[tl.RegionInstruction, ...]) -> dict[str, tuple[Loop, range]]:
    """The loops around a place that is met for certain, with what they count; none if an `if` or a loop may pass it."""
    loops: dict[str, tuple[Loop, range]] = {}
    for each in around:
        if not isinstance(each, tl.For | tl.Foreach):
            return {}
        bounds = (each.start, each.stop, each.step if isinstance(each, tl.For) else tl.IntegerConstant(1))
        known = [_known(bound) for bound in bounds]
        numbers = [number for number in known if number is not None]
        if len(numbers) < len(bounds) or numbers[2] < 1 or not range(*numbers):
            return {}
        loops[each.variable.name] = each, range(*numbers)
    return loops


def _known(operand: tl.IndexOperand | None) -> int | None:
    return operand.value if isinstance(operand, tl.IntegerConstant) else None


# -- names -------------------------------------------------------------------------------------------------------------
# None hides another, each is defined before it is used, in sight of the use, and its memory is alive.


def check_operands(instruction: tl.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """Every operand is in sight and its memory is alive; a name is reported once."""
    for operand in operands(instruction):
        if not isinstance(operand, tl.Local) or operand.name in scope.forgiven:
            continue
        found = _unusable(operand, scope)
        if found is not None:
            scope.forgiven.add(operand.name)
            yield found


def _unusable(local: tl.Local, scope: Scope) -> Diagnostic | None:
    name = f"`%{local.name}`"
    if local.name in scope.visible:
        access = scope.access_of(local)
        stop = scope.stopped.get(access.buffer) if access is not None else None
        if stop is None:
            return None
        ended = [(stop.origin, "its memory is given up here")]
        return mistake("E0413", f"{name} is used after its memory was given up", local.origin, "used here", also=ended)
    return out_of_sight("E0410", "E0412", local, scope.first, scope.closed)


def check_definitions(names: Sequence[tl.Local], scope: Scope) -> Iterator[Diagnostic]:
    """No name hides one in sight."""
    together: dict[str, tl.Local] = {}
    for local in names:
        before = scope.visible[local.name].local if local.name in scope.visible else together.get(local.name)
        if before is not None:
            first = [(before.origin, "first defined here")]
            yield mistake("E0411", f"`%{local.name}` is defined twice", local.origin, "defined again here", also=first)
        together[local.name] = local
