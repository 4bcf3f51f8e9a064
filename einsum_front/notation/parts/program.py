"""Programs of complex numbers become programs of their parts: after this pass everything is real.

    C[ij] = A[ik] * B[kj]      A, B and C are complex; each gets a mode of parts: 0 is real, 1 imaginary

    turned1[k,j,0] = -B[k,j,1]
    turned1[k,j,1] = B[k,j,0]
    C[i,j,z] = A[i,k,0] * B[k,j,z] + A[i,k,1] * turned1[k,j,z]

Parts lie side by side in memory, and their index `z` runs through both: vectors do, too. A product of two complex
factors is so two products with an index more, which is four real ones; one of them is `split` into its parts, the
other one, `whole`, keeps them side by side and is multiplied by the imaginary unit once for all. A real factor has no
parts: two real products. Of three complex factors or more, pairs are multiplied one after the other.

What has no such form (a conjugate, a real value in a complex tensor) is computed part by part.
"""

from collections.abc import Iterator
from dataclasses import replace

from einsum_front.core.names import parts_of_scalar
from einsum_front.notation import checked
from einsum_front.notation.checked import Expression
from einsum_front.notation.parts.complexity import complex_names, is_complex
from einsum_front.notation.parts.kernel import RealKernel, real_tensor


def real_program(
    kernel: checked.Kernel, program: checked.CheckedProgram
) -> tuple[checked.Kernel, checked.CheckedProgram]:
    """The kernel and its program with parts in the place of complex numbers; as they are if there are none."""
    if not complex_names(program.tensors, program.scalars) and not _has_complex_number(kernel):
        return kernel, program
    made = RealKernel(kernel, program)
    for statement in kernel.statements:
        made.statement(statement)
    scalars = tuple(part for scalar in program.scalars for part in _real_scalars(scalar))
    tensors = tuple(real_tensor(each) if each.is_complex else each for each in program.tensors)
    real = replace(program, tensors=(*tensors, *made.temporaries.values()), scalars=scalars)
    return replace(kernel, statements=tuple(made.statements)), real


def _real_scalars(scalar: checked.Scalar) -> Iterator[checked.Scalar]:
    if not scalar.is_complex:
        yield scalar
        return
    for name in parts_of_scalar(scalar.name):
        yield replace(scalar, name=name, spelling=name, is_complex=False)


def _has_complex_number(kernel: checked.Kernel) -> bool:
    return any(_mentions(statement.value) for statement in kernel.statements)


def _mentions(expression: Expression) -> bool:
    """True if a complex number is written in the expression, also where `real(…)` takes a part of it."""
    if isinstance(expression, checked.Component):
        return True
    return is_complex(expression, frozenset()) or any(map(_mentions, checked.parts(expression)))
