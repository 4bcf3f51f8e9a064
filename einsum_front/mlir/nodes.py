"""The part of MLIR that describes tensor contractions: linalg and TPP, on tensors and strided memrefs.

    module      = { alias } ( "module" [ symbol ] [ "attributes" dictionary ] "{" { function } "}" | { function } )
    alias       = "#" name "=" attribute
    function    = "func.func" [ "private" ] symbol "(" [ value ":" type { "," value ":" type } ] ")"
                  [ "->" types ] [ "attributes" dictionary ] [ region ]
    region      = "{" [ "^" name "(" [ value ":" type { "," … } ] ")" ":" ] { operation } "}"
    operation   = [ value [ ":" integer ] { "," value } "=" ] ( generic | pretty ) [ "loc" "(" … ")" ]
    generic     = string "(" [ value { "," value } ] ")" [ "<" dictionary ">" ] [ "(" region { "," region } ")" ]
                  [ dictionary ] ":" "(" [ type { "," type } ] ")" "->" types
    type        = "f16" | "bf16" | "f32" | "f64" | "index" | "i1" | "i8" | "i16" | "i32" | "i64"
                | "complex<f32>" | "complex<f64>"
                | "tensor<" { size "x" } scalar ">"
                | "memref<" { size "x" } scalar [ "," "strided<" "[" sizes "]" [ "," "offset" ":" size ] ">" ] ">"
    size        = integer | "?"
    affine-map  = "affine_map<" "(" dims ")" "->" "(" [ affine { "," affine } ] ")" ">"
    affine      = dim | integer | affine "+" affine | affine "*" affine
    primitive   = "tpp." name [ "[" word "=" word { "," … } "]" ] [ dictionary ] [ "(" operands ")" ]
                  [ "ins" "(" operands ")" ] [ "outs" "(" operands ")" ] [ dictionary ] [ ":" types ] [ "->" types ]
    group       = "tpp.group" region [ "->" types ]
    pack        = ( "tensor." | "linalg." ) ( "pack" | "unpack" ) value { word "=" integers } "into" value ":" types

`pretty` is the form of its own that an operation has in the printers of MLIR; `grammar.lark` has them all. Both forms
of an operation are the same node. The printer writes the generic form, which does not change from release to release.

All structured operations are one node, `Structured`: a named one has the maps, the iterators and the payload that its
name stands for, as if it had been written as `linalg.generic`.
"""

from collections.abc import Iterator
from dataclasses import field
from enum import Enum

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.runs import Runs


class ScalarType(Enum):
    """A type of one number; the value is its spelling."""

    F16 = "f16"
    BF16 = "bf16"
    F32 = "f32"
    F64 = "f64"
    INDEX = "index"
    I1 = "i1"
    I8 = "i8"
    I16 = "i16"
    I32 = "i32"
    I64 = "i64"
    C32 = "complex<f32>"
    C64 = "complex<f64>"

    @property
    def is_floating(self) -> bool:
        """True for the types of real numbers."""
        return self in (ScalarType.F16, ScalarType.BF16, ScalarType.F32, ScalarType.F64)

    @property
    def part(self) -> "ScalarType | None":
        """The type of the parts of complex numbers; None for others."""
        return {ScalarType.C32: ScalarType.F32, ScalarType.C64: ScalarType.F64}.get(self)


Size = int | None
"""An extent, a stride or an offset; None is `?`, known when the program runs."""


@dataclass(frozen=True, slots=True)
class TensorType:
    """A tensor as a value; `shape` has an extent for each mode."""

    shape: tuple[Size, ...]
    element: ScalarType


@dataclass(frozen=True, slots=True)
class Strided:
    """Where the entries of a memref lie: `offset` and `strides` count entries."""

    strides: tuple[Size, ...]
    offset: Size = 0


@dataclass(frozen=True, slots=True)
class MemrefType:
    """A tensor in memory; without a layout it is packed, the last mode the fastest."""

    shape: tuple[Size, ...]
    element: ScalarType
    layout: Strided | None = None


