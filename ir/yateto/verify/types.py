"""Types: those that memory can have, and whether the types written for operands are those of their values."""

from collections.abc import Iterator, Mapping

from einsum_front.core.diagnostics import Diagnostic, Origin, mistake
from einsum_front.core.extent import Extent, Polynomial, Size, is_at_most, with_sizes
from einsum_front.core.facts import Limit
from einsum_front.core.numbers import bounds, fits
from einsum_front.core.storage import ElementType
from einsum_front.core.words import counted
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import TensorOperation, accesses
from einsum_front.ir.yateto.unparse import memref_text, type_text
from einsum_front.ir.yateto.verify.scope import Scope

COLUMN_MAJOR = "memrefs are column-major: 1 <= S_1, and S_(i-1) s_(i-1) <= S_i for every further mode"


def check_type(type_: yir.Type, origin: Origin, limits: Mapping[str, Limit]) -> Iterator[Diagnostic]:
    """The type of an argument or an alloca is a type that memory can have, whatever sizes are within their limits."""
    match type_:
        case ElementType():
            return
        case yir.MemrefType():
            yield from _check_memref(type_, origin, limits)
        case yir.GroupType(memref=memref, layout=layout):
            found = list(_check_memref(memref, origin, limits))
            yield from found
            least: Extent = memref.strides[-1] * memref.shape[-1] if memref.shape and not found else 1
            if not found and isinstance(layout, yir.Distance) and _is_below(layout.elements, least, limits):
                message = f"work items {layout.elements} elements apart overlap"
                yield mistake("E0469", message, origin, f"at least distance<{least}> for `{memref_text(memref)}`")
            if not found and isinstance(layout, yir.After):
                yield from _check_after(memref, layout.modes, origin)


def _check_after(memref: yir.MemrefType, modes: int, origin: Origin) -> Iterator[Diagnostic]:
    if modes >= memref.order:
        message = f"work items after {counted(modes, 'mode')} of a tensor of rank {memref.order}"
        yield mistake("E0469", message, origin, "after fewer modes than there are: `distance` says after all")
    elif not memref.is_packed:
        message = f"work items among the modes of `{memref_text(memref)}`"
        yield mistake("E0469", message, origin, "modes that have items between them have no gaps")


def _check_memref(memref: yir.MemrefType, origin: Origin, limits: Mapping[str, Limit]) -> Iterator[Diagnostic]:
    sizes = [size for size in memref.shape if isinstance(size, int) and size < 1]
    if sizes:
        message = f"a mode of size {sizes[0]}"
        yield mistake("E0469", message, origin, "a mode has at least one position")
    elif len(memref.strides) != memref.order:
        message = f"{counted(len(memref.strides), 'stride')} for a tensor of rank {memref.order}"
        yield mistake("E0469", message, origin, "one stride for every mode")
    else:
        yield from _check_strides(memref, origin, limits)


def _check_strides(memref: yir.MemrefType, origin: Origin, limits: Mapping[str, Limit]) -> Iterator[Diagnostic]:
    least: Extent = 1
    for mode, (size, stride) in enumerate(zip(memref.shape, memref.strides, strict=True)):
        if _is_below(stride, least, limits):
            message = f"stride {stride} of mode {mode} is too small"
            yield mistake("E0469", message, origin, f"at least {least}", notes=(COLUMN_MAJOR,))
            return
        least = stride * size


def _is_below(number: Extent, least: Extent, limits: Mapping[str, Limit]) -> bool:
    """True if a number may be less than another one for sizes within their limits."""
    sizes = {name: Size(name, limit.least, limit.most) for name, limit in limits.items()}
    return not is_at_most(with_sizes(least, sizes), with_sizes(number, sizes))


