"""Structured operations on memrefs become primitives: `expand` the other way.

    scf.for %k { matmul(%a[k], %b[k]) += %c }; generic { relu(%c + %d) }      ->      fused_brgemm [relu, add]

Payloads are taken apart: each operation that is a primitive, or several that are one, is a step on whole matrices. What
has no primitive stays linalg.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.named import rank_of
from einsum_front.mlir.strides import layout_of, subview, transposed
from einsum_front.mlir.tpp.extrema import are_legal, definitions, fused, with_first_entries
from einsum_front.mlir.tpp.operations import BINARY, UNARY
from einsum_front.mlir.tpp.payload import PayloadWriter
from einsum_front.mlir.tpp.views import with_unit_mode
from einsum_front.mlir.unparse import names_of

# -- payloads as trees, which the templates of elementwise primitives are compared with --------------------------------
# x < 0 ? 0 : x      ("arith.select", ("arith.cmpfolt", x, 0), 0, x), the template of `relu`


class NoPrimitiveError(Exception):
    """An operation is no primitive, and not made of some."""


Tree = tuple[object, ...]
"""`("argument", n)`, `("number", x)`, or the name of an operation and the trees of its operands."""


def tree_of(payload: mlir.Payload, name: str) -> Tree:
    """What is computed for a value of the payload."""
    arguments = [each.name for each in payload.arguments]
    if name in arguments:
        return "argument", arguments.index(name)
    operation = next((each for each in payload.operations if each.result.name == name), None)
    match operation:
        case mlir.Literal(value=int() | float() as value):
            return "number", float(value)
        case mlir.Scalar(operands=operands):
            return operation.name + operation.predicate, *(tree_of(payload, each.name) for each in operands)
        case _:
            raise NoPrimitiveError


def _templates() -> Iterator[tuple[str, Tree]]:
    """The trees of primitives, those of more operations first."""
    found = []
    for name in (*UNARY, *BINARY):
        entries = [mlir.Value(f"v{n}", mlir.ScalarType.F64) for n in range(3 if name in BINARY else 2)]
        writer = PayloadWriter(entries)
        payload = writer.payload(writer.apply(name, None))
        found.append((name, tree_of(payload, payload.yields[0].name)))
    return iter(sorted(found, key=lambda each: -len(str(each[1]))))


TEMPLATES = tuple(_templates())


def bound(template: Tree, tree: Tree, found: dict[int, Tree]) -> bool:
    """True if the tree is the template with `found` as its arguments."""
    match template:
        case ("argument", int(number)):
            return found.setdefault(number, tree) == tree
        case ("number", _):
            return template == tree
        case name, *parts:
            inner = zip(parts, tree[1:], strict=False)
            return (
                tree[0] == name
                and len(tree) == len(template)
                and all(isinstance(a, tuple) and isinstance(b, tuple) and bound(a, b, found) for a, b in inner)
            )
        case _:  # open: the empty tuple
            return False


def recognised(module: mlir.Module) -> mlir.Module:
    """The module with primitives where an operation is one, or is made of some."""
    return replace(module, functions=tuple(map(_function, module.functions)))


def _function(function: mlir.Function) -> mlir.Function:
    if function.body is None:
        return function
    names = Names(names_of(function))
    body = _Recogniser(names).operations(with_first_entries(function.body, names))
    used = {value.name for each in _walk(body) for value in mlir.operands_of(each)}
    return replace(
        function, body=tuple(each for each in body if not isinstance(each, mlir.Literal) or each.result.name in used)
    )


def _walk(operations: Iterable[mlir.Operation]) -> Iterator[mlir.Operation]:
    for operation in operations:
        yield operation
        if isinstance(operation, mlir.For):
            yield from _walk(operation.body)


# -- operations --------------------------------------------------------------------------------------------------------


@dataclass
class _Recogniser:
    """Writes the operations of one function, with primitives."""

    names: Names
    numbers: dict[str, float] = field(default_factory=dict)
    defined: dict[str, mlir.Operation] = field(default_factory=dict)

    def operations(self, operations: Iterable[mlir.Operation]) -> list[mlir.Operation]:
        """The same with primitives; products and what is done to them become one."""
        found: list[mlir.Operation] = []
        before = dict(self.defined)
        for operation in operations:
            lines: list[mlir.Operation] = [operation]
            match operation:
                case mlir.Literal(result=result, value=int() | float() as value):
                    self.numbers[result.name] = float(value)
                case mlir.Structured(results=()):
                    lines = self._structured(operation)
                case mlir.For():
                    lines = self._loop(operation)
                case (
                    mlir.Literal() | mlir.Scalar() | mlir.Structured() | mlir.Allocate() | mlir.Free() | mlir.Slice()
                    | mlir.InsertSlice() | mlir.Reshape() | mlir.Permute() | mlir.Cast() | mlir.Extent() | mlir.Copy()
                    | mlir.Primitive() | mlir.Group() | mlir.Pack() | mlir.Call() | mlir.Return()
                ):  # fmt: skip
                    pass
            self.defined |= definitions(lines)
            found += lines
        return fused(found, self.names, before)

    def _structured(self, operation: mlir.Structured) -> list[mlir.Operation]:
        steps = _Steps(self.names, operation, self.numbers)
        try:
            steps.write()
        except NoPrimitiveError:
            return [operation]
        return steps.lines if are_legal(steps.lines, self.defined) else [operation]

    # -- loops over products -------------------------------------------------------------------------------------------

    def _loop(self, loop: mlir.For) -> list[mlir.Operation]:
        inner = self.operations(loop.body)
        batch = self._batch(loop, inner)
        is_loop = batch is None or not are_legal(batch, self.defined)
        return [replace(loop, body=tuple(inner))] if batch is None or is_loop else batch

    def _batch(self, loop: mlir.For, body: Sequence[mlir.Operation]) -> list[mlir.Operation] | None:
        """The loop as one product that sums over the variable; None if it is none."""
        views = {each.result.name: each for each in body if isinstance(each, mlir.Slice)}
        products = [each for each in body if isinstance(each, mlir.Primitive)]
        start, stop, step = (self.numbers.get(each.name) for each in (loop.start, loop.stop, loop.step))
        if len(products) != 1 or len(views) + 1 != len(body) or start is None or stop is None:
            return None
        if step != 1 or start >= stop:
            return None
        (product,) = products
        left, right, target = (*product.inputs, *(product.inputs[:1]))[:3]
        if product.name != "matmul" or len(product.inputs) != 3 or target.name in views:
            return None
        stacks = [self._stack(views.get(each.name), loop.variable, int(start), int(stop)) for each in (left, right)]
        if None in stacks:
            return None
        lines = [line for stack in stacks if stack is not None for line in stack]
        a, b = (
            stack[-1].result
            for stack in stacks
            if stack is not None and isinstance(stack[-1], mlir.Slice | mlir.Permute)
        )
        made = mlir.Primitive(
            "brgemm", (a, b, target), product.outputs, location=product.location, origin=product.origin
        )
        return [*lines, made]

    def _stack(
        self, view: mlir.Slice | None, variable: mlir.Value, start: int, stop: int
    ) -> list[mlir.Operation] | None:
        """The matrices that a view takes one after the other, as a tensor with a leading mode."""
        if view is None or not isinstance(view.source.type, mlir.MemrefType) or rank_of(view.source) != 3:
            return None
        held = [n for n, offset in enumerate(view.offsets) if isinstance(offset, mlir.Value)]
        if len(held) != 1 or view.offsets[held[0]] != variable or rank_of(view.result) != 2:
            return None
        if view.strides != (1, 1, 1) or view.sizes[held[0]] != 1:
            return None
        (mode,) = held
        offsets = tuple(start if n == mode else each for n, each in enumerate(view.offsets))
        sizes = tuple(stop - start if n == mode else each for n, each in enumerate(view.sizes))
        layout = layout_of(view.source.type)
        order = (mode, *(n for n in range(3) if n != mode))
        if layout.strides[order[-1]] != 1 or any(not isinstance(each, int) for each in (*offsets, *sizes)):
            return None
        part = subview(self.names.numbered(""), view.source, offsets, sizes, origin=view.origin)
        return [part] if mode == 0 else [part, transposed(self.names.numbered(""), part.result, order, view.origin)]


class _Steps:
    """Writes one structured operation as primitives."""

    def __init__(self, names: Names, operation: mlir.Structured, numbers: Mapping[str, float]) -> None:
        self.lines: list[mlir.Operation] = []
        self._names = names
        self._operation = operation
        self._numbers = numbers
        self._target = operation.outputs[0]
        self._room: list[mlir.Value] = []

    def write(self) -> None:
        """All steps. Raises `NoPrimitiveError`."""
        operation = self._operation
        if (
            len(operation.outputs) != 1
            or not isinstance(self._target.type, mlir.MemrefType)
            or None in self._target.shape
        ):
            raise NoPrimitiveError
        if operation.name == "fill":
            self._fill(operation.inputs[0])
        elif all(each is mlir.IteratorType.PARALLEL for each in operation.iterators):
            self._elementwise()
        elif rank_of(self._target) <= 2:
            self._reduced()
        self.lines += [mlir.Free(each) for each in self._room]
        if not self.lines:
            raise NoPrimitiveError

    def _add(self, name: str, inputs: tuple[mlir.Value, ...], target: mlir.Value) -> mlir.Value:
        location = self._operation.location
        self.lines.append(mlir.Primitive(name, inputs, (target,), location=location, origin=self._operation.origin))
        return target

    def _fill(self, number: mlir.Value) -> None:
        if self._numbers.get(number.name) == 0:
            self._add("zero", (), self._target)
        elif rank_of(self._target) in (1, 2):
            self._add("broadcast", (number,), self._target)

    def _temporary(self, shape: tuple[int | None, ...]) -> mlir.Value:
        if None in shape:  # memory of another size in each launch is no room for one element
            raise NoPrimitiveError
        type_ = mlir.MemrefType(shape, self._target.element)
        value = mlir.Value(self._names.like("room"), type_)
        self.lines.append(mlir.Allocate(value))
        self._room.append(value)
        return value

    # -- elementwise ---------------------------------------------------------------------------------------------------

    def _elementwise(self) -> None:
        operation, rank = self._operation, rank_of(self._target)
        if rank not in (1, 2) or operation.maps[-1].positions != tuple(range(rank)):
            raise NoPrimitiveError
        tree = tree_of(operation.payload, operation.payload.yields[0].name)
        self._step(tree, self._target)

    def _step(self, tree: Tree, target: mlir.Value | None) -> mlir.Value:
        """The matrix that a tree is; it is written to the target, if there is one."""
        match tree:
            case "argument", int(number):
                return self._entries(number, target)
            case "number", float(value):
                number_ = mlir.Value(self._names.numbered("c"), self._target.element)
                self.lines.append(mlir.Literal(number_, value))
                return self._add("broadcast", (number_,), target or self._temporary(self._target.shape))
            case _:  # open: an operation and its operands; no template is an error there
                return self._primitive(tree, target)

    def _primitive(self, tree: Tree, target: mlir.Value | None) -> mlir.Value:
        for name, template in TEMPLATES:
            found: dict[int, Tree] = {}
            if bound(template, tree, found):
                room = target or self._temporary(self._target.shape)
                parts = [found[number] for number in range(len(found))]
                inner = self._computed_in_place(parts, room)
                inputs = tuple(self._step(part, room if n == inner else None) for n, part in enumerate(parts))
                return self._add(name, inputs if name not in BINARY or len(inputs) == 2 else inputs * 2, room)
        raise NoPrimitiveError

    def _computed_in_place(self, parts: Sequence[Tree], room: mlir.Value) -> int | None:
        """The operand that may be computed where the result is going to be: nothing else there is still read."""
        for number, part in enumerate(parts):
            others = (each for n, each in enumerate(parts) if n != number)
            if part[0] not in ("argument", "number") and not any(self._reads(each, room) for each in others):
                return number
        return None

    def _reads(self, tree: Tree, memory: mlir.Value) -> bool:
        match tree:
            case ("argument", int(number)):
                return self._operation.operands[number].name == memory.name
            case (_, *parts):
                return any(isinstance(each, tuple) and self._reads(each, memory) for each in parts)
            case _:  # open: the empty tuple
                return False

    def _entries(self, number: int, target: mlir.Value | None) -> mlir.Value:
        """The matrix of an operand: itself, or what it is repeated or transposed to."""
        operation = self._operation
        if number == len(operation.inputs):
            return self._target
        value, positions = operation.inputs[number], operation.maps[number].positions
        rank = rank_of(self._target)
        if positions == tuple(range(rank)):
            return value if target is None else self._add("copy", (value,), target)
        if positions == (1, 0):
            return self._add("transpose", (value,), target or self._temporary(self._target.shape))
        if positions in ((), (rank - 1,)):
            return self._add("broadcast", (value,), target or self._temporary(self._target.shape))
        if positions == (0,) and rank == 2:
            column, room = self._expanded(value, (0,), 2), target or self._temporary(self._target.shape)
            return self._add("copy" if column.shape == room.shape else "broadcast", (column,), room)
        raise NoPrimitiveError

    # -- sums ----------------------------------------------------------------------------------------------------------

    def _reduced(self) -> None:
        """`C += A B`, `C += alpha A B`, or sums over rows, columns or all entries."""
        operation = self._operation
        payload, count = operation.payload, len(operation.inputs)
        tree = tree_of(payload, payload.yields[0].name)
        if tree[0] != "arith.addf" or tree[1] != ("argument", count):
            raise NoPrimitiveError
        term = tree[2]
        if term == ("argument", 0) and count == 1:
            self._sum(operation.inputs[0], operation.maps[0], operation.maps[1])
        elif term == ("arith.mulf", ("argument", 0), ("argument", 1)) and count == 2:
            self._product(self._target)
        else:
            raise NoPrimitiveError

    def _sum(self, source: mlir.Value, read: mlir.AffineMap, written: mlir.AffineMap) -> None:
        modes, kept, shape = read.positions or (), written.positions or (), self._target.shape
        if sorted(modes) != [0, 1] or len(kept) > 1:
            raise NoPrimitiveError
        if kept == modes[:1]:
            column = source if source.shape == (*shape, 1) else self._temporary((*shape, 1))
            if column is not source:
                self._add("reduce_add", (source,), column)
            target = self._expanded(self._target, (0,), 2)
            self._add("add", (target, column), target)
            return
        found = self._add("reduce_add", (source,), self._temporary(shape))
        self._add("add", (self._target, found), self._target)

    def _product(self, target: mlir.Value) -> None:
        """Two matrices, vectors among them as rows and columns; those that lie otherwise are transposed first."""
        maps = [map_.positions for map_ in self._operation.maps]
        if any(each is None or len(each) > 2 for each in maps):
            raise NoPrimitiveError
        (one, other), (first, second) = (tuple(each or ()) for each in maps[:2]), self._operation.inputs
        out = tuple(maps[2] or ())
        is_column = len(out) == 1 and out[0] in (one if len(one) > len(other) else other)[-1:]  # of a matrix as it lies
        if out and (out[0] not in one) is not is_column:
            one, other, first, second = other, one, second, first
        rows = [dim for dim in out if dim in one]
        columns = [dim for dim in out if dim in other]
        depths = [dim for dim in one if dim in other]
        is_matrix = max(len(rows), len(columns)) <= 1 == len(depths) and not set(rows) & set(columns)
        if not is_matrix or (*rows, *columns) != out:
            raise NoPrimitiveError
        left = self._matrix(first, one, rows, depths)
        right = self._matrix(second, other, depths, columns)
        sums = self._expanded(target, tuple(n for n, dims in enumerate((rows, columns)) if dims), 2)
        self._add("matmul", (left, right, sums), sums)

    def _matrix(self, value: mlir.Value, read: tuple[int, ...], rows: list[int], columns: list[int]) -> mlir.Value:
        wanted = (*rows, *columns)
        if set(read) != set(wanted) or len(read) != len(wanted):
            raise NoPrimitiveError
        if read != wanted:
            value = self._add("transpose", (value,), self._temporary(value.shape[::-1]))
        return self._expanded(value, tuple(n for n, dims in enumerate((rows, columns)) if dims), 2)

    def _expanded(self, value: mlir.Value, kept: tuple[int, ...], rank: int) -> mlir.Value:
        """A view with modes of one position where it has none."""
        if len(kept) == rank:
            return value
        if not isinstance(value.type, mlir.MemrefType) or len(kept) != 1 or None in value.type.shape:
            raise NoPrimitiveError
        view, reshape = with_unit_mode(value, 1 - kept[0], self._names)
        self.lines.append(reshape)
        return view
