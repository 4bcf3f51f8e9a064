"""Interpreter of kernels: work-groups one after the other, the work-items of each in lock-step, on NumPy arrays.

    memory = Memory()
    a, c = memory.place("A", array_a), memory.place("C", array_c)
    launch(file, "product", (a, c, 16), groups=4, memory=memory)
    memory.fetch(c, array_c)

Arguments are numbers, pointers are addresses of the memory. Besides the errors of `memory`, a value that was declared
without one and is read is E0712, a barrier that only some work-items come to is E0716, arithmetic without a result is
E0715, and arguments that do not fit the parameters are E0710.

A launch may have a number of statements that its work-groups run at most: some 40,000 take a second, whatever they do.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Label
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.evaluate import Array, Evaluator, Located, Value, Variable, array_of
from einsum_front.tl_backend.kernel.memory import Memory
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Type, size_of
from einsum_front.tl_backend.kernel.values import (
    dtype_of,
)


@dataclass(frozen=True, slots=True)
class _Program:
    """A kernel, the functions that it may call, and the tables."""

    functions: Mapping[str, tree.Function]
    kernel: tree.Function
    tables: Mapping[str, Variable]


class TooLongError(Exception):
    """A launch has more statements than it may have."""


@dataclass(slots=True)
class _Statements:
    """How many statements the work-groups of a launch may still run, None for any number."""

    left: int | None

    def take(self) -> None:
        """One is run."""
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise TooLongError


def launch(
    file: tree.File, entry: str, arguments: Sequence[float], groups: int, memory: Memory, most: int | None = None
) -> None:
    """Runs so many work-groups of a kernel of the file; raises `CompileError` (E071x) where it makes a mistake.

    Raises `TooLongError` if they run more than `most` statements together.
    """
    functions = {function.name: function for function in file.functions}
    kernel = functions.get(entry)
    if kernel is None or kernel.work_group_size is None or len(arguments) != len(kernel.parameters):
        raise CompileError([Diagnostic("E0710", f"`{entry}` is no kernel with {len(arguments)} parameters")])
    memory.start()
    mark = memory.mark()
    tables = {table.name: _placed(table, memory) for table in file.tables}
    program = _Program(functions, kernel, tables)
    statements = _Statements(most)
    for group in range(groups):
        _Group(program, group, groups, memory, statements).run(arguments)
    memory.release(mark)


def _placed(table: tree.Table, memory: Memory) -> Variable:
    address = memory.place(table.name, np.array(table.values, dtype_of(table.element)))
    pointer = Pointer(table.element, AddressSpace.GLOBAL, is_const=True)
    return Variable(pointer, Located(memory.address_of(np.array([address])), table.element))


class _Group(Evaluator):
    """A work-group that runs a kernel."""

    def __init__(self, program: _Program, group: int, groups: int, memory: Memory, statements: _Statements) -> None:
        rows, columns, _ = program.kernel.work_group_size or (1, 1, 1)
        super().__init__((rows, columns), group, groups, memory)
        self._functions, self._kernel, self._tables = program.functions, program.kernel, program.tables
        self._section: tree.Section | None = None
        self._left = statements

    def run(self, arguments: Sequence[float]) -> None:
        """The kernel from its start to its end."""
        mark = self.memory.mark()
        self.names = dict(self._tables)
        for parameter, argument in zip(self._kernel.parameters, arguments, strict=True):
            self.names[parameter.name] = Variable(parameter.type, self._argument(parameter.type, argument))
        try:
            with np.errstate(all="ignore"):
                self._statements(self._kernel.body)
        except CompileError as error:
            raise self._located(error) from None
        self.memory.wait((AddressSpace.LOCAL, AddressSpace.GLOBAL))
        self.memory.release(mark)

    def _argument(self, type_: Type, argument: float) -> Value:
        if isinstance(type_, Pointer):
            return Located(self.memory.address_of(np.array([argument], np.int64)), type_.target)
        return np.array([argument]).astype(dtype_of(type_))

    def _located(self, error: CompileError) -> CompileError:
        """The error with the place in the tree."""
        section = self._section
        if section is None:
            return error
        first = error.diagnostics[0]
        where = "".join(f" at `{line}`" for line in section.comment[:1])
        labels = tuple(Label(span) for span in section.origin[:1])
        return CompileError([Diagnostic(first.code, first.message + where, labels)])

    # -- statements ----------------------------------------------------------------------------------------------------

    def _statements(self, body: tree.Statements) -> None:
        for statement in body:
            self._left.take()
            self._statement(statement)

    def _scope(self, body: tree.Statements) -> None:
        """A scope: what it declares ends with it."""
        outer, mark = self.names, self.memory.mark()
        self.names = dict(outer)
        self._statements(body)
        self.names = outer
        self.memory.release(mark)

    def _statement(self, statement: tree.Statement) -> None:
        match statement:
            case tree.Assign():
                self._assign(statement)
            case tree.Declare(type=type_, name=name, value=value):
                first = None if value is None else self.converted(self.value(value), type_)
                defined = None if value is not None else np.zeros(self.items.size, bool)
                self.names[name] = Variable(type_, first, defined)
            case tree.DeclareArray():
                self._array(statement)
            case tree.Section(body=body):
                outer, self._section = self._section, statement
                self._statements(body)
                self._section = outer
            case tree.For():
                self._for(statement)
            case tree.If(condition=condition, then=then, otherwise=otherwise):
                self._if(self.value(condition), then, otherwise)
            case tree.Block(body=body):
                self._scope(body)
            case tree.DoWhile(body=body, condition=condition):
                self._do_while(body, condition)
            case tree.Call():
                self._call(statement)
            case tree.AtomicUpdate() | tree.MatrixMultiplyAdd() | tree.Barrier() | tree.Prefetch():
                self._effect(statement)
            case tree.Fence():
                pass

    def _effect(self, statement: tree.AtomicUpdate | tree.MatrixMultiplyAdd | tree.Barrier | tree.Prefetch) -> None:
        match statement:
            case tree.AtomicUpdate():
                self._atomic(statement)
            case tree.MatrixMultiplyAdd():
                self._multiply(statement)
            case tree.Barrier(spaces=spaces):
                if not self.is_whole:
                    raise CompileError([Diagnostic("E0716", "only some work-items of a group come to a barrier")])
                self.memory.wait(spaces)
            case tree.Prefetch(address=address, offset=offset):
                self.value(address)
                self.value(offset)

    def _array(self, array: tree.DeclareArray) -> None:
        size, is_local = size_of(array.element) * array.count, array.space is AddressSpace.LOCAL
        count = 1 if is_local else self.items.size
        first = self.memory.allocate(array.name, size, count, array.space, is_zero=array.is_zero)
        pointer = Located(self.memory.address(first, count), array.element)
        self.names[array.name] = Variable(Pointer(array.element, array.space), pointer)

    def _assign(self, assign: tree.Assign) -> None:
        value = self.value(assign.value)
        if assign.operator is not None:
            value = self.operation(assign.operator, self.value(assign.target), value)
        self._write(assign.target, value)

    def _write(self, place: tree.Place, value: Value) -> None:
        match place:
            case tree.Name(text=name):
                self._set(self.names[name], value)
            case tree.Subscript() | tree.Access():
                self.store(self.place(place), value)

    def _set(self, variable: Variable, value: Value) -> None:
        value = self.converted(value, variable.type)
        if self.is_whole:
            variable.value, variable.defined = value, None
            return
        old = variable.value
        if old is None:
            variable.value = value
        else:
            variable.value = self.chosen(self.mask, value, old)
        if variable.defined is not None:
            variable.defined = variable.defined | self.mask

    def _for(self, loop: tree.For) -> None:
        """Every work-item counts for itself; those that are ready wait for the others."""
        outer_names, outer_mask, type_, mark = self.names, self.mask, loop.type, self.memory.mark()
        counter = self.converted(self.value(loop.start), type_)
        while True:
            self.names = dict(outer_names)
            self.names[loop.variable] = Variable(type_, counter)
            goes_on = self.is_true(self.operation(tree.BinaryOperator.LESS, counter, self.value(loop.stop)))
            mask = outer_mask if np.count_nonzero(goes_on) == goes_on.size else outer_mask & goes_on
            if mask is not self.mask:
                self.mask = mask
                if not mask.any():
                    break
            self._statements(loop.body)
            self.memory.release(mark)
            counter = self.converted(self.operation(tree.BinaryOperator.ADD, counter, self.value(loop.step)), type_)
        self.names, self.mask = outer_names, outer_mask

    def _do_while(self, body: tree.Statements, condition: tree.Expression) -> None:
        outer = self.mask
        while self.mask.any():
            self._scope(body)
            self.mask = self.mask & self.is_true(self.value(condition))
        self.mask = outer

    def _if(self, condition: Value, then: tree.Statements, otherwise: tree.Statements) -> None:
        outer, holds = self.mask, self.is_true(condition)
        for branch, mask in ((then, outer & holds), (otherwise, outer & ~holds)):
            if mask.any():
                self.mask = mask
                self._scope(branch)
        self.mask = outer

    def _call(self, call: tree.Call) -> None:
        function = self._functions[call.function]
        values = [self.value(argument) for argument in call.arguments]
        outer, mark = self.names, self.memory.mark()
        self.names = dict(self._tables)
        for parameter, value in zip(function.parameters, values, strict=True):
            self.names[parameter.name] = Variable(parameter.type, self.converted(value, parameter.type))
        self._statements(function.body)
        self.names = outer
        self.memory.release(mark)

    def _multiply(self, multiply: tree.MatrixMultiplyAdd) -> None:
        """The matrices of all sub-groups at once: [sub-group, row / height, row % height, column]."""
        height, depth, width = (multiply.instruction.height, multiply.instruction.depth, multiply.instruction.width)
        if not self.is_whole:
            raise CompileError([Diagnostic("E0716", "only some work-items of a group multiply matrices")])
        left = np.stack([self._of_items(each).reshape(-1, height, depth) for each in multiply.left], axis=1)
        right = self._of_items(multiply.right).reshape(-1, 1, height, depth).swapaxes(2, 3)
        product = (left @ right).reshape(-1, len(multiply.left), height * depth, width)
        for number, place in enumerate(multiply.sums):
            added = product[:, number // width, :, number % width].reshape(-1)
            self._write(place, array_of(self.value(place)) + added)

    def _of_items(self, expression: tree.Expression) -> Array:
        """A number for each work-item."""
        return np.broadcast_to(array_of(self.value(expression)), self.items.shape)

    def _atomic(self, update: tree.AtomicUpdate) -> None:
        """One work-item after the other."""
        place = self.place(update.entry)
        compute, memory = dtype_of(update.compute), dtype_of(update.memory)
        value = self.active(array_of(self.converted(self.value(update.value), update.compute)))
        beta = (
            None
            if update.beta is None
            else self.active(array_of(self.converted(self.value(update.beta), update.compute)))
        )
        wanted = np.empty((value.size, 1), memory)
        places, elements = self.memory.update(self.active_addresses(place), wanted, self.active_items())
        for number, entry in enumerate(places):
            new = value[number]
            is_kept = update.update is not tree.Update.STORE and (beta is None or beta[number] != 0)
            if not self.memory.is_written(places[number : number + 1], memory) and is_kept:
                raise CompileError(
                    [
                        Diagnostic(
                            "E0712",
                            f"an atomic update of `{self.memory.name(place.address)}` reads what nothing has written",
                        )
                    ]
                )
            if is_kept:
                old = elements[entry].astype(compute)
                new = (old if beta is None else beta[number] * old) + new
            elements[entry] = new.astype(memory)
