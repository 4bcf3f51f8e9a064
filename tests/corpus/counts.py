"""What a kernel tree does, by numbers, and what stands for it when names do not matter.

Counts are of one work-item: a loop of known bounds counts each iteration, any other one counts once, and of an `if` the
longer branch counts. So they compare two trees of one function, not two functions.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from hashlib import sha256

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import element_of, expressions, operands
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, size_of
from einsum_front.tl_backend.kernel.typing import Symbol, type_of

Symbols = dict[str, Symbol]


@dataclass(frozen=True, slots=True)
class Counts:
    """Multiplications of floating numbers, reads and writes of memory: each one instruction, whatever its width.

    Private arrays are registers here, unless they are `bytes`: of all arrays that are declared.
    """

    multiplications: int = 0
    loads: int = 0
    stores: int = 0
    barriers: int = 0
    bytes: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(a + b for a, b in zip(self.numbers, other.numbers, strict=True)))

    def __mul__(self, times: int) -> "Counts":
        """The same so many times; arrays are there once."""
        once = self.bytes
        return replace(Counts(*(times * number for number in self.numbers)), bytes=once)

    @property
    def numbers(self) -> tuple[int, ...]:
        """In the order of the fields."""
        return self.multiplications, self.loads, self.stores, self.barriers, self.bytes

    def changes(self, later: "Counts") -> tuple[str, ...]:
        """What is another number later: "loads 12 -> 9"."""
        names = [each.name for each in fields(self)]
        pairs = zip(names, self.numbers, later.numbers, strict=True)
        return tuple(f"{name} {old} -> {new}" for name, old, new in pairs if old != new)


def counts(file: tree.File) -> Counts:
    """Of all functions that nothing in the file calls, with what they call."""
    symbols = {each.name: Symbol(Pointer(each.element, AddressSpace.CONSTANT)) for each in file.tables}
    found: dict[str, Counts] = {}
    called: set[str] = set()
    for function in file.functions:
        names = symbols | {each.name: Symbol(each.type) for each in function.parameters}
        found[function.name] = _Count(found, called).of(function.body, names)
    return sum((each for name, each in found.items() if name not in called), Counts())


@dataclass(slots=True)
class _Count:
    """Counts statements; `functions` are those defined so far, `called` the ones that were met in calls."""

    functions: dict[str, Counts]
    called: set[str]

    def of(self, body: Iterable[tree.Statement], names: Symbols) -> Counts:
        inside, total = dict(names), Counts()
        for statement in body:
            total += self._statement(statement, inside)
        return total

    def _statement(self, statement: tree.Statement, names: Symbols) -> Counts:
        total = self._target(statement, names)
        for operand in operands(statement):
            total += self._expression(operand, names)
        match statement:
            case tree.Declare(type=type_, name=name):
                names[name] = Symbol(type_)
            case tree.DeclareArray(element=element, name=name, count=count, space=space):
                names[name] = Symbol(Pointer(element, space))
                total += Counts(bytes=count * size_of(element))
            case tree.Call(function=function):
                self.called.add(function)
                total += self.functions.get(function, Counts())
            case tree.AtomicUpdate():
                total += Counts(stores=1)
            case tree.MatrixMultiplyAdd():
                total += Counts(multiplications=1)
            case tree.Barrier():
                total += Counts(barriers=1)
            case tree.Assign() | tree.Prefetch() | tree.Fence():
                pass
            case tree.If() | tree.For() | tree.DoWhile() | tree.Block() | tree.Section():
                total += self._inside(statement, names)
        return total

    def _inside(
        self, statement: tree.If | tree.For | tree.DoWhile | tree.Block | tree.Section, names: Symbols
    ) -> Counts:
        match statement:
            case tree.If(then=then, otherwise=otherwise):
                return max(self.of(then, names), self.of(otherwise, names), key=lambda each: each.numbers)
            case tree.For(variable=variable, type=type_, body=body):
                return self.of(body, names | {variable: Symbol(type_)}) * _iterations(statement)
            case tree.DoWhile(body=body) | tree.Block(body=body):
                return self.of(body, names)
            case tree.Section(body=body):  # no scope
                return sum((self._statement(each, names) for each in body), Counts())

    @staticmethod
    def _target(statement: tree.Statement, names: Symbols) -> Counts:
        """The store of an assignment to memory; operands are counted as loads, so the one of its place is taken off."""
        match statement:
            case tree.Assign(target=tree.Subscript() | tree.Access() as place, operator=operator):
                return Counts(stores=1, loads=-(operator is None)) if _is_memory(place, names) else Counts()
            case _:  # open: nothing else writes memory by a place, but atomic updates
                return Counts()

    @staticmethod
    def _expression(expression: tree.Expression, names: Symbols) -> Counts:
        total = Counts()
        for each in expressions(expression):
            if isinstance(each, tree.Subscript | tree.Access) and _is_memory(each, names):
                total += Counts(loads=1)
            elif isinstance(each, tree.Binary) and each.operator is tree.BinaryOperator.MULTIPLY:
                total += Counts(multiplications=element_of(type_of(each.left, names)).is_floating)
        return total


def _is_memory(place: tree.Subscript | tree.Access, names: Symbols) -> bool:
    if isinstance(place, tree.Access):
        return place.pointer.space is not AddressSpace.PRIVATE
    base = type_of(place.base, names)
    return isinstance(base, Pointer) and base.space is not AddressSpace.PRIVATE


def _iterations(loop: tree.For) -> int:
    match loop:
        case tree.For(start=tree.Integer(start), stop=tree.Integer(stop), step=tree.Integer(step)) if step > 0:
            return max(0, -(-(stop - start) // step))
        case _:  # open: bounds that only the launch knows
            return 1


def tree_digest(file: tree.File) -> str:
    """Equal for trees that differ in names, comments and origins only."""
    return sha256(repr(_Normal().file(file)).encode()).hexdigest()[:16]


class _Normal:
    """Names are numbers in the order of their declarations; sections are the statements in them."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._next = 0

    def file(self, file: tree.File) -> object:
        tables = [self._node(each) for each in file.tables]
        return tables, [self._function(each) for each in file.functions]

    def _function(self, function: tree.Function) -> object:
        number, outside = self._define(function.name), dict(self._names)
        parameters = [(each.type, self._define(each.name)) for each in function.parameters]
        body = self._scope(function.body)
        self._names = outside
        outlined = (function.outlined is each for each in (tree.Outlined.ROUTINE, tree.Outlined.PART))
        attributes = function.work_group_size, function.instructions, *outlined
        return number, parameters, attributes, body

    def _scope(self, body: Iterable[tree.Statement]) -> list[object]:
        outside = dict(self._names)
        found = [self._node(each) for each in _without_sections(body)]
        self._names = outside
        return found

    def _define(self, name: str) -> int:
        self._names[name] = self._next
        self._next += 1
        return self._names[name]

    def _node(self, node: object) -> object:
        match node:
            case tree.Name(text=text):
                return self._names.get(text, text)
            case tree.For(variable=variable, body=body):
                head = [self._node(each) for each in (node.start, node.stop, node.step)]
                outside = dict(self._names)
                number = self._define(variable)
                found = type(node).__name__, node.type, number, head, node.unroll, node.is_scalar, self._scope(body)
                self._names = outside
                return found
            case tree.Declare(name=name) | tree.DeclareArray(name=name) | tree.Table(name=name):
                others = [self._node(getattr(node, each.name)) for each in fields(node) if each.name != "name"]
                return type(node).__name__, others, self._define(name)
            case tree.Call(function=function, arguments=arguments):
                return "Call", self._names.get(function, function), [self._node(each) for each in arguments]
            case tuple() if node and isinstance(node[0], tree.Statement):
                return self._scope(node)
            case tuple():
                return [self._node(each) for each in node]
            case Enum():
                return node.name
            case _ if is_dataclass(node):  # open: every other node is what its fields are
                parts = [self._node(getattr(node, each.name)) for each in fields(node) if each.compare]
                return type(node).__name__, parts
            case _:  # open: numbers, texts, nothing
                return node


def _without_sections(body: Iterable[tree.Statement]) -> Iterable[tree.Statement]:
    for statement in body:
        if isinstance(statement, tree.Section):
            yield from _without_sections(statement.body)
        else:
            yield statement
