"""Collective instructions: the ranks, shapes and element types of their operands, atomic updates."""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.semantics import ModeUse, allowed_ranks, mode_uses
from einsum_front.tl_backend.traverse import typed_operands
from einsum_front.tl_backend.types import ScalarType
from einsum_front.tl_backend.unparse.words import mnemonic

RANKS = {0: "rank 0", 1: "a vector", 2: "a matrix"}


def check_ranks(instruction: tl.Collective) -> Iterator[Diagnostic]:
    """Every operand is a scalar, a vector or a matrix as the instruction asks."""
    for operand, allowed in allowed_ranks(instruction):
        if operand.type.order not in allowed:
            *others, last = (RANKS[rank] for rank in allowed)
            wanted = f"{', '.join(others)} or {last}" if others else last
            name = f"`%{operand.value.name}`"
            message = f"{name} has rank {operand.type.order}, but `{mnemonic(instruction)}` needs {wanted} here"
            yield mistake("E0440", message, operand.origin, f"not {wanted}")


def check_shapes(instruction: tl.Collective) -> Iterator[Diagnostic]:
    """Modes that run over the same index have the same size, as far as sizes are known."""
    clashes = []
    for axis, uses in mode_uses(instruction).items():
        known = [use for use in uses if use.size is not None]
        clash = next((use for use in known if use.size != known[0].size), None)
        if clash is not None:
            clashes.append((axis.letter, known[0], clash))
    if not clashes:
        return
    index, first, second = clashes[0]
    message = f"the shapes of `{mnemonic(instruction)}` do not fit: {index} is {first.size} and {second.size}"
    notes = tuple(
        f"{index} does not fit either: {first.size} in `{_name(first)}`, {second.size} in `{_name(second)}`"
        for index, first, second in clashes[1:]
    )
    also = [(first.operand.origin, _mode_label(first))]
    yield mistake("E0441", message, second.operand.origin, _mode_label(second), also=also, notes=notes)


def _name(use: ModeUse) -> str:
    return f"%{use.operand.value.name}"


def _mode_label(use: ModeUse) -> str:
    return f"{use.size}: mode {use.mode} of `{_name(use)}`"


def check_element_types(instruction: tl.Collective) -> Iterator[Diagnostic]:
    """Elements and factors are all floating-point numbers, of one width or mixed, or all of one integer type.

    Sums of `i1` are "or", products "and". A copy, `axpby` with the factors 1 and 0, also gives integers another type.
    """
    written = instruction.target
    element = written.type.element
    if _converts(instruction):
        return
    for operand in typed_operands(instruction)[:-1]:
        scalar = operand.type if isinstance(operand, tl.TypedScalar) else operand.type.element
        if scalar is not element and not _is_held(scalar, element):
            message = f"`{mnemonic(instruction)}` mixes `{scalar.value}` with `{element.value}`"
            also = [(written.origin, f"the target has `{element.value}`")]
            note = (
                "real numbers may be mixed, and become complex ones of as many bits; integers may be copied (1 and 0)"
            )
            yield mistake("E0442", message, operand.origin, f"`{scalar.value}`", also=also, notes=(note,))
            return


def _converts(instruction: tl.Collective) -> bool:
    """True for a copy that makes integers of integers, or real numbers of integers."""
    if not isinstance(instruction, tl.Axpby) or not (instruction.alpha.is_number(1) and instruction.beta.is_number(0)):
        return False
    (source,), target = instruction.inputs, instruction.target.type.element
    return source.type.element.is_integer and not target.is_complex


def _is_held(scalar: ScalarType, element: ScalarType) -> bool:
    """True if numbers of a type are used as those of another."""
    if element.is_complex:
        return (scalar.is_complex and scalar.bits <= element.bits) or (
            scalar.is_floating and 2 * scalar.bits <= element.bits
        )
    return scalar.is_floating and element.is_floating


def check_atomic(instruction: tl.Collective) -> Iterator[Diagnostic]:
    """Devices update 32 and 64 bits atomically."""
    written = instruction.target
    if instruction.atomic and written.type.element.bits not in (32, 64):
        message = f"`{written.type.element.value}` cannot be updated atomically"
        note = "atomic updates work on types of 32 and 64 bits"
        yield mistake("E0443", message, written.origin, "the target of `.atomic`", notes=(note,))


def check_collective(instruction: tl.Instruction) -> Iterator[Diagnostic]:
    """All of the above; shapes are compared once the ranks are right."""
    if not isinstance(instruction, tl.Collective):
        return
    ranks = list(check_ranks(instruction))
    yield from ranks or check_shapes(instruction)
    yield from check_element_types(instruction)
    yield from check_atomic(instruction)
