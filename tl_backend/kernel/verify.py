"""Whether a kernel tree keeps the restrictions of `docs/kernel_tree.md`: each has a code.

A schedule that makes a tree keeps them; a mistake here is one of the schedule.
"""

from collections.abc import Iterator, Mapping
from math import prod

from einsum_front.core.diagnostics import CompilerBug, Diagnostic, Label
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.divergence import TOGETHER, has_divergent_barrier
from einsum_front.tl_backend.kernel.features import expressions, features_of_function, operands
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Type, Vector, size_of
from einsum_front.tl_backend.kernel.typing import (
    IllTypedError,
    Symbol,
    check_assignable,
    check_number,
    check_vector,
    symbol_of,
    text,
    type_of,
)

Names = dict[str, Symbol]

OF_LAUNCH = TOGETHER | {tree.GroupId, tree.GroupCount, tree.ItemId}
"""Nodes that only a kernel may have."""


def check(file: tree.File) -> None:
    """Raises `CompilerBug` with the first broken restriction, if there is one."""
    if found := verify(file):
        raise CompilerBug(f"{found[0].code}: {found[0].message}")


def verify(file: tree.File) -> tuple[Diagnostic, ...]:
    """Every broken restriction, in the order of the text; none if the tree means something."""
    found: list[Diagnostic] = []
    names: Names = {}
    for table in file.tables:
        found += _table(table, names)
    if not file.functions or file.functions[-1].work_group_size is None:
        found.append(Diagnostic("E0708", "the last function is no kernel"))
    functions: dict[str, tree.Function] = {}
    for function in file.functions:
        if function.name in functions or function.name in names:
            found.append(Diagnostic("E0701", f"`{function.name}` is defined twice"))
        found += _Verifier(function, functions, names).diagnostics()
        functions[function.name] = function
    return tuple(found)


def _table(table: tree.Table, names: Names) -> Iterator[Diagnostic]:
    if table.name in names:
        yield Diagnostic("E0701", f"`{table.name}` is defined twice")
    try:
        for value in table.values:
            check_number(value, table.element)
    except IllTypedError as error:
        yield Diagnostic(error.code, f"in the table `{table.name}`: {error.message}")
    pointer = Pointer(table.element, AddressSpace.GLOBAL, is_const=True)
    names[table.name] = Symbol(pointer, is_fixed=True)


