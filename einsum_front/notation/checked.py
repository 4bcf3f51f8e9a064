"""A checked program: names resolved, sizes known, families unrolled, every summation written out.

    program     = { tensor } { scalar } { kernel } { size }
    kernel      = name { assignment }
    assignment  = access ("=" | "+=" | "-=") expression
    expression  = access
                | scalar-term                      a number or scalar expression standing for itself
                | scaled(coefficient, expression)
                | product { expression }           entry by entry over all indices of its factors
                | sum { expression }               a term is broadcast over the indices that it lacks
                | reduction { index } expression   the sum over these indices, which are bound in the expression
                | function { expression }          entry by entry over all indices of its arguments
                | quotient expression expression   entry by entry
                | component expression             the conjugate, the real or the imaginary part, entry by entry
                | extremum { index } expression    the largest or smallest entry over these indices, bound likewise
                | gather                           a read where integers say
    access      = tensor { index [offset, extent] | fixed }
    gather      = tensor { tensor } { index | fixed | access } [ "@" access ] [ "of" access ]
    coefficient = see `core.coefficient`

Index names are those of the text; a reduction binds its indices in its operand only, so a name may stand for different
indices in different terms. Whatever the meaning of a text, it is spelled out here: the interpreter and the translation
to the contraction graph need no rule about implied summation.
"""

from collections.abc import Iterable
from dataclasses import field
from enum import Enum

from einsum_front.core.coefficient import Coefficient
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, Size
from einsum_front.core.functions import Function
from einsum_front.core.storage import ElementType, Storage
from einsum_front.core.zero_pattern import Pattern


@dataclass(frozen=True, slots=True)
class Tensor:
    """A declared tensor or one member of a declared family.

    `name` is the argument's name (`kDivM_0`), `spelling` the text's (`kDivM{0}`). `shape` counts entries; `strides` are
    in elements, of one batch element, one a mode. They are a promise of the text if it `has_layout`; else they are
    packed, the first mode fastest, and a kernel may be made for others. The elements of the batch lie behind all modes,
    or behind the fastest `batch_after` of them: then strides are those of an element that is alone. Entries are
    computed with as `element_type`, and stored in another type if there is a `memory`. `nonzeros` are the
    entries that may differ from zero (None: all); `values` are all entries in packed column-major order, when known,
    and `nonzeros` then says where they are not zero. An entry that `is_complex` has two parts of these types, side by
    side; strides count such entries, and `values` have both.
    """

    name: str
    spelling: str
    element_type: ElementType
    storage: Storage
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...]
    nonzeros: Pattern | None = None
    values: tuple[float, ...] | None = None
    has_layout: bool = False
    batch_after: int | None = None
    memory: ElementType | None = None
    is_complex: bool = False
    is_shared: bool = False
    is_atomic: bool = False
    origin: Origin = field(default=(), compare=False, repr=False)


