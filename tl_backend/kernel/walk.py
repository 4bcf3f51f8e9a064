"""All nodes of a tree, in the order of the text."""

from collections.abc import Iterable, Iterator

from einsum_front.tl_backend.kernel.tree import (
    Access,
    Assign,
    AtomicUpdate,
    Barrier,
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Declare,
    DeclareArray,
    DoWhile,
    Expression,
    File,
    Floating,
    For,
    GroupCount,
    GroupId,
    If,
    Integer,
    ItemId,
    Lanes,
    Math,
    MathFunction,
    Name,
    Pack,
    Prefetch,
    Section,
    Shuffle,
    Statement,
    Subscript,
    Unary,
)
from einsum_front.tl_backend.kernel.types import Pointer, Scalar, Type, Vector


def statements(body: Iterable[Statement]) -> Iterator[Statement]:
    """The statements and all within them."""
    for statement in body:
        yield statement
        yield from statements(_inner(statement))


def _inner(statement: Statement) -> tuple[Statement, ...]:
    match statement:
        case If(then=then, otherwise=otherwise):
            return *then, *otherwise
        case For(body=body) | DoWhile(body=body) | Block(body=body) | Section(body=body):
            return body
        case Declare() | DeclareArray() | Assign() | Call() | AtomicUpdate() | Barrier() | Prefetch():
            return ()


def operands(statement: Statement) -> tuple[Expression, ...]:
    """The expressions of a statement itself."""
    match statement:
        case Declare(value=value):
            return () if value is None else (value,)
        case Assign(target=target, value=value):
            return target, value
        case Call(arguments=arguments):
            return arguments
        case AtomicUpdate(entry=entry, value=value, beta=beta):
            return (entry, value) if beta is None else (entry, value, beta)
        case Prefetch(address=address, offset=offset):
            return address, offset
        case If(condition=condition) | DoWhile(condition=condition):
            return (condition,)
        case For(start=start, stop=stop, step=step):
            return start, stop, step
        case DeclareArray() | Barrier() | Block() | Section():
            return ()


def expressions(expression: Expression) -> Iterator[Expression]:
    """The expression and all within it."""
    yield expression
    for part in parts(expression):
        yield from expressions(part)


def parts(expression: Expression) -> tuple[Expression, ...]:
    """Parts of an expression."""
    match expression:
        case Name() | Integer() | Floating() | GroupId() | GroupCount() | ItemId():
            return ()
        case Unary(operand=operand) | Cast(operand=operand) | Lanes(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return left, right
        case Math(operands=inside):
            return inside
        case Subscript(base=base, index=index):
            return base, index
        case Access(address=address):
            return (address,)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            return condition, then, otherwise
        case Pack(parts=inside):
            return inside
        case Shuffle(first=first, second=second):
            return first, second


def types(file: File) -> Iterator[Type]:
    """The types that are written in a file; a type may come many times."""
    for table in file.tables:
        yield table.element
    for function in file.functions:
        yield from (parameter.type for parameter in function.parameters)
        for statement in statements(function.body):
            yield from _of_statement(statement)
            for operand in operands(statement):
                for each in expressions(operand):
                    yield from _of_expression(each)


OF_TWO_NUMBERS = frozenset((MathFunction.MINIMUM, MathFunction.REMAINDER))
"""Functions of two numbers; the others are of one."""


def functions(file: File) -> tuple[MathFunction, ...]:
    """The functions of one number that a file has, each once."""
    found = (
        each.function
        for function in file.functions
        for statement in statements(function.body)
        for operand in operands(statement)
        for each in expressions(operand)
        if isinstance(each, Math) and each.function not in OF_TWO_NUMBERS
    )
    return tuple(dict.fromkeys(found))


def vectors(file: File) -> tuple[Vector, ...]:
    """The vectors of more than one entry that are written in a file, each once."""
    targets = (type_.target if isinstance(type_, Pointer) else type_ for type_ in types(file))
    return tuple(dict.fromkeys(each for each in targets if isinstance(each, Vector) and each.width > 1))


def updates(file: File) -> Iterator[AtomicUpdate]:
    """All atomic updates of a file."""
    for function in file.functions:
        yield from (each for each in statements(function.body) if isinstance(each, AtomicUpdate))


def _of_statement(statement: Statement) -> Iterator[Type]:
    match statement:
        case Declare(type=type_) | For(type=type_):
            yield type_
        case DeclareArray(element=element):
            yield element
        case AtomicUpdate(memory=memory, compute=compute):
            yield from (memory, compute)
        case _:
            pass


def _of_expression(expression: Expression) -> Iterator[Type]:
    match expression:
        case Integer(type=type_) | Floating(type=type_) | Cast(type=type_) | Pack(type=type_) | Shuffle(type=type_):
            yield type_
        case Access(pointer=pointer):
            yield pointer
        case _:
            pass


def element_of(type_: Type) -> Scalar:
    """The scalar that values of the type, or what they point to, are made of."""
    match type_:
        case Scalar():
            return type_
        case Vector(element=element):
            return element
        case Pointer(target=target):
            return element_of(target)