class _Verifier:
    """A function whose statements are looked at one after the other."""

    def __init__(self, function: tree.Function, functions: Mapping[str, tree.Function], names: Names) -> None:
        self._function, self._functions, self._tables = function, functions, names
        self._kinds = function.get(features_of_function).kinds
        self._found: list[Diagnostic] = []
        self._section: tree.Section | None = None
        self._depth = 0

    def diagnostics(self) -> list[Diagnostic]:
        """Broken rules of the function."""
        names = dict(self._tables)
        for parameter in self._function.parameters:
            self._declare(parameter.name, Symbol(parameter.type), names)
        if has_divergent_barrier(self._function):
            self._report("E0709", "a barrier stands where only some work-items come")
        self._statements(self._function.body, names)
        return self._found

    # -- mistakes ------------------------------------------------------------------------------------------------------

    def _report(self, code: str, message: str) -> None:
        where = f"in `{self._function.name}`"
        spans: tuple[Label, ...] = ()
        if self._section is not None:
            where += "".join(f", at `{line}`" for line in self._section.comment[:1])
            spans = tuple(Label(span) for span in self._section.origin[:1])
        self._found.append(Diagnostic(code, f"{where}: {message}", spans))

    def _require(self, holds: bool, code: str, message: str) -> None:
        if not holds:
            raise IllTypedError(code, message)

    # -- statements ----------------------------------------------------------------------------------------------------

    def _statements(self, body: tree.Statements, names: Names) -> None:
        """Statements of one scope; what they declare goes to `names`."""
        for statement in body:
            if isinstance(statement, tree.Section):
                outer, self._section = self._section, statement
                self._statements(statement.body, names)
                self._section = outer
                continue
            try:
                self._statement(statement, names)
            except IllTypedError as error:
                self._report(error.code, error.message)

    def _scope(self, body: tree.Statements, names: Names) -> None:
        self._depth += 1
        self._statements(body, dict(names))
        self._depth -= 1

    def _declare(self, name: str, symbol: Symbol, names: Names) -> None:
        if name in names or name == self._function.name:
            self._report("E0701", f"`{name}` is declared again where it is in sight")
        names[name] = symbol

    def _statement(self, statement: tree.Statement, names: Names) -> None:
        self._check_place_in_launch(statement)
        match statement:
            case tree.Declare():
                self._variable(statement, names)
            case tree.DeclareArray():
                self._array(statement, names)
            case tree.Assign():
                self._assign(statement, names)
            case tree.Call():
                self._call(statement, names)
            case tree.AtomicUpdate():
                self._atomic(statement, names)
            case tree.MatrixMultiplyAdd():
                self._multiply(statement, names)
            case tree.Barrier(spaces=spaces):
                is_shared = bool(spaces) and AddressSpace.PRIVATE not in spaces
                self._require(is_shared, "E0707", "a barrier is for local or global memory")
            case tree.Prefetch(address=address, offset=offset):
                self._require(isinstance(type_of(address, names), Pointer), "E0702", "what is asked for has no address")
                check_assignable(Scalar.I64, type_of(offset, names))
            case tree.If(condition=condition, then=then, otherwise=otherwise):
                self._scope(then, names)
                self._scope(otherwise, names)
                self._condition(condition, names)
            case tree.For():
                self._for(statement, names)
            case tree.DoWhile(body=body, condition=condition):
                self._scope(body, names)
                self._condition(condition, names)
            case tree.Block(body=body):
                self._scope(body, names)
            case tree.Section() | tree.Fence():
                pass  # what is inside of a section was checked with those around it

    def _check_place_in_launch(self, statement: tree.Statement) -> None:
        """Only a kernel knows its work-group and its work-item, and only there all of them are."""
        if self._function.work_group_size is not None or OF_LAUNCH.isdisjoint(self._kinds):
            return
        nodes = (each for operand in operands(statement) for each in expressions(operand))
        asks = type(statement) in OF_LAUNCH or any(type(each) in OF_LAUNCH for each in nodes)
        self._require(not asks, "E0709", "only a kernel has a place in the launch")

    def _variable(self, declaration: tree.Declare, names: Names) -> None:
        check_vector(declaration.type)
        value = None if declaration.value is None else type_of(declaration.value, names)
        self._declare(declaration.name, Symbol(declaration.type), names)
        if value is not None:
            check_assignable(declaration.type, value)

    def _array(self, array: tree.DeclareArray, names: Names) -> None:
        check_vector(array.element)
        self._declare(array.name, Symbol(Pointer(array.element, array.space), is_fixed=True), names)
        self._require(array.count >= 1, "E0707", f"`{array.name}` has no elements")
        self._require(array.space is not AddressSpace.GLOBAL, "E0707", f"`{array.name}` would be in global memory")
        is_at_top = self._depth == 0 and self._function.work_group_size is not None
        if array.space is AddressSpace.LOCAL:
            self._require(is_at_top, "E0707", f"the local array `{array.name}` is not at the top of a kernel")
            self._require(not array.is_zero, "E0707", f"the local array `{array.name}` cannot be zero from the start")
        alignment = array.alignment
        is_power = alignment is None or (alignment >= 1 and alignment & (alignment - 1) == 0)
        self._require(is_power, "E0707", f"{alignment} bytes are no alignment")

    def _assign(self, assign: tree.Assign, names: Names) -> None:
        target = self._written(assign.target, names)
        value = type_of(assign.value, names)
        if assign.operator is not None:
            value = type_of(tree.Binary(assign.operator, assign.target, assign.value), names)
        check_assignable(target, value)
        if assign.is_streamed:
            is_whole = isinstance(assign.target, tree.Access) and isinstance(target, Vector) and assign.operator is None
            is_global = _space(assign.target, names) is AddressSpace.GLOBAL
            self._require(is_whole and is_global, "E0707", "what goes past the caches is no vector of global memory")

    def _written(self, place: tree.Place, names: Names) -> Type:
        """The type of a place that may be written."""
        match place:
            case tree.Name(text=name):
                self._require(not symbol_of(name, names).is_fixed, "E0704", f"`{name}` is written, but it is constant")
            case tree.Subscript(base=base):
                pointer = type_of(base, names)
                is_const = isinstance(pointer, Pointer) and pointer.is_const
                self._require(not is_const, "E0704", "an entry is written through a pointer to constants")
            case tree.Access(pointer=pointer):
                self._require(not pointer.is_const, "E0704", "a vector is written through a pointer to constants")
        return type_of(place, names)

    def _call(self, call: tree.Call, names: Names) -> None:
        callee = self._functions.get(call.function)
        if callee is None:
            raise IllTypedError("E0708", f"no function `{call.function}` is defined above")
        self._require(callee.work_group_size is None, "E0708", f"`{call.function}` is a kernel and cannot be called")
        wanted, given = len(callee.parameters), len(call.arguments)
        self._require(wanted == given, "E0708", f"`{call.function}` has {wanted} parameters and gets {given} arguments")
        for parameter, argument in zip(callee.parameters, call.arguments, strict=True):
            check_assignable(parameter.type, type_of(argument, names))

    def _atomic(self, update: tree.AtomicUpdate, names: Names) -> None:
        entry = self._written(update.entry, names)
        self._require(entry is update.memory, "E0703", f"the entry is {text(entry)}, not {text(update.memory)}")
        self._require(size_of(update.memory) in (4, 8), "E0702", f"{text(update.memory)} has no atomic updates")
        space = _space(update.entry, names)
        self._require(space is update.space, "E0707", f"the entry is not in {update.space.value} memory")
        self._require(space is not AddressSpace.PRIVATE, "E0707", "private memory needs no atomic updates")
        for value in (update.value, *(() if update.beta is None else (update.beta,))):
            check_assignable(update.compute, type_of(value, names))
        has_beta = update.update is tree.Update.SCALE_ADD
        self._require(
            (update.beta is not None) is has_beta, "E0702", "only `scale_add` has a `beta`, and has to have it"
        )

    def _multiply(self, multiply: tree.MatrixMultiplyAdd, names: Names) -> None:
        by, sums, left = multiply.instruction, len(multiply.sums), len(multiply.left)
        self._require(by.is_shared_evenly, "E0702", f"{by.subgroup} work-items do not share matrices of {by} evenly")
        has_all = left == by.entries and sums == by.width * left
        self._require(has_all, "E0702", f"{left} entries of rows do not make {sums} sums of {by}")
        types = [*(self._written(each, names) for each in multiply.sums)]
        types += [type_of(each, names) for each in (*multiply.left, multiply.right)]
        element = Scalar(by.element.value)
        wrong = next((each for each in types if each is not element), element)
        self._require(wrong is element, "E0702", f"matrices are of {element.value}, not of {text(wrong)}")
        items = prod(self._function.work_group_size or ())
        is_whole = items % by.subgroup == 0
        self._require(is_whole, "E0709", f"{items} work-items are not made of sub-groups of {by.subgroup}")

    def _for(self, loop: tree.For, names: Names) -> None:
        self._require(
            not loop.type.is_floating and loop.type is not Scalar.BOOL, "E0702", "a loop counts with integers"
        )
        for bound in (loop.start, loop.stop, loop.step):
            check_assignable(Scalar.I64, type_of(bound, names))
        inner = dict(names)
        self._declare(loop.variable, Symbol(loop.type, is_fixed=True), inner)
        self._scope(loop.body, inner)

    def _condition(self, condition: tree.Expression, names: Names) -> None:
        type_ = type_of(condition, names)
        self._require(type_ is Scalar.BOOL, "E0702", f"a condition is a `bool`, not {text(type_)}")


def _space(place: tree.Place, names: Names) -> AddressSpace:
    match place:
        case tree.Name():
            return AddressSpace.PRIVATE
        case tree.Access(pointer=pointer):
            return pointer.space
        case tree.Subscript(base=base):
            type_ = type_of(base, names)
            return type_.space if isinstance(type_, Pointer) else AddressSpace.PRIVATE