Type = ScalarType | TensorType | MemrefType


# -- maps --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dim:
    """The number of an iterator, from 0 on."""

    position: int


@dataclass(frozen=True, slots=True)
class Constant:
    """An integer."""

    value: int


@dataclass(frozen=True, slots=True)
class Add:
    """A sum of two affine expressions."""

    left: "AffineExpr"
    right: "AffineExpr"


@dataclass(frozen=True, slots=True)
class Multiply:
    """An affine expression times an integer."""

    expression: "AffineExpr"
    factor: int


@dataclass(frozen=True, slots=True)
class Divide:
    """An affine expression divided by an integer; `word` is `floordiv`, `ceildiv` or `mod`."""

    expression: "AffineExpr"
    word: str
    divisor: "AffineExpr"


AffineExpr = Dim | Constant | Add | Multiply | Divide


@dataclass(frozen=True, slots=True)
class AffineMap:
    """From positions of `dims` iterators to the position in each mode of an operand.

    Symbols are counted behind the iterators; maps of operands have none.
    """

    dims: int
    results: tuple[AffineExpr, ...]
    origin: Origin = field(default=(), compare=False, repr=False)

    @staticmethod
    def of_dims(dims: int, positions: tuple[int, ...]) -> "AffineMap":
        """The map that takes each mode from one iterator."""
        return AffineMap(dims, tuple(map(Dim, positions)))

    @property
    def positions(self) -> tuple[int, ...] | None:
        """The iterator of each mode; None if a mode has anything else than one iterator."""
        found = tuple(each.position for each in self.results if isinstance(each, Dim))
        return found if len(found) == len(self.results) else None


class IteratorType(Enum):
    """What may be said of the iterations along an iterator; the value is its spelling."""

    PARALLEL = "parallel"
    REDUCTION = "reduction"


# -- values ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Value:
    """The value `%name`, where it is defined and where it is used.

    The results of an operation that has several are called `name#0`, `name#1`, …
    """

    name: str
    type: Type
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def shape(self) -> tuple[Size, ...]:
        """The extents of the modes; none for a number."""
        return () if isinstance(self.type, ScalarType) else self.type.shape

    @property
    def element(self) -> ScalarType:
        """The type of the entries, or of the number."""
        return self.type if isinstance(self.type, ScalarType) else self.type.element


# -- operations on numbers: payloads, and what counts loops ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal:
    """`arith.constant`: a number, or a tensor whose entries are all this number or, row by row, these numbers.

    A complex number is two of them, its parts.
    """

    result: Value
    value: int | float | tuple[float, ...]
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Scalar:
    """An operation of `arith` or `math` on numbers, such as `arith.mulf`; `predicate` is that of a comparison.

    `tensor.extract` and `memref.load` are such operations too: of a tensor, and of numbers that say the entry.
    """

    result: Value
    name: str
    operands: tuple[Value, ...]
    predicate: str = ""
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class IndexOf:
    """`linalg.index`: the position of an iterator, in a payload."""

    result: Value
    dim: int
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


PayloadOperation = Literal | Scalar | IndexOf


