"""How a collective instruction is run: the choice among the strategies."""

from tl_backend.instructions import CollectiveInstruction
from tl_backend.opencl.blocks import Blocking, lower_blocks
from tl_backend.opencl.context import Context
from tl_backend.opencl.product import Loop, Product, product
from tl_backend.opencl.tree import Integer, Statements


def lower_collective(instruction: CollectiveInstruction, context: Context) -> Statements:
    """The statements of the instruction, shared by the work-items of the context."""
    form = product(instruction, context)
    return lower_blocks(form, choose_blocking(form, context), context)


def choose_blocking(form: Product, context: Context) -> Blocking:
    """Blocks for a work-item that is alone; single entries where many share the work.

    A block has enough independent sums to fill the pipelines of a CPU (six vectors: 2 x 3, or 4 where the result is a
    vector), and few enough to stay in 16 vector registers beside the operands.
    """
    if not form.is_sum or context.items.count > 1:
        return Blocking(1, 1)
    width = context.target.vector_width(form.type)
    is_vector = Loop.COLUMN not in form.result.loops or _is_one(form)
    return Blocking(4 * width, 1) if is_vector else Blocking(2 * width, 3)


def _is_one(form: Product) -> bool:
    extent = form.extent(Loop.COLUMN)
    return isinstance(extent, Integer) and extent.value == 1
