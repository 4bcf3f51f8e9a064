"""Results that are views: of a single operand of which nothing is summed, as NumPy gives them."""

from collections.abc import Sequence
from typing import cast

from einsum_front.index_string.numpy_plan import strided
from einsum_front.index_string.operands import Array
from einsum_front.index_string.program import IndexString
from einsum_front.runtime import is_foreign, like


def view_of(string: IndexString, arrays: Sequence[Array], given: Sequence[object]) -> object | None:
    """The result as a view of the only operand, which may be written if that may be; None if anything is computed.

    Any element type will do, and NumPy asks neither for another one nor for an order. `given` has the array as the
    caller has it: the result is one of its library, which shares memory only if it may be written.
    """
    term, output = string.kernel.subscripts.operands[0], string.kernel.subscripts.output
    if len(arrays) > 1 or not set(term.names) <= set(output.names):
        return None
    view = cast("Array", strided(term.names, output.names)(arrays[0]))
    if not is_foreign(given[0]):
        return view
    return like(given[0], view) if view.flags.writeable else None
