"""Long functions cut into several, so that compilers take time in proportion to their length.

    void f(…)                          void f_part_1(double *A_item, const double *B, double *tmp0) { 900 statements }
        for (element …)                void f_part_2(…) { 900 statements }
            3,000 statements    →      void f(…)
                                           for (element …)
                                               pointers and arrays that several parts use
                                               f_part_1(A_item, B, tmp0);
                                               f_part_2(…);

Parts run in the order of the statements, in the memory of their caller, so nothing changes but who does it. The time of
a compiler grows faster than a function: GCC takes 1 s for 33 products, 14 s for 300 in one function.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import expressions, features_of_function, operands, statements
from einsum_front.tl_backend.kernel.types import Pointer, Type

MOST = 4000
"""Statements of a function that is left as it is: a second or three of a compiler."""

PART = 1000
"""Statements of a part."""


def split_long(file: tree.File, names: Names, most: int = MOST, part: int = PART) -> tree.File:
    """The file in which functions of more than `most` statements call parts; `names` knows all that is defined."""
    weights = [function.get(features_of_function).statements for function in file.functions]
    if sum(weights) <= most:
        return file
    taken = {table.name for table in file.tables} | {function.name for function in file.functions}
    functions: list[tree.Function] = []
    for function, weight in zip(file.functions, weights, strict=True):
        if weight <= most:
            functions.append(function)
            continue
        cutter = _Cutter(function, taken, names, most, part)
        types = {parameter.name: parameter.type for parameter in function.parameters}
        body = cutter.cut(function.body, types)
        functions += [*cutter.parts, replace(function, body=body)]
    return replace(file, functions=tuple(functions))


def outlined(
    body: tree.Statements, types: Mapping[str, Type], name: str, tables: Iterable[tree.Table]
) -> tuple[tree.Function, tree.Call]:
    """A function of statements that are of no work-group, and its call where names have these types."""
    shared = {table.name for table in tables}
    given = tuple(each for each in _free(body)[0] if each not in shared)
    parameters = tuple(tree.Parameter(types[each], each) for each in given)
    return tree.Function(name, parameters, body, outlined=tree.Outlined.PART), tree.Call(
        name, tuple(map(tree.Name, given))
    )


def _weight(body: Iterable[tree.Statement]) -> int:
    return sum(1 for _ in statements(body))


@dataclass(slots=True)
class _Cutter:
    """A function that is cut, and the parts so far; `shared` are the names that no part is given."""

    function: tree.Function
    shared: set[str]
    names: Names
    most: int
    part: int
    parts: list[tree.Function]

    def __init__(self, function: tree.Function, shared: set[str], names: Names, most: int, part: int) -> None:
        self.function, self.shared, self.names, self.most, self.part = function, shared, names, most, part
        self.parts = []

    def cut(self, body: tree.Statements, types: Mapping[str, Type]) -> tree.Statements:
        """The statements with calls in the place of most of them; `types` are those of the names around them."""
        inner = dict(types)
        for statement in body:
            inner |= _declared(statement)
        opened = tuple(self._opened(statement, inner) for statement in body)
        if _weight(opened) <= self.most:
            return opened
        made: list[tree.Statement] = []
        for kept, chunk in _chunks(opened, self.part):
            made += [*kept, *self._call(chunk, inner)]
        return tuple(made)

    def _opened(self, statement: tree.Statement, types: Mapping[str, Type]) -> tree.Statement:
        """A statement with a long body, of which that is cut."""
        if _weight((statement,)) <= self.most:
            return statement
        match statement:
            case tree.For(type=type_, variable=variable, body=body):
                return replace(statement, body=self.cut(body, {**types, variable: type_}))
            case tree.DoWhile(body=body) | tree.Block(body=body):
                return replace(statement, body=self.cut(body, types))
            case tree.If(then=then, otherwise=otherwise):
                return replace(statement, then=self.cut(then, types), otherwise=self.cut(otherwise, types))
            case tree.Section(body=body):
                return replace(statement, body=self.cut(body, types))
            case (
                tree.Declare() | tree.DeclareArray() | tree.Assign() | tree.Call() | tree.AtomicUpdate()
                | tree.MatrixMultiplyAdd() | tree.Barrier() | tree.Prefetch() | tree.Fence()
            ):  # fmt: skip
                return statement

    def _call(self, chunk: tree.Statements, types: Mapping[str, Type]) -> tree.Statements:
        """A call of the part that does what the statements do; themselves where none can."""
        used, assigned, is_own = _free(chunk)
        given = tuple(name for name in used if name not in self.shared)
        if not chunk or not is_own or assigned or _weight(chunk) * 4 < self.part:
            return chunk
        parameters = tuple(tree.Parameter(_unrestricted(types[name]), name) for name in given)
        name = self.names.fresh(f"{self.function.name}_part")
        own = self.function.instructions
        made = tree.Function(name, parameters, chunk, instructions=own, outlined=tree.Outlined.PART)
        self.parts.append(made)
        self.shared.add(name)
        return (tree.Call(name, tuple(map(tree.Name, given))),)


def _unrestricted(type_: Type) -> Type:
    """Of a parameter of a part, which may get two pointers into one memory."""
    return replace(type_, is_restrict=False) if isinstance(type_, Pointer) else type_


def _declared(statement: tree.Statement) -> dict[str, Type]:
    """The names that a statement declares for those behind it; an array is a pointer to whoever gets it."""
    match statement:
        case tree.Declare(type=type_, name=name):
            return {name: type_}
        case tree.DeclareArray(element=element, name=name, space=space):
            return {name: Pointer(element, space)}
        case tree.Section(body=body):
            return {name: type_ for each in body for name, type_ in _declared(each).items()}
        case (
            tree.Assign() | tree.Call() | tree.AtomicUpdate() | tree.MatrixMultiplyAdd() | tree.Barrier()
            | tree.Prefetch() | tree.Fence() | tree.If() | tree.For() | tree.DoWhile() | tree.Block()
        ):  # fmt: skip
            return {}


def _chunks(body: tree.Statements, part: int) -> Iterable[tuple[tree.Statements, tree.Statements]]:
    """Runs of statements of about one part, and the declarations in front of each that later ones need as well.

    A run ends where nothing that it declares is needed later, but for what can stand in front of it. A variable that is
    needed for long stands alone, in its place, and so does what assigns to it.
    """
    flat = _flat(body)
    found = [_free((statement,)) for statement in flat]
    last = {name: number for number, (names, _, _) in enumerate(found) for name in names}
    own = {name for statement in flat for name in _declared(statement)}
    assigned = {name for _, names, _ in found for name in names}
    long = {
        name
        for number, statement in enumerate(flat)
        for name in _declared(statement)
        if not _is_movable(statement, assigned) and last.get(name, 0) - number > part
    }
    is_alone = [
        not long.isdisjoint(_declared(statement)) or not (own - long).issuperset(names)
        for statement, (_, names, _) in zip(flat, found, strict=True)
    ]
    start = 0
    while start < len(flat):
        stop, weight, reach = start, 0, start
        while stop < len(flat) and (weight < part or stop <= reach) and not is_alone[stop]:
            if not _is_movable(flat[stop], assigned):
                reach = max((reach, *(last.get(name, 0) for name in _declared(flat[stop]))))
            weight += _weight((flat[stop],))
            stop += 1
        if stop == start:
            yield (flat[start],), ()
            start += 1
            continue
        run = range(start, stop)
        wanted = {name for number in run for name in _declared(flat[number]) if last.get(name, 0) >= stop}
        kept: set[int] = set()
        for number in reversed(run):
            if wanted & _declared(flat[number]).keys():
                kept.add(number)
                wanted |= {*found[number][0]}
        if not all(_is_movable(flat[number], assigned) for number in kept):
            kept = {*run}
        yield tuple(flat[each] for each in run if each in kept), tuple(flat[each] for each in run if each not in kept)
        start = stop


def _flat(body: Sequence[tree.Statement]) -> tuple[tree.Statement, ...]:
    """The statements, with the sections of several taken apart that declare something for others."""
    found: list[tree.Statement] = []
    for statement in body:
        if isinstance(statement, tree.Section) and _declared(statement):
            found += [replace(statement, body=(each,)) for each in statement.body[:1]]
            found += statement.body[1:]
        else:
            found.append(statement)
    return tuple(found)


def _is_movable(statement: tree.Statement, assigned: set[str]) -> bool:
    """True for a declaration that is the same at any place: of an array, or of a value that no memory decides."""
    match statement:
        case tree.Section(body=body):
            return all(_is_movable(each, assigned) for each in body)
        case tree.DeclareArray():
            return True
        case tree.Declare(name=name, value=value):
            inside = [] if value is None else list(expressions(value))
            reads = any(isinstance(each, tree.Subscript | tree.Access) for each in inside)
            named = {each.text for each in inside if isinstance(each, tree.Name)} | {name}
            return value is not None and not reads and not named & assigned
        case (
            tree.Assign() | tree.Call() | tree.AtomicUpdate() | tree.MatrixMultiplyAdd() | tree.Barrier()
            | tree.Prefetch() | tree.Fence() | tree.If() | tree.For() | tree.DoWhile() | tree.Block()
        ):  # fmt: skip
            return False


def _free(body: tree.Statements) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The names of others that statements use, those that they assign to, and whether nothing is of the kernel itself.

    Names are in the order of their use. The number of a work-group or work-item is the kernel's own.
    """
    found = _Found({}, {}, True)
    found.add(body, set())
    return tuple(found.used), tuple(found.assigned), found.is_own


