"""Functions of entries as instructions: `math`, arithmetic, or what their rows make of them."""

from collections.abc import Sequence

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function, magnitude
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.builder import Builder, Number, Value, type_of

ARITHMETIC = {
    Function.ADD: tl.BinaryOperator.ADD,
    Function.SUB: tl.BinaryOperator.SUB,
    Function.MUL: tl.BinaryOperator.MUL,
    Function.DIV: tl.BinaryOperator.DIV,
}


def apply(builder: Builder, function: Function, arguments: Sequence[Number]) -> Value:
    """The result of a function, one of whose arguments at least is a value."""
    type_ = type_of(*arguments)
    if type_.is_integer:
        arguments = [each if isinstance(each, Value) else int(each) for each in arguments]
    if function in ARITHMETIC:
        left, right = arguments
        return builder.arith(ARITHMETIC[function], left, right, name=function.value)
    made_of = magnitude if function is Function.ABS and type_.is_integer else function.row.made_of
    if function.is_instruction and made_of is None:
        return builder.math(function, arguments, name=function.value)
    if made_of is None:
        raise CompilerBug(f"nothing says how `{function.value}` is computed")
    value: Value = made_of(lambda called, *inner: apply(builder, called, inner), *arguments)
    return value