def packed(shape: tuple[Extent, ...], order: Iterable[int]) -> tuple[Extent, ...]:
    """The strides of a tensor without gaps whose modes have this order, the fastest first."""
    strides: list[Extent] = [1] * len(shape)
    stride: Extent = 1
    for mode in order:
        strides[mode] = stride
        stride = stride * shape[mode]
    return tuple(strides)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar argument of the kernels."""

    name: str
    spelling: str
    element_type: ElementType
    is_complex: bool = False
    origin: Origin = field(default=(), compare=False, repr=False)


# -- expressions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Index:
    """An index with its extent."""

    name: str
    extent: Extent


@dataclass(frozen=True, slots=True)
class IndexPosition:
    """A mode run through by an index, from position `offset` on."""

    index: Index
    offset: int = 0
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FixedPosition:
    """A mode held at one position."""

    position: int
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Access:
    """Entries of a tensor; an index that stands in two modes takes the diagonal."""

    tensor: str
    positions: tuple[IndexPosition | FixedPosition, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class EntryPosition:
    """A mode held at the position that an entry of an integer tensor says."""

    entry: Access
    origin: Origin = field(default=(), compare=False, repr=False)


Position = IndexPosition | FixedPosition | EntryPosition


@dataclass(frozen=True, slots=True)
class Gather:
    """Entries of a tensor where integers say: of the element `element`, of the member `member` among `tensors`.

    Each is an entry of an integer tensor, as some positions are. It is 0 where one of these integers is negative.
    """

    tensors: tuple[str, ...]
    positions: tuple[Position, ...]
    element: Access | None = None
    member: Access | None = None
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def entries(self) -> tuple[Access, ...]:
        """The integers that say where: of the positions, the element and the member."""
        said = [each.entry for each in self.positions if isinstance(each, EntryPosition)]
        return (*said, *(each for each in (self.element, self.member) if each is not None))

    @property
    def indices(self) -> tuple[Index, ...]:
        """Its distinct indices, those of its positions first."""
        own = [*self.positions, *(each for entry in self.entries for each in entry.positions)]
        found: dict[str, Index] = {}
        for each in own:
            if isinstance(each, IndexPosition):
                found.setdefault(each.index.name, each.index)
        return tuple(found.values())


@dataclass(frozen=True, slots=True)
class ScalarTerm:
    """A coefficient that stands where a tensor could: it has no indices and is broadcast.

    `ones` are the indices that the text writes behind it, which count until summation is written out.
    """

    value: Coefficient
    ones: tuple[str, ...] = ()
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Scaled:
    """`coefficient` times `operand`."""

    coefficient: Coefficient
    operand: "Expression"
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Product:
    """Two or more factors, multiplied entry by entry over the union of their indices."""

    factors: tuple["Expression", ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sum:
    """Two or more terms, added entry by entry over the union of their indices."""

    terms: tuple["Expression", ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Reduction:
    """The sum of `operand` over `indices`."""

    indices: tuple[Index, ...]
    operand: "Expression"
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Apply:
    """A function of the arguments, entry by entry over the union of their indices."""

    function: Function
    arguments: tuple["Expression", ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Quotient:
    """A product divided by a tensor, entry by entry; both take part in summation as factors of a product do."""

    dividend: "Expression"
    divisor: "Expression"
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Extremum:
    """The largest (`MAX`) or the smallest (`MIN`) entry of `operand` over `indices`."""

    function: Function
    indices: tuple[Index, ...]
    operand: "Expression"
    origin: Origin = field(default=(), compare=False, repr=False)


class Part(Enum):
    """What is taken of a complex number; the value is the name of the function."""

    CONJUGATE = "conj"
    REAL = "real"
    IMAGINARY = "imag"


@dataclass(frozen=True, slots=True)
class Component:
    """The conjugate, or a part, of each entry; of real entries as of complex ones."""

    part: Part
    operand: "Expression"
    origin: Origin = field(default=(), compare=False, repr=False)


Expression = Access | Gather | ScalarTerm | Scaled | Product | Sum | Reduction | Apply | Quotient | Component | Extremum


def parts(expression: Expression) -> tuple[Expression, ...]:
    """The expressions that an expression is made of, in the order of the text."""
    match expression:
        case Access() | Gather() | ScalarTerm():
            return ()
        case Scaled(operand=inner) | Reduction(operand=inner) | Extremum(operand=inner) | Component(operand=inner):
            return (inner,)
        case Product(factors=inside) | Sum(terms=inside) | Apply(arguments=inside):
            return inside
        case Quotient(dividend=dividend, divisor=divisor):
            return dividend, divisor


class AssignmentOperator(Enum):
    """Effect on the left-hand side, once the right-hand side is known."""

    SET = "="
    ADD = "+="
    SUB = "-="


@dataclass(frozen=True, slots=True)
class Assignment:
    """A statement; entries of the target that its access does not name stay as they are.

    A target where integers say is added to, once all statements are done.
    """

    target: Access | Gather
    operator: AssignmentOperator
    value: Expression
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def written(self) -> str:
        """The tensor that it writes."""
        return self.target.tensors[0] if isinstance(self.target, Gather) else self.target.tensor


@dataclass(frozen=True, slots=True)
class Kernel:
    """Statements that run in order and become one launch; families are unrolled, `flux{2}` is `flux_2`."""

    name: str
    statements: tuple[Assignment, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CheckedProgram:
    """All kernels of a text with the tensors and scalars that they may use, in the order of the text."""

    tensors: tuple[Tensor, ...]
    scalars: tuple[Scalar, ...]
    kernels: tuple[Kernel, ...]
    sizes: tuple[Size, ...] = ()
