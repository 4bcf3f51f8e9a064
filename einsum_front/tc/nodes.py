"""The tc language: definitions of structured operations, in index notation.

    program       = definition { definition }
    definition    = [ "ods_def" "<" name ">" ":" ] "def" name "(" [ tensors ] ")" "->" "(" tensors ")" [ docstring ]
                    "{" comprehension { comprehension } "}"
    tensors       = tensor { "," tensor }
    tensor        = name ":" type "(" [ affine { "," affine } ] ")"
    type          = "f16" | "bf16" | "f32" | "f64" | "i8" | "i16" | "i32" | "i64"
    comprehension = access { "," access } "=" expression { "," expression } ";"
    access        = name "(" [ affine { "," affine } ] ")"
    expression    = access | name [ "<" name { "," name } ">" ] "(" expression { "," expression } ")"
    affine        = sums and differences of names, integers, and integers times names

    def batchmatmul(A: f32(Batch, M, K), B: f32(K, N)) -> (C: f32(Batch, M, N)) {
      C(b, m, n) = std_addf<k>(std_mulf(A(b, m, k), B(k, n)));
    }

Names in shapes are sizes, names in accesses iterators. `f<k>(x)` combines x with the entry of the output, for all k: so
does `f<k>(C(b, m, n), x)`, which says it. A name in front of `(` that is a tensor is an access, else an operation.
"""

from collections.abc import Iterator
from dataclasses import field

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin


@dataclass(frozen=True, slots=True)
class Affine:
    """A sum of names times integers, in the order in which they come, and an integer."""

    terms: tuple[tuple[str, int], ...]
    constant: int = 0
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def name(self) -> str | None:
        """The name, if it is nothing else."""
        return self.terms[0][0] if len(self.terms) == 1 and self.terms[0][1] == 1 and self.constant == 0 else None


@dataclass(frozen=True, slots=True)
class TensorDef:
    """A parameter or a result, with its type and the extents of its modes."""

    name: str
    type: str
    shape: tuple[Affine, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Access:
    """An entry of a tensor."""

    tensor: str
    positions: tuple[Affine, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation on numbers; with `over`, it is repeated for all positions of these iterators."""

    operation: str
    arguments: tuple["Expression", ...]
    over: tuple[str, ...] = ()
    origin: Origin = field(default=(), compare=False, repr=False)


Expression = Access | Apply


@dataclass(frozen=True, slots=True)
class Comprehension:
    """Entries of the outputs, and what each becomes."""

    targets: tuple[Access, ...]
    values: tuple[Expression, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Definition:
    """A named operation; `ods_name` is that of its class in MLIR, if the text has one."""

    name: str
    inputs: tuple[TensorDef, ...]
    outputs: tuple[TensorDef, ...]
    comprehensions: tuple[Comprehension, ...]
    ods_name: str = ""
    docstring: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def tensors(self) -> tuple[TensorDef, ...]:
        """The inputs and the outputs, in the order of the maps."""
        return (*self.inputs, *self.outputs)

    @property
    def body(self) -> Comprehension:
        """The only comprehension of a definition that is verified."""
        return self.comprehensions[0]

    @property
    def sizes(self) -> tuple[str, ...]:
        """The names in shapes, in the order of the text."""
        affine = (each for tensor in self.tensors for each in tensor.shape)
        return tuple(dict.fromkeys(name for each in affine for name, _ in each.terms))


@dataclass(frozen=True, slots=True)
class Program:
    """The definitions of a text."""

    definitions: tuple[Definition, ...]


def accesses(expression: Expression) -> Iterator[Access]:
    """The accesses of an expression, in the order of the text."""
    match expression:
        case Access():
            yield expression
        case Apply(arguments=arguments):
            for argument in arguments:
                yield from accesses(argument)


def applications(expression: Expression) -> Iterator[Apply]:
    """The operations of an expression, each before its arguments."""
    if isinstance(expression, Apply):
        yield expression
        for argument in expression.arguments:
            yield from applications(argument)
