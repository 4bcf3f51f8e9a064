"""Features of a kernel tree, which one walk finds for all who ask; and its nodes, in the order of the text.

A function keeps its features: `function.get(features_of_function)`. A rewritten one is another function.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from einsum_front.core.dataclass import dataclass
from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Type, Vector, size_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Update:
    """An atomic update without its operands: a language has one function for all updates that are alike."""

    update: tree.Update
    memory: Scalar
    compute: Scalar
    space: AddressSpace


@dataclass(frozen=True, slots=True)
class Features:
    """What statements have in them, each once and in the order of the text.

    statements  how many there are, those inside of others as well
    streams     whether vectors go past the caches
    kinds       the classes of the nodes, `tree.Barrier` if there is one
    types       written in the text: of declarations, constants, casts and vectors
    functions   of numbers or vectors, but for those of two scalars
    updates     atomic ones
    arrays      all declarations of arrays
    declared    names of variables, arrays and loop variables
    used        names in expressions, tables and parameters as well
    called      names of functions of the file
    """

    statements: int
    kinds: frozenset[type]
    types: tuple[Type, ...]
    functions: tuple[tree.MathFunction | Function, ...]
    updates: tuple[Update, ...]
    arrays: tuple[tree.DeclareArray, ...]
    declared: tuple[str, ...]
    used: tuple[str, ...]
    called: tuple[str, ...]
    streams: bool = False

    @property
    def elements(self) -> frozenset[Scalar]:
        """The scalars that values of the types, or what they point to, are made of."""
        return frozenset(map(element_of, self.types))

    @property
    def vectors(self) -> tuple[Vector, ...]:
        """The vectors of more than one entry among the types, also where a pointer points to them."""
        targets = (type_.target if isinstance(type_, Pointer) else type_ for type_ in self.types)
        return _once(each for each in targets if isinstance(each, Vector) and each.width > 1)

    def bytes_in(self, space: AddressSpace) -> int:
        """The sizes of all arrays of an address space."""
        return sum(size_of(each.element) * each.count for each in self.arrays if each.space is space)


def features_of(body: Iterable[tree.Statement]) -> Features:
    """Those of the statements and of all within them."""
    found = _Walk()
    found.add(body)
    return found.features()


def features_of_function(function: tree.Function) -> Features:
    """Those of the body, and the types of the parameters in front of its types. `function.get` keeps them."""
    found = _Walk()
    found.types.update((each.type, None) for each in function.parameters)
    found.add(function.body)
    return found.features()


def features_of_file(file: tree.File) -> Features:
    """Those of all functions, and the elements of the tables in front of their types."""
    each = [function.get(features_of_function) for function in file.functions]
    return Features(
        sum(one.statements for one in each),
        frozenset().union(*(one.kinds for one in each)),
        _once((*(table.element for table in file.tables), *(type_ for one in each for type_ in one.types))),
        _once(name for one in each for name in one.functions),
        _once(update for one in each for update in one.updates),
        tuple(array for one in each for array in one.arrays),
        _once(name for one in each for name in one.declared),
        _once(name for one in each for name in one.used),
        _once(name for one in each for name in one.called),
        any(one.streams for one in each),
    )


def _once(found: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(found))


class _Walk:
    """What was found so far; dictionaries keep the order."""

    def __init__(self) -> None:
        self.statements, self.streams = 0, False
        self.kinds: set[type] = set()
        self.types: dict[Type, None] = {}
        self.functions: dict[tree.MathFunction | Function, None] = {}
        self.updates: dict[Update, None] = {}
        self.arrays: list[tree.DeclareArray] = []
        self.declared: dict[str, None] = {}
        self.used: dict[str, None] = {}
        self.called: dict[str, None] = {}

    def features(self) -> Features:
        """The end of the walk."""
        return Features(
            self.statements, frozenset(self.kinds), tuple(self.types), tuple(self.functions), tuple(self.updates),
            tuple(self.arrays), tuple(self.declared), tuple(self.used), tuple(self.called), self.streams,
        )  # fmt: skip

    def add(self, body: Iterable[tree.Statement]) -> None:
        """Statements: what they say themselves, their expressions, then those inside."""
        for statement in body:
            self.statements += 1
            self.kinds.add(type(statement))
            match statement:
                case tree.Declare(type=type_, name=name) | tree.For(type=type_, variable=name):
                    self.types[type_] = self.declared[name] = None
                case tree.DeclareArray(element=element, name=name):
                    self.types[element] = self.declared[name] = None
                    self.arrays.append(statement)
                case tree.AtomicUpdate(update=update, memory=memory, compute=compute, space=space):
                    self.types[memory] = self.types[compute] = None
                    self.updates[Update(update, memory, compute, space)] = None
                case tree.Call(function=function):
                    self.called[function] = None
                case tree.Assign(is_streamed=is_streamed):
                    self.streams |= is_streamed
                case (
                    tree.MatrixMultiplyAdd() | tree.Barrier() | tree.Prefetch() | tree.Fence() | tree.If()
                    | tree.DoWhile() | tree.Block() | tree.Section()
                ):  # fmt: skip
                    pass
            for operand in operands(statement):
                self._expression(operand)
            if inner := _inner(statement):
                self.add(inner)

    def _expression(self, expression: tree.Expression) -> None:
        self.kinds.add(type(expression))
        match expression:
            case tree.Name(text=text):
                self.used[text] = None
                return
            case tree.Binary(left=left, right=right):  # most are: no tuple of them
                self._expression(left)
                self._expression(right)
                return
            case tree.Integer(type=type_) | tree.Floating(type=type_):
                self.types[type_] = None
                return
            case tree.Cast(type=type_) | tree.Pack(type=type_) | tree.Shuffle(type=type_):
                self.types[type_] = None
            case tree.Access(pointer=pointer):
                self.types[pointer] = None
            case tree.Math(function=function):
                if function not in OF_SCALARS:
                    self.functions[function] = None
            case (
                tree.Subscript() | tree.Unary() | tree.Conditional() | tree.Lanes() | tree.GroupId()
                | tree.GroupCount() | tree.ItemId()
            ):  # fmt: skip
                pass
        for part in parts(expression):
            self._expression(part)


def element_of(type_: Type) -> Scalar:
    """The scalar that values of the type, or what they point to, are made of."""
    match type_:
        case Scalar():
            return type_
        case Vector(element=element):
            return element
        case Pointer(target=target):
            return element_of(target)


OF_SCALARS = frozenset((tree.MathFunction.MINIMUM, tree.MathFunction.REMAINDER))
"""Functions of two numbers that are never vectors."""


def arity(function: tree.MathFunction | Function) -> int:
    """The number of operands."""
    if isinstance(function, Function):
        return function.arity
    return 2 if function in OF_SCALARS else 1


def statements(body: Iterable[tree.Statement]) -> Iterator[tree.Statement]:
    """The statements and all within them."""
    for statement in body:
        yield statement
        yield from statements(_inner(statement))


def _inner(statement: tree.Statement) -> tuple[tree.Statement, ...]:
    match statement:
        case tree.If(then=then, otherwise=otherwise):
            return *then, *otherwise
        case tree.For(body=body) | tree.DoWhile(body=body) | tree.Block(body=body) | tree.Section(body=body):
            return body
        case (
            tree.Declare() | tree.DeclareArray() | tree.Assign() | tree.Call() | tree.AtomicUpdate()
            | tree.MatrixMultiplyAdd() | tree.Barrier() | tree.Prefetch() | tree.Fence()
        ):  # fmt: skip
            return ()


def operands(statement: tree.Statement) -> tuple[tree.Expression, ...]:
    """The expressions of a statement itself."""
    match statement:
        case tree.Declare(value=value):
            return () if value is None else (value,)
        case tree.Assign(target=target, value=value):
            return target, value
        case tree.Call(arguments=arguments):
            return arguments
        case tree.AtomicUpdate(entry=entry, value=value, beta=beta):
            return (entry, value) if beta is None else (entry, value, beta)
        case tree.MatrixMultiplyAdd(sums=sums, left=left, right=right):
            return *sums, *left, right
        case tree.Prefetch(address=address, offset=offset):
            return address, offset
        case tree.If(condition=condition) | tree.DoWhile(condition=condition):
            return (condition,)
        case tree.For(start=start, stop=stop, step=step):
            return start, stop, step
        case tree.DeclareArray() | tree.Barrier() | tree.Fence() | tree.Block() | tree.Section():
            return ()


def expressions(expression: tree.Expression) -> Iterator[tree.Expression]:
    """The expression and all within it."""
    yield expression
    for part in parts(expression):
        yield from expressions(part)


def parts(expression: tree.Expression) -> tuple[tree.Expression, ...]:
    """Parts of an expression."""
    match expression:
        case tree.Name() | tree.Integer() | tree.Floating() | tree.GroupId() | tree.GroupCount() | tree.ItemId():
            return ()
        case tree.Unary(operand=operand) | tree.Cast(operand=operand) | tree.Lanes(operand=operand):
            return (operand,)
        case tree.Binary(left=left, right=right):
            return left, right
        case tree.Math(operands=inside):
            return inside
        case tree.Subscript(base=base, index=index):
            return base, index
        case tree.Access(address=address):
            return (address,)
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            return condition, then, otherwise
        case tree.Pack(parts=inside):
            return inside
        case tree.Shuffle(first=first, second=second):
            return first, second
