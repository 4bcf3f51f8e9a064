"""Parts of a program that an edition has no words for."""

from collections.abc import Iterator
from itertools import islice

from einsum_front.core.diagnostics import Diagnostic, Label, Origin
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Edition, Function
from einsum_front.tl_backend.traverse import typed_operands, walked
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType, Type
from einsum_front.tl_backend.unparse.instructions import (
    Spelling,
    instruction_text,
    is_bit_operator,
    mnemonic,
    operand_text,
    spelling,
    type_text,
)
from einsum_front.tl_backend.unparse.tinytc import MATH, missing_in_dialect

UNSIGNED = (ScalarType.U8, ScalarType.U16, ScalarType.U32, ScalarType.U64)


def unsupported(functions: tuple[Function, ...], edition: Edition) -> tuple[Diagnostic, ...]:
    """One diagnostic (E0408) for each thing that the edition cannot say, at the first place that says it."""
    places: dict[str, tuple[Origin, str]] = {}
    for thing, origin, text in _missing(functions, spelling(edition)):
        places.setdefault(thing, (origin, text))
    return tuple(
        Diagnostic(
            "E0408",
            f"edition {edition.value} has no {thing}",
            tuple(Label(span) for span in origin[:1]),
            () if origin else (f"in `{text}`",),
            _better_editions(functions) if thing == list(places)[-1] else (),
        )
        for thing, (origin, text) in places.items()
    )


def _better_editions(functions: tuple[Function, ...]) -> tuple[str, ...]:
    """An edition that has words for everything, if there is one."""
    fitting = (edition for edition in Edition if next(_missing(functions, spelling(edition)), None) is None)
    return tuple(f"edition {edition.value} has words for all of this" for edition in islice(fitting, 1))


def _missing(functions: tuple[Function, ...], words: Spelling) -> Iterator[tuple[str, Origin, str]]:
    """Missing words, each with the place and the text that needs it."""
    for function in functions:
        for argument in function.arguments:
            text = f"{operand_text(argument.name)}: {type_text(argument.type, words)}"
            for thing in _missing_in_type(argument.type, words):
                yield thing, argument.origin, text
        for instruction in function.get(walked):
            for thing in _missing_in_instruction(instruction, words):
                yield thing, instruction.origin, instruction_text(instruction, words)


def _missing_in_instruction(instruction: tl.Instruction, words: Spelling) -> Iterator[str]:
    if isinstance(instruction, tl.ArithBinary | tl.ArithUnary):
        operator = instruction.operator
        if is_bit_operator(operator) and not words.has_bit_operators:
            yield f"`arith.{operator.value}`"
    elif isinstance(instruction, tl.MathCall) and not (words.edition.is_dialect and instruction.function in MATH):
        yield f"`{mnemonic(instruction)}`: its functions are ours; OpenCL C, C and CUDA have them"
    elif isinstance(instruction, tl.Collective):
        factors = (instruction.alpha.value, instruction.beta.value)
        if not words.has_integer_factors and any(isinstance(factor, tl.IntegerConstant) for factor in factors):
            yield "integer constants for α and β"
        if words.edition.is_released and instruction.atomic:
            yield from _missing_atomic(instruction)
    elif isinstance(instruction, tl.Expand) and words.edition.is_released:
        if None in instruction.type.strides[instruction.mode : instruction.mode + 1]:
            yield "`expand` of a mode whose stride is `?`: its compilers take another stride"
    elif isinstance(instruction, tl.Alloca) and instruction.is_global:
        yield "`alloca.global`: take the text in front of `spill_temporaries`"
    elif isinstance(instruction, tl.Alloca) and words.edition.is_released and instruction.type.order == 0:
        yield "`alloca` of rank 0: its compilers crash"
    if words.edition.is_dialect:
        yield from missing_in_dialect(instruction)
    for type_ in _types(instruction):
        yield from _missing_in_type(type_, words)


def _missing_atomic(instruction: tl.Collective) -> Iterator[str]:
    """Atomic updates that the compilers accept and carry out otherwise."""
    match instruction:
        case tl.Axpby(target=target) if target.type.order == 0:
            yield "`axpby.atomic` on rank 0: its compilers update once for each work-item"
        case tl.Sum(inputs=(a,)) if a.type.order == 2:
            yield "`sum.atomic` of a matrix: its compilers add what belongs to other rows"
        case tl.Ger():
            yield "`ger.atomic`: its compilers make no OpenCL C of it"
        case _ if not (instruction.beta.is_number(0) or instruction.beta.is_number(1)):
            yield "atomic updates with a β other than the constants 0 and 1: its compilers may never end one"
        case _:  # open: the compilers have faults with these only
            pass


def _missing_in_type(type_: Type, words: Spelling) -> Iterator[str]:
    match type_:
        case ScalarType():
            if type_ in UNSIGNED and not words.has_unsigned_integers:
                yield f"unsigned integers such as `{type_.value}`"
            if not type_.is_computed and not words.edition.is_dialect:
                yield f"`{type_.value}`: narrow and complex numbers are ours, and those of tinytc-0.4"
        case MemrefType(element=element):
            yield from _missing_in_type(element, words)
        case GroupType(memref=memref, offset=offset):
            if offset != 0 and not words.has_group_offset:
                yield "offset of a group"
            yield from _missing_in_type(memref, words)


def _types(instruction: tl.Instruction) -> tuple[Type, ...]:
    """The types that the instruction itself writes."""
    match instruction:
        case (
            tl.Alloca(type=type_)
            | tl.ArithBinary(type=type_)
            | tl.ArithUnary(type=type_)
            | tl.Compare(type=type_)
            | tl.Expand(type=type_)
            | tl.Fuse(type=type_)
            | tl.Load(type=type_)
            | tl.MathCall(type=type_)
            | tl.Size(type=type_)
            | tl.Subview(type=type_)
            | tl.Store(type=type_)
            | tl.For(type=type_)
            | tl.Foreach(type=type_)
        ):
            return (type_,)
        case tl.Cast(from_type=source, to_type=target):
            return source, target
        case tl.If(types=types) | tl.Yield(types=types):
            return types
        case tl.Collective():
            return tuple(operand.type for operand in typed_operands(instruction))
        case tl.GroupId() | tl.GroupSize() | tl.Barrier() | tl.LifetimeStop():
            return ()