@dataclass(frozen=True, slots=True)
class Payload:
    """What is done at each iteration: numbers of inputs, then of outputs come in, those for the outputs go out."""

    arguments: tuple[Value, ...]
    operations: tuple[PayloadOperation, ...]
    yields: tuple[Value, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


# -- operations on tensors ---------------------------------------------------------------------------------------------

Number = int | Value
"""An integer in the text, or a value of type `index`."""


@dataclass(frozen=True, slots=True)
class Structured:
    """A perfect loop nest over the iterators: `linalg.generic`, and all named operations of linalg.

    `name` is without `linalg.`. There is a map for each input and output. Operations on tensors have a result for each
    output, operations on memrefs have none. `dimensions` are those of `reduce` and `broadcast`, and the permutation of
    `transpose`; `strides` and `dilations` those of a convolution or pooling; `kind` is that of `elementwise`.
    """

    name: str
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    maps: tuple[AffineMap, ...]
    iterators: tuple[IteratorType, ...]
    payload: Payload
    results: tuple[Value, ...] = ()
    library_call: str = ""
    dimensions: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    dilations: tuple[int, ...] = ()
    kind: str = ""
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def operands(self) -> tuple[Value, ...]:
        """The inputs and the outputs, in the order of the maps."""
        return (*self.inputs, *self.outputs)


@dataclass(frozen=True, slots=True)
class Allocate:
    """`tensor.empty`, `memref.alloc` or `memref.alloca`: entries that nobody has written; `sizes` are those of `?`."""

    result: Value
    sizes: tuple[Value, ...] = ()
    is_stack: bool = False
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Free:
    """`memref.dealloc`."""

    memory: Value
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Slice:
    """`tensor.extract_slice` or `memref.subview`: for each mode an offset, a size and a stride.

    The result may lack modes of size 1.
    """

    result: Value
    source: Value
    offsets: tuple[Number, ...]
    sizes: tuple[Number, ...]
    strides: tuple[Number, ...]
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class InsertSlice:
    """`tensor.insert_slice`: the target with the source in the place of a slice."""

    result: Value
    source: Value
    target: Value
    offsets: tuple[Number, ...]
    sizes: tuple[Number, ...]
    strides: tuple[Number, ...]
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Reshape:
    """`collapse_shape` and `expand_shape` of `tensor` and `memref`.

    Each group has modes of the side with more of them: the source of a collapse, the result of an expansion. `sizes`
    is the `output_shape` of an expansion.
    """

    result: Value
    source: Value
    groups: tuple[tuple[int, ...], ...]
    is_expansion: bool
    sizes: tuple[Number, ...] = ()
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Permute:
    """`memref.transpose`: mode k of the result is mode `permutation[k]` of the source."""

    result: Value
    source: Value
    permutation: tuple[int, ...]
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Cast:
    """`tensor.cast` and `memref.cast`: the same entries with sizes that are known, or no longer."""

    result: Value
    source: Value
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Extent:
    """`tensor.dim` and `memref.dim`: the extent of the mode that `mode` counts."""

    result: Value
    source: Value
    mode: Value
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Copy:
    """`memref.copy`."""

    source: Value
    target: Value
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


# -- tensor processing primitives --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Primitive:
    """An operation of the TPP dialect on whole matrices; `name` is without `tpp.`.

    On tensors it has results and no outputs, on memrefs outputs and no results. `alpha` is that of `leaky_relu` and
    `elu`. The words are those of `fused_brgemm`: the operations on C, on C and D, on A and on B, empty for none.
    """

    name: str
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...] = ()
    results: tuple[Value, ...] = ()
    alpha: float | None = None
    unary: str = ""
    binary: str = ""
    unary_a: str = ""
    unary_b: str = ""
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def operands(self) -> tuple[Value, ...]:
        """The inputs and the outputs."""
        return (*self.inputs, *self.outputs)


@dataclass(frozen=True, slots=True)
class Group:
    """`tpp.group`: operations that shall become one; its results are what its region yields."""

    body: tuple["Operation", ...]
    yields: tuple[Value, ...] = ()
    results: tuple[Value, ...] = ()
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Pack:
    """`pack` or `unpack`: mode `positions[k]` of the tensor that is not packed is cut into tiles of `tiles[k]` entries.

    The packed tensor has the numbers of the tiles as its first modes, in the order `outer`, then the modes of a tile.
    """

    result: Value
    source: Value
    target: Value
    positions: tuple[int, ...]
    tiles: tuple[int, ...]
    outer: tuple[int, ...] = ()
    is_unpack: bool = False
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def plain_and_packed(self) -> tuple[Value, Value]:
        """The tensor that is not packed, and the packed one."""
        return (self.result, self.source) if self.is_unpack else (self.source, self.result)


