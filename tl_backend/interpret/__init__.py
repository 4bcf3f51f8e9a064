"""What a function of the tensor language means: it is run on NumPy arrays, slowly and obviously.

One work-group runs after the other, and in it one instruction after the other, as if the group had one work-item.
A program that relies on an order that the language does not promise may give another answer on a device.

- `B := alpha op(A) + beta B` and the like compute in the widest element type of their memrefs, to which alpha and beta
  are converted, too. All that is read is read before anything is written. If beta is 0, as a constant or as a value,
  the target is not read: what was there is gone, NaN too. Alpha has no such rule: 0 times an infinite A is NaN.
- The memory of an `alloca` holds NaN, or the greatest integer, until it is written, and again after `lifetime_stop`.
- What the language leaves undefined (an index outside its mode, shapes that do not fit, fused modes with gaps between
  them, a quotient by the integer 0) raises CompileError with E0451 at the instruction. Operands that overlap the target
  are not noticed.
- The prologue of a function runs first, for one work-group, on arrays of zeros for what it writes.
"""

from collections.abc import Mapping

import numpy as np

from einsum_front.tl_backend.analysis.effects import owned_memory
from einsum_front.tl_backend.interpret.arguments import bind, write_back
from einsum_front.tl_backend.interpret.frame import Frame
from einsum_front.tl_backend.interpret.run import run
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.scalars import DTYPES


def interpret(function: Function, arguments: Mapping[str, object], groups: int) -> None:
    """Run the function, which has no mistakes, for `groups` work-groups; what it writes is in the arguments afterwards.

    A memref argument is an array with the modes of the memref in their order; a group is a sequence of such arrays,
    each with the group's offset applied already; a scalar is a number. An array that lies as the type allows is used
    where it lies, gaps included; any other is copied. Raises CompileError: E0450 for arguments that do not fit, E0451
    for undefined behaviour; the arguments are as before then, unless they were used where they lie.
    """
    given = arguments if function.prologue is None else _after(function.prologue, function, arguments)
    bound = bind(function, given)
    for group in range(groups):
        run(function.body, Frame(dict(bound.values), group, groups))
    write_back(bound)


def _after(prologue: Function, function: Function, arguments: Mapping[str, object]) -> dict[str, object]:
    """The arguments that the function has behind its prologue; what is wrong with them, `bind` says."""
    owned = {
        name: np.zeros(tuple(size or 0 for size in type_.shape), DTYPES[type_.element])
        for name, type_ in owned_memory(prologue).items()
    }
    names = [argument.name.name for argument in prologue.arguments]
    given = {name: arguments[name] for name in names if name in arguments}
    interpret(prologue, {**given, **owned}, 1)
    own = {argument.name.name for argument in function.arguments}
    return {**arguments, **{name: array for name, array in owned.items() if name in own}}
