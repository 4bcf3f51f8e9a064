"""Facts about arguments and temporaries: what they say is true of the function, as far as that can be seen."""

from collections.abc import Iterator, Mapping, Sequence

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.facts import Indices, Modes, Nonzeros, Shaped, Values, misfit, misplaced
from einsum_front.core.rules import check_limits, check_stated
from einsum_front.core.scattered import Scatter
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.effects import argument_access
from einsum_front.tl_backend.interpret.patterns import find_zero_patterns, has_zeros
from einsum_front.tl_backend.program import Batched, Fact, Function, Prefetched, Sizes, of_element
from einsum_front.tl_backend.semantics import writes
from einsum_front.tl_backend.traverse import operands, walked
from einsum_front.tl_backend.types import GroupType, MemrefType
from einsum_front.tl_backend.verify.scope import Scope


def check_facts(function: Function) -> Iterator[Diagnostic]:
    """A fact is about a tensor that is an argument, is said once, and contradicts neither its type nor another fact."""
    types = {each.name.name: each.type for each in function.arguments if isinstance(each.type, MemrefType | GroupType)}

    def misfit_of(fact: Fact) -> str | None:
        others = [other for other in function.facts if other.argument == fact.argument]
        found = _misfit(fact, types[fact.argument], others)
        if found is None and isinstance(fact, Prefetched) and _is_used(fact.argument, function):
            return f"`%{fact.argument}` is only prefetched, but an instruction uses it"
        if found is None and isinstance(fact, Scatter):
            return misplaced(fact, _elements(function), _batched(function))
        return found

    yield from check_stated("E0449", function, types, misfit_of)
    extents = (extent for fact in function.facts if isinstance(fact, Sizes) for extent in fact.extents if extent)
    named = {extent.size.name for extent in extents if extent.size is not None}
    unknown = f"no `;! sizes` of `@{function.name}` names the size `{{}}`"
    yield from check_limits("E0449", function.limits, named, unknown)


def _elements(function: Function) -> Shaped:
    """The types and the shapes of an element of the arguments that are tensors."""
    found: dict[str, tuple[str, Sequence[object]]] = {}
    for argument in function.arguments:
        name, type_ = argument.name.name, argument.type
        if isinstance(type_, GroupType):
            found[name] = type_.memref.element.value, type_.memref.shape
        elif isinstance(type_, MemrefType):
            found[name] = type_.element.value, of_element(type_.shape, function.batch_modes.get(name))
    return found


def _batched(function: Function) -> set[str]:
    groups = {each.name.name for each in function.arguments if isinstance(each.type, GroupType)}
    return groups | function.batch_modes.keys()


def check_alloca_nonzeros(instruction: tl.Instruction) -> Iterator[Diagnostic]:
    """The nonzeros of a temporary are ascending runs of its entries, which are floating-point numbers."""
    if not isinstance(instruction, tl.Alloca) or instruction.nonzeros is None:
        return
    name, memref = instruction.result.name, instruction.type
    found: str | None = f"the elements of `%{name}` are of type `{memref.element.value}`, which have no nonzeros"
    if memref.element.is_floating:
        found = misfit(Nonzeros(name, instruction.nonzeros), memref.element.value, memref.shape, ())
    if found is not None:
        yield mistake("E0449", found, instruction.origin)


def check_zeros(function: Function, *, is_prologue: bool) -> Iterator[Diagnostic]:
    """Nothing is written that may differ from zero where the nonzeros of the memory leave it out.

    What a write at a place that only the launch knows does, is seen when the function runs. What a prologue writes is
    zero before.
    """
    written = {name for name, effects in argument_access(function).items() if effects.is_written}
    zero = frozenset(written if is_prologue else ())
    patterns = find_zero_patterns(function, zero) if has_zeros(function) else None
    for excess in () if patterns is None else patterns.excess:
        message = f"`%{excess.buffer}` may get something at position {excess.position}, which its nonzeros leave out"
        note = "an entry may differ from zero where none of the factors that are multiplied for it is known to be zero"
        also = [(excess.stated, "stated here")]
        yield mistake("E0453", message, excess.instruction.origin, "written here", also=also, notes=(note,))


def known_values(function: Function) -> Mapping[str, Values]:
    """The facts about values of arguments that are one for the launch, by the name of the argument."""
    batched = {fact.argument for fact in function.facts if isinstance(fact, Batched)}
    whole = {argument.name.name for argument in function.arguments if isinstance(argument.type, MemrefType)} - batched
    return {fact.argument: fact for fact in function.facts if isinstance(fact, Values) and fact.argument in whole}


def check_known_values(instruction: tl.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """An argument whose values are known keeps them."""
    for written in writes(instruction):
        access = scope.access_of(written)
        fact = None if access is None else scope.known_values.get(access.buffer)
        if fact is not None:
            also = [(fact.origin, "known here")]
            message = f"`%{fact.argument}` is written, but its values are known when compiling"
            yield mistake("E0449", message, written.origin or instruction.origin, "written here", also=also)


def _is_used(argument: str, function: Function) -> bool:
    return any(tl.Local(argument) in operands(instruction) for instruction in function.get(walked))


def _misfit(fact: Fact, type_: MemrefType | GroupType, facts: list[Fact]) -> str | None:
    """Claim of the fact that cannot be about a tensor of the type, or contradicts other facts about it."""
    name = f"`%{fact.argument}`"
    batched = next((other for other in facts if isinstance(other, Batched)), None)
    is_batched = batched is not None
    memref = type_.memref if isinstance(type_, GroupType) else type_
    mode = None if batched is None else memref.order - 1 if batched.mode is None else batched.mode
    shape = of_element(memref.shape, mode)
    match fact:
        case Batched() if isinstance(type_, GroupType):
            return f"{name} is a group, which has no batch mode"
        case Batched() if not memref.shape:
            return f"{name} has rank 0: it has no mode that counts the batch"
        case Batched(mode=mode):
            is_mode = mode is None or mode < memref.order
            return None if is_mode else f"{name} has {memref.order} modes, of which none is {mode}"
        case Sizes(extents=extents):
            if len(extents) != len(shape):
                return f"{name} has {len(shape)} sizes, but {len(extents)} are named"
            fixed = next((m for m, (s, e) in enumerate(zip(shape, extents, strict=True)) if None not in (s, e)), None)
            return None if fixed is None else f"mode {fixed} of {name} has the size {shape[fixed]}, which needs no name"
        case Prefetched() if is_batched or isinstance(type_, GroupType):
            return f"{name} is one for each work-group, and only what is one for the launch is prefetched"
        case Prefetched():
            is_known = None not in (*memref.shape, *memref.strides)
            return None if is_known else f"{name} is prefetched, but its size is known at the launch only"
        case Values() if is_batched or isinstance(type_, GroupType):
            return f"{name} is one for each work-group, so its values cannot be known when compiling"
        case Modes() | Nonzeros() | Values() | Indices() | Scatter():
            return misfit(fact, memref.element.value, shape, facts)