# -- control -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class For:
    """`scf.for`: `variable` from `start` to before `stop`, by `step`; `carried` begins as `initial`.

    The body ends with the values that the next iteration, or the results, get. Iterations that share nothing and carry
    nothing may run at once: a loop that `is_parallel` is printed as `scf.parallel`, and read as `scf.for`.
    """

    variable: Value
    start: Value
    stop: Value
    step: Value
    body: tuple["Operation", ...]
    carried: tuple[Value, ...] = ()
    initial: tuple[Value, ...] = ()
    yields: tuple[Value, ...] = ()
    results: tuple[Value, ...] = ()
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)
    is_parallel: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """`func.call`."""

    callee: str
    operands: tuple[Value, ...]
    results: tuple[Value, ...] = ()
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Return:
    """`func.return`, the last operation of a function."""

    values: tuple[Value, ...]
    location: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


View = Slice | Reshape | Permute | Cast
Operation = (
    Literal
    | Scalar
    | Structured
    | Allocate
    | Free
    | Slice
    | InsertSlice
    | Reshape
    | Permute
    | Cast
    | Extent
    | Copy
    | Primitive
    | Group
    | Pack
    | For
    | Call
    | Return
)


@dataclass(frozen=True, slots=True)
class Function:
    """`func.func`; one without a body is declared only, and defined by a library.

    `constants` are the names of arguments that are the same for all elements of a batch. `nonzeros` are half-open runs
    of entries of an argument that may differ from zero: positions in an element, the last mode the fastest. `targets`
    are arguments that a result replaces, with the number of that result. `complexes` are tensors among the arguments
    and results that have the parts of complex numbers as their last mode, `parts` numbers that are such a part, with
    the name of the complex argument. `batch` is the mode of the results that is the
    batch, or `none`, where that is said. `definitions` is the path of a text in tc that defines the function.
    """

    name: str
    arguments: tuple[Value, ...]
    results: tuple[Type, ...]
    body: tuple[Operation, ...] | None
    is_private: bool = False
    emits_c_interface: bool = False
    constants: tuple[str, ...] = ()
    nonzeros: tuple[tuple[str, Runs], ...] = ()
    targets: tuple[tuple[str, int], ...] = ()
    batch: str | None = None
    location: str = ""
    definitions: str = ""
    complexes: tuple[str, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Module:
    """The functions of a text."""

    functions: tuple[Function, ...]
    name: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


def results_of(operation: Operation | IndexOf) -> tuple[Value, ...]:
    """The values that an operation defines."""
    match operation:
        case Structured() | Primitive() | Group() | For() | Call():
            return operation.results
        case Free() | Copy() | Return():
            return ()
        case (
            Literal() | Scalar() | IndexOf() | Allocate() | Slice() | InsertSlice() | Reshape() | Permute() | Cast()
            | Extent() | Pack()
        ):  # fmt: skip
            return (operation.result,)


def operands_of(operation: Operation | IndexOf) -> tuple[Value, ...]:
    """The values that an operation uses itself; those of its regions are not among them."""
    match operation:
        case Literal() | IndexOf():
            return ()
        case Scalar() | Structured() | Primitive() | Call():
            return operation.operands
        case Group():
            return ()
        case Allocate(sizes=sizes):
            return sizes
        case Free(memory=memory):
            return (memory,)
        case Slice():
            return (operation.source, *_values(operation))
        case InsertSlice():
            return (operation.source, operation.target, *_values(operation))
        case Reshape(source=source, sizes=sizes):
            return (source, *(each for each in sizes if isinstance(each, Value)))
        case Permute(source=source) | Cast(source=source):
            return (source,)
        case Extent(source=source, mode=mode):
            return source, mode
        case Copy(source=source, target=target) | Pack(source=source, target=target):
            return source, target
        case For(start=start, stop=stop, step=step, initial=initial):
            return start, stop, step, *initial
        case Return(values=values):
            return values


def _values(operation: Slice | InsertSlice) -> Iterator[Value]:
    """The dynamic offsets, sizes and strides, in this order."""
    numbers = (*operation.offsets, *operation.sizes, *operation.strides)
    return (each for each in numbers if isinstance(each, Value))
