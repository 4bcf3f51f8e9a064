"""Meaning of a function of the tensor language: it is run on NumPy arrays, slowly and obviously.

One work-group runs after the other, and in it one instruction after the other, as if the group had one work-item.
A program that relies on an order that the language does not promise may give another answer on a device.

- `B := alpha op(A) + beta B` and the like compute in the widest element type of their memrefs, to which alpha and beta
  are converted, too. All that is read is read before anything is written. If beta is 0, as a constant or as a value,
  the target is not read: what was there is gone, NaN too. Alpha has no such rule: 0 times an infinite A is NaN.
- The memory of an `alloca` holds nothing until it is written, nor after `lifetime_stop`: reading an entry is an error
  (E0451). Where stated nonzeros leave entries out, these are 0.
- An `alloca` gets nothing but zeros where its stated nonzeros leave an entry out (E0451). Arguments have zeros there
  before the first work-group and behind the last (E0450).
- What the language leaves undefined (an index outside its mode, shapes that do not fit, fused modes with gaps between
  them, a quotient by the integer 0) raises CompileError with E0451 at the instruction. Operands that overlap the target
  are not noticed.
- The prologue of a function runs first, for one work-group, on arrays of zeros for what it writes.
"""

from collections.abc import Mapping

from einsum_front.tl_backend.interpret.arguments import behind_prologue, bind, check_nonzeros, write_back
from einsum_front.tl_backend.interpret.frame import Frame
from einsum_front.tl_backend.interpret.run import run
from einsum_front.tl_backend.program import Function


def interpret(function: Function, arguments: Mapping[str, object], groups: int) -> None:
    """Run the function, which has no mistakes, for `groups` work-groups; what it writes is in the arguments afterwards.

    A memref argument is an array with the modes of the memref in their order; a group is a sequence of such arrays,
    each with the group's offset applied already; a scalar is a number. An array that lies as the type allows is used
    where it lies, gaps included; any other is copied. Raises CompileError: E0450 for arguments that do not fit, E0451
    for undefined behaviour; the arguments are as before then, unless they were used where they lie.
    """
    given = behind_prologue(function, arguments, lambda prologue, own: interpret(prologue, own, 1))
    bound = bind(function, given)
    check_nonzeros(function, bound)
    for group in range(groups):
        run(function.body, Frame(dict(bound.values), group, groups))
    check_nonzeros(function, bound)
    write_back(bound)
