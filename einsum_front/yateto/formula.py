"""Formulas of a script: what its operators build.

    assignment = entries "<=" formula
    formula    = entries | Einsum { formula } | Add { formula } | ScalarMultiplication(scalar, formula)
               | Quotient(scalar, formula)
    entries    = tensor letters { slice }

A product has no products as factors, and no scaled or divided factors: their scalar is in front of it; a sum has no
sums as terms. A slice of a formula is one of each tensor in it that has the index. Formulas are never changed, so a
part that a script uses twice means the same both times.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from numbers import Real
from typing import Protocol, TypeVar

from einsum_front.core.limits import DEEPEST_NESTING
from einsum_front.yateto.aspp import ASpp
from einsum_front.yateto.identifiers import IdentifiedType, Scalar
from einsum_front.yateto.indices import Indices
from einsum_front.yateto.mistakes import rejected

_DEEPEST_NODE = 3 * DEEPEST_NESTING
"""A level is a sum of products with numbers in front. How deep its text is, is asked when it is printed."""

Factor = float | Scalar
"""What scales a formula."""


class TensorOfFormula(Protocol):
    """Attributes of a tensor that a formula needs."""

    temporary: bool

    def name(self) -> str:
        """With the group."""

    def shape(self) -> tuple[int, ...]:
        """One extent a mode."""

    def spp(self, groupSpp: bool = True) -> ASpp:
        """Its pattern, or that of all tensors that share its layout."""


class Node:
    """A formula. `indices` and `eqspp` are known for entries of tensors, and for what `ast.transformer` has visited."""

    __array_ufunc__ = None  # a NumPy number on the left leaves the operation to this class

    indices: Indices | None = None
    _pattern: ASpp | None = None

    def __init__(self, *children: "Node") -> None:
        self._children = children
        self._depth: int = 1 + max((child._depth for child in children), default=0)
        if self._depth > _DEEPEST_NODE:
            raise rejected("E0110", f"expressions nest at most {DEEPEST_NESTING} levels deep")

    def eqspp(self) -> ASpp | None:
        """Which entries may differ from zero, in the order of `indices`."""
        return self._pattern

    def known(self: "N", indices: Indices, pattern: ASpp | None = None) -> "N":
        """The same formula, of which the indices of the result and its pattern are known."""
        result = copy(self)
        result.indices, result._pattern = indices, pattern
        return result

    def shape(self) -> tuple[int, ...]:
        """The extents of its indices."""
        return () if self.indices is None else self.indices.shape()

    def __iter__(self) -> Iterator["Node"]:
        return iter(self._children)

    def __len__(self) -> int:
        return len(self._children)

    def __getitem__(self, place: int) -> "Node":
        return self._children[place]

    def __mul__(self, other: object) -> "Node":
        if isinstance(other, Node):
            return _product(self, other)
        return _scaled(other, self)

    __rmul__ = __mul__

    def __add__(self, other: object) -> "Add":
        return Add(*_parts(Add, self), *_parts(Add, _formula(other, "add")))

    __radd__ = __add__

    def __neg__(self) -> "Node":
        return _scaled(-1.0, self)

    def __sub__(self, other: object) -> "Node":
        return self + -_formula(other, "subtract")

    def __rsub__(self, other: object) -> "Node":
        return _formula(other, "subtract from") + -self

    def __truediv__(self, other: object) -> "Node":
        return _divided(self, other)

    def __rtruediv__(self, other: object) -> "Node":
        raise _divided_by_formula()

    def __le__(self, other: object) -> "Assign":
        return Assign(self, _formula(other, "assign"))

    def subslice(self, index: str, start: int, end: int) -> "Node":
        """The positions from `start` to `end`, excluded, of an index, which counts from 0 in the result."""
        if index not in letters_of(self):
            raise rejected("E0172", f"the formula has no index `{index}` to take a slice of")
        return self._sliced(index, start, end)

    def subselect(self, index: str, position: int) -> "Node":
        """The slice of one position; the index stays."""
        return self.subslice(index, position, position + 1)

    def viewed(self) -> "Node":
        """Itself: slices are part of entries."""
        return self

    def _sliced(self, index: str, start: int, end: int) -> "Node":
        result = copy(self)
        result._children = tuple(child._sliced(index, start, end) for child in self)
        result.indices = result._pattern = None
        return result

    def __str__(self) -> str:
        return f"{type(self).__name__}[{'' if self.indices is None else self.indices}]"


N = TypeVar("N", bound=Node)


class IndexedTensor(Node):
    """Entries of a tensor, `Q["kp"]`, one letter a mode."""

    indices: Indices

    def __init__(self, tensor: TensorOfFormula, indexNames: Iterable[str]) -> None:
        super().__init__()
        self.tensor = tensor
        self.indices = Indices(indexNames, tensor.shape())
        self.offsets = (0,) * len(self.indices)

    def name(self) -> str:
        """The name of the tensor."""
        return self.tensor.name()

    def spp(self, groupSpp: bool = True) -> ASpp:
        """The pattern of the whole tensor."""
        return self.tensor.spp(groupSpp)

    def of(self, tensor: TensorOfFormula) -> "IndexedTensor":
        """The same entries of another tensor of this shape."""
        result = copy(self)
        result.tensor = tensor
        return result

    def _sliced(self, index: str, start: int, end: int) -> "Node":
        if index not in self.indices:
            return self
        if not 0 <= start < end <= self.indices.indexSize(index):
            message = f"the slice {start}:{end} of `{index}` is empty or outside of 0:{self.indices.indexSize(index)}"
            raise rejected("E0172", f"{message} in `{self}`")
        result, mode = copy(self), self.indices.find(index)
        result.indices = Indices.of({**self.indices.size(), index: end - start})
        offset = self.offsets[mode] + start
        result.offsets = (*self.offsets[:mode], offset, *self.offsets[mode + 1 :])
        result._pattern = None
        return result

    def __str__(self) -> str:
        return f"{self.tensor.name()}[{self.indices}]"


class Einsum(Node):
    """A product of two factors or more, summed over the indices that follow from what stands around it."""


class Add(Node):
    """A sum; without terms it is what a script starts with."""


class ScalarMultiplication(Node):
    """A scalar or a number times a formula."""

    def __init__(self, scalar: Factor, term: Node) -> None:
        super().__init__(term)
        self._scalar = scalar

    def scalar(self) -> Factor:
        """Factor of the product."""
        return self._scalar

    def term(self) -> Node:
        """Expression that is multiplied."""
        return self._children[0]

    def is_constant(self) -> bool:
        """True if it is a number."""
        return not isinstance(self._scalar, Scalar)

    def name(self) -> str:
        """The scalar as a text."""
        return self._scalar.name() if isinstance(self._scalar, Scalar) else str(self._scalar)


class Quotient(Node):
    """A formula divided by a number or a scalar."""

    def __init__(self, divisor: Factor, term: Node) -> None:
        super().__init__(term)
        self._divisor = divisor

    def divisor(self) -> Factor:
        """Number or scalar behind `/`."""
        return self._divisor

    def term(self) -> Node:
        """Expression that is divided."""
        return self._children[0]


class Assign(Node):
    """A statement; entries of the tensor that its left-hand side does not name stay as they are."""

    def __init__(self, target: Node, value: Node) -> None:
        super().__init__(target, value)
        if not isinstance(target, IndexedTensor):
            raise rejected("E0175", "the left-hand side of `<=` is not a tensor with its indices, such as Q['kp']")
        self.target, self.value = target, value

    def leftTerm(self) -> IndexedTensor:
        """Target of the assignment."""
        return self.target

    def rightTerm(self) -> Node:
        """Expression that is assigned."""
        return self.value


def letters_of(node: Node) -> dict[str, None]:
    """All indices in a formula, summed ones included, in the order of the text."""
    if isinstance(node, IndexedTensor):
        return dict.fromkeys(node.indices)
    return dict.fromkeys(letter for child in node for letter in letters_of(child))


def entries_of(node: Node) -> Iterator[IndexedTensor]:
    """The entries of tensors in a formula or a statement, in the order of the text."""
    if isinstance(node, IndexedTensor):
        yield node
    for child in node:
        yield from entries_of(child)


def scalars_of(node: Node) -> Iterator[Scalar]:
    """The scalars in a formula or a statement, in the order of the text."""
    used = node.scalar() if isinstance(node, ScalarMultiplication) else None
    used = node.divisor() if isinstance(node, Quotient) else used
    if isinstance(used, Scalar):
        yield used
    for child in node:
        yield from scalars_of(child)


def _product(left: Node, right: Node) -> Node:
    for one, other, is_left in ((left, right, True), (right, left, False)):
        if isinstance(one, Quotient):
            term = one.term()
            return Quotient(one.divisor(), _product(term, other) if is_left else _product(other, term))
    if isinstance(left, ScalarMultiplication) and isinstance(right, ScalarMultiplication):
        raise _scaled_twice()
    if isinstance(left, ScalarMultiplication):
        return ScalarMultiplication(left.scalar(), _product(left.term(), right))
    if isinstance(right, ScalarMultiplication):
        return ScalarMultiplication(right.scalar(), _product(left, right.term()))
    return Einsum(*_parts(Einsum, left), *_parts(Einsum, right))


def _scaled(scalar: object, node: Node) -> Node:
    if isinstance(node, ScalarMultiplication):
        raise _scaled_twice()
    if isinstance(scalar, Scalar):
        return ScalarMultiplication(scalar, node)
    if isinstance(scalar, Real):
        return ScalarMultiplication(float(scalar), node)
    raise rejected("E0174", f"a formula is multiplied by {_described(scalar)}, which is no formula and no scalar")


def _divided(node: Node, divisor: object) -> Node:
    """What YATeTo has on its branch `nonlinearity`, for numbers and scalars."""
    if isinstance(divisor, Scalar):
        return Quotient(divisor, node)
    if isinstance(divisor, Real):
        if divisor == 0:
            raise rejected("E0174", "a formula is divided by zero")
        return Quotient(float(divisor), node)
    if isinstance(divisor, Node):
        raise _divided_by_formula()
    raise rejected("E0174", f"a formula is divided by {_described(divisor)}, which is no number and no scalar")


def _divided_by_formula() -> Exception:
    note = "YATeTo divides entry by entry on its branch `nonlinearity` alone (since April 2025)"
    return rejected("E0174", "the divisor of `/` is a formula: it has to be a number or a scalar", note)


def _scaled_twice() -> Exception:
    note = "a `Scalar` that the caller sets to the product takes the place of both"
    return rejected("E0174", "a formula is multiplied by two scalars", note)


def _parts(kind: type[Node], node: Node) -> tuple[Node, ...]:
    return tuple(node) if isinstance(node, kind) else (node,)


def _formula(operand: object, verb: str) -> Node:
    if isinstance(operand, Node) and not isinstance(operand, Assign):
        return operand
    note = "numbers and scalars are factors only"
    raise rejected("E0174", f"cannot {verb} {_described(operand)}: a formula is expected", note)


def _described(operand: object) -> str:
    if isinstance(operand, IdentifiedType) and not isinstance(operand, Scalar):
        return f"the tensor `{operand.name()}` without its indices"
    if isinstance(operand, Scalar):
        return f"the scalar `{operand.name()}`"
    return "a statement" if isinstance(operand, Assign) else f"`{operand!r}`"
