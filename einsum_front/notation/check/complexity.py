"""Complex values stand where complex numbers are meant: never in a real tensor, a comparison or a function of reals."""

from einsum_front.core.functions import SELECTIONS, Function
from einsum_front.notation.check.mistakes import mistake
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.checked import Apply, Expression, Extremum, parts
from einsum_front.notation.parts.complexity import Names, is_complex

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
