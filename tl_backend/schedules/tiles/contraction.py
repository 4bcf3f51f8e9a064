"""A contraction as a kernel in which a work-group computes a tile: what the schedules of tiles have in common.

kernel void einsum(…)
{
    what the contraction needs of the launch
    int tile = get_group_id(2) % 121;
    … the tile
}
"""

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.contraction import Contraction, Operand
from einsum_front.tl_backend.analysis.epilogue import Epilogue
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import free_names, group_id, group_size
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Parameters
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function as Source
from einsum_front.tl_backend.schedules.lowering.context import Context
from einsum_front.tl_backend.schedules.lowering.product import ViewProduct, view_product
from einsum_front.tl_backend.schedules.lowering.region import lower_values
from einsum_front.tl_backend.schedules.tiles import axis
from einsum_front.tl_backend.schedules.tiles.axis import Order, Tensor
from einsum_front.tl_backend.traverse import operands

TENSORS: tuple[Tensor, ...] = (axis.left, axis.right, axis.target)
"""Those of a contraction, in the order of its operands."""


@dataclass(frozen=True, slots=True)
class TiledContraction:
    """A contraction while it becomes a kernel; `once` are the statements in front of its tile."""

    contraction: Contraction
    context: Context
    entry: str
    parameters: tuple[tree.Parameter, ...]
    once: tree.Statements

    @property
    def product(self) -> ViewProduct:
        """The contraction as a product of matrices, for the update of the target."""
        return view_product(self.contraction.product, lambda operand: self.context.view(operand.root))

    @property
    def counter(self) -> Scalar:
        """`int` where all offsets are known to fit."""
        of = self.contraction
        indices = (*of.rows, *of.columns, *of.depths, *of.shared)
        spans = (sum(each.extent * tensor(each) for each in indices) for tensor in TENSORS)
        return Scalar.I32 if max(spans) <= index.INT_MAX else Scalar.I64

    def pointers(self, shared: tree.Expression) -> tuple[tree.Declare, ...]:
        """Pointers to the first entries of the tensors, for this position of the shared indices."""
        return tuple(
            self._pointer(operand, tensor, shared)
            for operand, tensor in zip(self.contraction.operands, TENSORS, strict=True)
        )

    def _pointer(self, operand: Operand, tensor: Tensor, shared: tree.Expression) -> tree.Declare:
        view, context = self.context.view(operand.root), self.context

        def term(name: str, factor: int) -> tree.Expression:
            return index.multiply(context.index(tl.Local(name)), index.constant(factor))

        starts = (
            index.multiply(
                stride,
                index.total((index.constant(start.constant), *(term(*each) for each in sorted(start.terms)))),
            )
            for start, stride in zip(operand.starts, view.strides, strict=True)
        )
        order = Order(axis.ordered(self.contraction.shared, axis.target, axis.left, axis.target))
        moved = index.total((*starts, order.offset(tensor, shared)))
        return tree.Declare(view.pointer, context.names.fresh(tensor.__name__), index.add(view.base, moved))

    def kernel(self, tile: tree.Statements, work_group: tuple[int, int] = (1, 1)) -> tree.Function:
        """The kernel that computes the tile."""
        return tree.Function(self.entry, self.parameters, (*self.once, *tile), (*work_group, 1))


def begin(
    function: Source,
    contraction: Contraction,
    target: Target,
    groups: int,
    taken: frozenset[str],
    epilogue: Epilogue | None = None,
) -> TiledContraction:
    """The kernel of a function that is this contraction and what its entries go through, without its tile.

    An element has so many `groups` of work-items; `taken` are names that the kernel cannot define. Raises
    `CompileError` with all that the target cannot do (E06xx).
    """
    check_target(function, target)
    names = free_names(target, taken)
    entry = names.fresh(local_name(function.name))
    parameters = Parameters(function, names)
    context = Context(target, names, parameters.values, group_id(groups), group_size(groups), [])
    once = _once(contraction, context, epilogue)
    return TiledContraction(contraction, context, entry, tuple(parameters.list), once)


def _once(contraction: Contraction, context: Context, epilogue: Epilogue | None) -> tree.Statements:
    """The values that the contraction needs, what stands behind it, and those that they need."""
    product = contraction.product
    needed = {operand.root.name for operand in contraction.operands}
    needed |= {each.value.name for each in (product.alpha, product.beta) if isinstance(each.value, tl.Local)}
    needed |= {name for operand in contraction.operands for start in operand.starts for name in start.names}
    inside = () if epilogue is None else epilogue.body
    needed |= {each.name for step in inside for each in operands(step) if isinstance(each, tl.Local)}
    chosen: list[tl.ValueInstruction] = []
    for instruction in reversed(contraction.once):
        if instruction.result.name in needed:
            chosen.append(instruction)
            needed |= {each.name for each in operands(instruction) if isinstance(each, tl.Local)}
    return lower_values(reversed(chosen), context)
