"""The kernel tree as text for people and for golden files: what every node is, spelled as in `docs/kernel_tree.md`."""

from collections.abc import Iterator

from einsum_front.tl_backend.kernel.tree import (
    AtomicUpdate,
    Barrier,
    File,
    Function,
    GroupCount,
    GroupId,
    ItemId,
    Lanes,
    MathFunction,
    Pack,
    Prefetch,
    Shuffle,
    Unroll,
)
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, Vector
from einsum_front.tl_backend.targets.c_family import Printer
from einsum_front.tl_backend.targets.c_operators import MULTIPLICATIVE, POSTFIX, Text


class TreeText(Printer):
    """The printer for the tree itself."""

    scalars = {scalar: scalar.value for scalar in Scalar}  # noqa: RUF012 # constant
    suffixes = {scalar: f"_{scalar.value}" for scalar in Scalar if scalar is not Scalar.I32} | {Scalar.I32: ""}
    spaces = {space: space.value for space in AddressSpace}  # noqa: RUF012
    functions = {function: function.name.lower() for function in MathFunction}  # noqa: RUF012
    unrolling = {Unroll.FULLY: "unrolled", Unroll.NEVER: "never unrolled"}  # noqa: RUF012
    without_vectors = "without vectors"
    restrict = "restrict"

    def preamble(self, file: File) -> Iterator[str]:
        """Nothing."""
        yield from ()

    def support(self, file: File) -> Iterator[str]:
        """Nothing."""
        yield from ()

    def attributes(self, function: Function) -> Iterator[str]:
        """What a function is."""
        if function.work_group_size is not None:
            yield f"kernel, work-group {' x '.join(map(str, function.work_group_size))}"
        if function.instructions is not None:
            yield f"with {function.instructions}"

    def aligned(self, alignment: int) -> str:
        """Bytes."""
        return f"aligned to {alignment}"

    def vector(self, vector: Vector) -> str:
        """`f64x4`."""
        return f"{'unaligned ' if vector.is_unaligned else ''}{vector.element.value}x{vector.width}"

    def table_space(self) -> str:
        """The memory for constants."""
        return "constant"

    def geometry(self, expression: GroupId | GroupCount | ItemId) -> Text:
        """The name of the node."""
        match expression:
            case GroupId():
                return "group_id", POSTFIX
            case GroupCount():
                return "group_count", POSTFIX
            case ItemId(dimension=dimension):
                return f"item_id({dimension})", POSTFIX

    def pack(self, pack: Pack) -> Text:
        """`f64x4(a, b)`."""
        return f"{self.type_name(pack.type)}({', '.join(map(self.expression, pack.parts))})", POSTFIX

    def shuffle(self, shuffle: Shuffle) -> Text:
        """`shuffle(a, b, [0, 4, 1, 5])`."""
        first, second = self.expression(shuffle.first), self.expression(shuffle.second)
        return f"shuffle({first}, {second}, {list(shuffle.lanes)})", POSTFIX

    def lanes(self, lanes: Lanes) -> Text:
        """`a.[0, 1]`."""
        return f"{self.operand(lanes.operand, POSTFIX)}.{list(lanes.lanes)}", POSTFIX

    def effect(self, statement: AtomicUpdate | Barrier | Prefetch) -> str:
        """The name of the node and its operands."""
        match statement:
            case AtomicUpdate(update=update, entry=entry, value=value, beta=beta):
                operands = (entry, value) if beta is None else (entry, value, beta)
                return f"atomic {update.value} {', '.join(map(self.expression, operands))}"
            case Barrier(spaces=spaces):
                return f"barrier {' '.join(space.value for space in spaces)}"
            case Prefetch(address=address, offset=offset):
                return f"prefetch {self.operand(address, MULTIPLICATIVE)} + {self.operand(offset, MULTIPLICATIVE)}"
