"""The kernel tree as text for people and for golden files: what every node is, spelled as in `docs/kernel_tree.md`."""

from collections.abc import Iterator

from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import Features
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, Vector
from einsum_front.tl_backend.targets.c_family import Effect, Printer
from einsum_front.tl_backend.targets.c_operators import MULTIPLICATIVE, POSTFIX, Text


class TreeText(Printer):
    """The printer for the tree itself."""

    scalars = {scalar: scalar.value for scalar in Scalar}  # noqa: RUF012 # constant
    suffixes = {scalar: f"_{scalar.value}" for scalar in Scalar if scalar is not Scalar.I32} | {Scalar.I32: ""}
    spaces = {space: space.value for space in AddressSpace}  # noqa: RUF012
    functions = {function: function.name.lower() for function in (*tree.MathFunction, *Function)}  # noqa: RUF012
    unrolling = {tree.Unroll.FULLY: "unrolled", tree.Unroll.NEVER: "never unrolled"}  # noqa: RUF012
    without_vectors = "without vectors"
    restrict = "restrict"
    stream = "{1} = {2} streamed"
    fence = "fence"

    def preamble(self, file: tree.File, found: Features) -> Iterator[str]:
        """Nothing."""
        yield from ()

    def support(self, found: Features) -> Iterator[str]:
        """Nothing."""
        yield from ()

    def attributes(self, function: tree.Function) -> Iterator[str]:
        """What a function is."""
        if function.work_group_size is not None:
            yield f"kernel, work-group {' x '.join(map(str, function.work_group_size))}"
        if function.instructions is not None:
            yield f"with {function.instructions}"
        if function.outlined is not None:
            yield function.outlined.value

    def aligned(self, alignment: int) -> str:
        """Bytes."""
        return f"aligned to {alignment}"

    def vector(self, vector: Vector) -> str:
        """`f64x4`."""
        return f"{'unaligned ' if vector.is_unaligned else ''}{vector.element.value}x{vector.width}"

    def table_space(self) -> str:
        """The memory for constants."""
        return "constant"

    def geometry(self, expression: tree.GroupId | tree.GroupCount | tree.ItemId) -> Text:
        """The name of the node."""
        match expression:
            case tree.GroupId():
                return "group_id", POSTFIX
            case tree.GroupCount():
                return "group_count", POSTFIX
            case tree.ItemId(dimension=dimension):
                return f"item_id({dimension})", POSTFIX

    def pack(self, pack: tree.Pack) -> Text:
        """`f64x4(a, b)`."""
        return f"{self.type_name(pack.type)}({', '.join(map(self.expression, pack.parts))})", POSTFIX

    def shuffle(self, shuffle: tree.Shuffle) -> Text:
        """`shuffle(a, b, [0, 4, 1, 5])`."""
        first, second = self.expression(shuffle.first), self.expression(shuffle.second)
        return f"shuffle({first}, {second}, {list(shuffle.lanes)})", POSTFIX

    def lanes(self, lanes: tree.Lanes) -> Text:
        """`a.[0, 1]`."""
        return f"{self.operand(lanes.operand, POSTFIX)}.{list(lanes.lanes)}", POSTFIX

    def effect(self, statement: Effect) -> str:
        """The name of the node and its operands."""
        match statement:
            case tree.AtomicUpdate(update=update, entry=entry, value=value, beta=beta):
                operands = (entry, value) if beta is None else (entry, value, beta)
                return f"atomic {update.value} {', '.join(map(self.expression, operands))}"
            case tree.MatrixMultiplyAdd(instruction=instruction, sums=sums, left=left, right=right):
                targets, rows = (", ".join(map(self.expression, each)) for each in (sums, left))
                return f"multiply {instruction} [{targets}] += [{rows}], {self.expression(right)}"
            case tree.Barrier(spaces=spaces):
                return f"barrier {' '.join(space.value for space in spaces)}"
            case tree.Prefetch(address=address, offset=offset):
                return f"prefetch {self.operand(address, MULTIPLICATIVE)} + {self.operand(offset, MULTIPLICATIVE)}"
