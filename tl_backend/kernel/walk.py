"""All nodes of a tree, in the order of the text."""

from collections.abc import Iterable, Iterator

from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Pointer, Scalar, Type, Vector


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
            | tree.MatrixMultiplyAdd() | tree.Barrier() | tree.Prefetch()
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
        case tree.DeclareArray() | tree.Barrier() | tree.Block() | tree.Section():
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


def types(file: tree.File) -> Iterator[Type]:
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


OF_SCALARS = frozenset((tree.MathFunction.MINIMUM, tree.MathFunction.REMAINDER))
"""Functions of two numbers that are never vectors."""


def arity(function: tree.MathFunction | Function) -> int:
    """The number of operands."""
    if isinstance(function, Function):
        return function.arity
    return 2 if function in OF_SCALARS else 1


def functions(file: tree.File) -> tuple[tree.MathFunction | Function, ...]:
    """The functions of numbers or vectors that a file has, each once."""
    found = (
        each.function
        for function in file.functions
        for statement in statements(function.body)
        for operand in operands(statement)
        for each in expressions(operand)
        if isinstance(each, tree.Math) and each.function not in OF_SCALARS
    )
    return tuple(dict.fromkeys(found))


def vectors(file: tree.File) -> tuple[Vector, ...]:
    """The vectors of more than one entry that are written in a file, each once."""
    targets = (type_.target if isinstance(type_, Pointer) else type_ for type_ in types(file))
    return tuple(dict.fromkeys(each for each in targets if isinstance(each, Vector) and each.width > 1))


def updates(file: tree.File) -> Iterator[tree.AtomicUpdate]:
    """All atomic updates of a file."""
    for function in file.functions:
        yield from (each for each in statements(function.body) if isinstance(each, tree.AtomicUpdate))


def _of_statement(statement: tree.Statement) -> Iterator[Type]:
    match statement:
        case tree.Declare(type=type_) | tree.For(type=type_):
            yield type_
        case tree.DeclareArray(element=element):
            yield element
        case tree.AtomicUpdate(memory=memory, compute=compute):
            yield from (memory, compute)
        case (
            tree.Assign() | tree.Call() | tree.MatrixMultiplyAdd() | tree.Barrier() | tree.Prefetch() | tree.If()
            | tree.DoWhile() | tree.Block() | tree.Section()
        ):  # fmt: skip
            pass


def _of_expression(expression: tree.Expression) -> Iterator[Type]:
    match expression:
        case (
            tree.Integer(type=type_)
            | tree.Floating(type=type_)
            | tree.Cast(type=type_)
            | tree.Pack(type=type_)
            | tree.Shuffle(type=type_)
        ):
            yield type_
        case tree.Access(pointer=pointer):
            yield pointer
        case (
            tree.Name() | tree.Subscript() | tree.Unary() | tree.Binary() | tree.Math() | tree.Conditional()
            | tree.Lanes() | tree.GroupId() | tree.GroupCount() | tree.ItemId()
        ):  # fmt: skip
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