@dataclass(slots=True)
class _Found:
    used: dict[str, None]
    assigned: dict[str, None]
    is_own: bool

    def add(self, body: tree.Statements, known: set[str]) -> None:
        """The statements, where the names `known` are declared; what they declare is known afterwards."""
        for statement in body:
            for operand in operands(statement):
                for each in expressions(operand):
                    if isinstance(each, tree.Name) and each.text not in known:
                        self.used.setdefault(each.text)
                    self.is_own &= not isinstance(each, tree.GroupId | tree.GroupCount | tree.ItemId)
            match statement:
                case tree.Declare(name=name) | tree.DeclareArray(name=name):
                    known.add(name)
                case tree.Assign(target=tree.Name(text=name)) if name not in known:
                    self.assigned.setdefault(name)
                case tree.For(variable=variable, body=inner):
                    self.add(inner, known | {variable})
                case tree.DoWhile(body=inner) | tree.Block(body=inner):
                    self.add(inner, set(known))
                case tree.If(then=then, otherwise=otherwise):
                    self.add(then, set(known))
                    self.add(otherwise, set(known))
                case tree.Section(body=inner):
                    self.add(inner, known)
                case (
                    tree.Assign() | tree.Call() | tree.AtomicUpdate() | tree.MatrixMultiplyAdd() | tree.Barrier()
                    | tree.Prefetch() | tree.Fence()
                ):  # fmt: skip
                    pass