def check_alloca(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """Temporary memory has a type that memory can have."""
    if isinstance(instruction, yir.Alloca):
        yield from check_type(instruction.type, instruction.origin, scope.limits)


def check_written_types(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """The type written for an operand is the type of its value, and of the kind that the instruction works on."""
    if isinstance(instruction, yir.GetWorkItem):
        yield from _check(instruction.group, instruction.type, "a group", instruction.origin, scope)
        if instruction.offset is not None and instruction.offset_type is not None:
            yield from _check(
                instruction.offset, instruction.offset_type, "an integer", instruction.offset.origin, scope
            )
    elif isinstance(instruction, yir.Subview):
        yield from _check(instruction.operand, instruction.from_type, "a memref", instruction.origin, scope)
        for part in instruction.parts:
            if isinstance(part, yir.Position) and isinstance(part.index, yir.Local) and part.type is not None:
                yield from _check(part.index, part.type, "an integer", part.index.origin, scope)
    elif isinstance(instruction, yir.Arith):
        for scalar in (instruction.left, instruction.right):
            if isinstance(scalar, yir.Local):
                yield from _check(scalar, instruction.type, kind_of(instruction.type), scalar.origin, scope)
    elif isinstance(instruction, yir.Gather):
        for source in instruction.sources:
            kind = "a group" if isinstance(source.type, yir.GroupType) else "a memref"
            yield from _check(source.value, source.type, kind, source.origin, scope)
        for operand in (*(entry.integers for entry in instruction.map.entries), instruction.c):
            yield from _check(operand.value, operand.type, "a memref", operand.origin, scope)
    elif isinstance(instruction, TensorOperation):
        for operand, _ in accesses(instruction):
            yield from _check(operand.value, operand.type, "a memref", operand.origin, scope)


def _check(local: yir.Local, written: yir.Type, kind: str, place: Origin, scope: Scope) -> Iterator[Diagnostic]:
    definition = scope.known(local)
    if definition is None or definition.type is None:
        return
    made = [(definition.local.origin, "defined here")]
    name, actual = f"`%{local.name}`", definition.type
    if kind_of(actual) != kind:
        notes = ("`get_work_item` gives the memref of a group",) if kind_of(actual) == "a group" else ()
        message = f"{name} is {kind_of(actual)}, but {kind} is needed"
        yield mistake("E0471", message, local.origin, f"`{type_text(actual)}`", also=made, notes=notes)
    elif actual != written:
        message = f"{name} has type `{type_text(actual)}`, not `{type_text(written)}`"
        yield mistake("E0470", message, place, "written here", also=made)


def kind_of(type_: yir.Type) -> str:
    """Kind of values of the type."""
    match type_:
        case ElementType():
            return "an integer" if type_.is_integer else "a floating-point number"
        case yir.MemrefType():
            return "a memref"
        case yir.GroupType():
            return "a group"


# -- numbers -----------------------------------------------------------------------------------------------------------
# Entries, factors and constants are of one type; loops stay in the range of their variable.


def check_elements(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """The operands have the same elements, and the factors are of that type; only a copy converts."""
    if isinstance(instruction, yir.Arith):
        yield from _check_arith(instruction)
        return
    if not isinstance(instruction, TensorOperation):
        return
    *sources, (target, _) = accesses(instruction)
    element = target.type.element
    elements = {element, *(source.type.element for source, _ in sources)}
    if _converts(instruction, elements):
        return
    narrow = next((each for each in elements if not each.is_computed), None)
    if narrow is not None:
        message = f"`{narrow.value}` is a type of memory, which nothing computes with"
        note = f"`axpby` from `{narrow.value}` to `f32` or back copies, with 1.0 for α and 0.0 for β"
        yield mistake("E0472", message, instruction.origin, notes=(note,))
        return
    for source, _ in sources:
        if source.type.element is not element:
            message = f"`{source.type.element.value}` is mixed with `{element.value}`"
            also = [(target.origin, f"`{element.value}`")]
            yield mistake("E0472", message, source.origin, f"`{source.type.element.value}`", also=also)
    payload = instruction.payload.scalars() if isinstance(instruction, yir.Elementwise) else ()
    for factor in (instruction.alpha, instruction.beta, *payload):
        yield from _check_factor(factor, element, scope)


def _converts(instruction: TensorOperation, elements: set[ElementType]) -> bool:
    """True for what gives numbers another type, or copies those of a type of memory, and does nothing else."""
    if not isinstance(instruction, yir.Axpby):
        return False
    source, target = instruction.a.type.element, instruction.b.type.element
    is_copy = (instruction.alpha, instruction.beta) == (yir.Constant(1), yir.Constant(0))
    is_rounded = target.is_integer and not source.is_integer
    return is_copy and not is_rounded and not (source is target and target.is_computed)


def _check_factor(factor: yir.Scalar, element: ElementType, scope: Scope) -> Iterator[Diagnostic]:
    match factor:
        case yir.Constant():
            yield from _check_constant(factor, element)
        case yir.Local(name=name, origin=origin):
            definition = scope.known(factor)
            if definition is not None and definition.type is not element:
                message = f"the factor `%{name}` does not have the type `{element.value}` of the entries"
                made = [(definition.local.origin, "defined here")]
                yield mistake("E0472", message, origin, "used as a factor", also=made)


def _check_constant(constant: yir.Constant, element: ElementType) -> Iterator[Diagnostic]:
    is_whole = isinstance(constant.value, int)
    if is_whole is not element.is_integer:
        found, wanted = ("an integer", "1.0") if is_whole else ("a floating-point", "1")
        message = f"{constant.value!r} is {found} constant, among numbers of `{element.value}`"
        yield mistake("E0472", message, constant.origin, f"a constant of this type is written like `{wanted}`")
    elif is_whole and not fits(constant.value, element):
        low, high = bounds(element)
        message = f"{constant.value!r} is out of range"
        yield mistake("E0463", message, constant.origin, f"`{element.value}` is from {low} to {high}")
    elif not is_whole and not fits(constant.value, element):
        message = f"{constant.value!r} is out of range"
        yield mistake("E0463", message, constant.origin, f"not a finite `{element.value}`")


def _check_arith(instruction: yir.Arith) -> Iterator[Diagnostic]:
    kind = instruction.type
    if not kind.is_computed or kind is ElementType.BOOL:
        message = f"`arith.{instruction.operator.value}` on `{instruction.type.value}`"
        yield mistake("E0472", message, instruction.origin, "nothing computes with this type")
        return
    if kind.is_integer and instruction.operator is yir.ArithOperator.DIV:
        yield mistake("E0472", f"`arith.div` on `{kind.value}`", instruction.origin, "integers are not divided")
    for operand in (instruction.left, instruction.right):
        if isinstance(operand, yir.Constant):
            yield from _check_constant(operand, instruction.type)


def check_loop(instruction: yir.Instruction, _scope: Scope) -> Iterator[Diagnostic]:
    """The variable has an integer type that holds all values of the loop."""
    if not isinstance(instruction, yir.For):
        return
    type_, start, stop = instruction.type, instruction.start, instruction.stop
    name = f"`%{instruction.variable.name}`"
    if not type_.is_integer or type_ is ElementType.BOOL:
        message = f"the loop variable {name} has type `{type_.value}`"
        yield mistake("E0473", message, instruction.variable.origin, "an integer type counts")
    elif isinstance(stop, Polynomial):
        return  # any type that holds the sizes of arrays in memory will do
    elif start > stop:
        message = f"the loop from {start} to {stop} runs backwards"
        yield mistake("E0473", message, instruction.variable.origin, "starts after its end")
    elif start < stop and not (start in _values(type_) and stop - 1 in _values(type_)):
        message = f"`{type_.value}` cannot hold the values of {name}, {start} to {stop - 1}"
        yield mistake("E0473", message, instruction.variable.origin, f"of type `{type_.value}`")


def _values(type_: ElementType) -> range:
    low, high = bounds(type_)
    return range(low, high + 1)
