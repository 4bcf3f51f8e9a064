"""Fusion: a producer is computed tile by tile, inside the loops of its consumer.

    T = A * B                                    for i: for j:
    for i: for j: D[tile] = relu(T[tile])   ->     T[tile] = A[i tile] * B[j tile]
                                                   D[tile] = relu(T[tile])

The consumer's view says which entries of T a tile needs. The output's map, read backwards, says which iterations
make them, and the other maps what these read.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.transform.editor import Editor, refused
from einsum_front.mlir.transform.tile import check_tiled


def fused(function: mlir.Function, producer: mlir.Structured) -> mlir.Function:
    """Moves an operation into the loop that follows it, which reads or writes its output through one view.

    A tile is made where the loops have fixed it. So an output that the loops write, or that the producer adds to,
    is made once an entry. Raises `CompileError` (E0846) if the loops do not allow that.
    """
    check_tiled(producer)
    if len(producer.outputs) != 1:
        raise refused("has several outputs", producer)
    editor = Editor(function)
    found = False

    def walk(body: Sequence[mlir.Operation]) -> tuple[mlir.Operation, ...]:
        nonlocal found
        place = next((n for n, each in enumerate(body) if each is producer), None)
        if place is not None:
            found = True
            return _moved(editor, producer, body, place)
        return tuple(replace(each, body=walk(each.body)) if isinstance(each, mlir.For) else each for each in body)

    changed = walk(function.body or ())
    if not found:
        raise refused("is not in this function", producer)
    return editor.finished(changed)


def _moved(
    editor: Editor, producer: mlir.Structured, body: Sequence[mlir.Operation], place: int
) -> tuple[mlir.Operation, ...]:
    """The body without the producer, which the first loop behind it that uses its output has taken in."""
    sources = _sources(editor.function.body or ())
    target = _root(producer.outputs[0], sources)
    for number in range(place + 1, len(body)):
        each = body[number]
        if isinstance(each, mlir.For) and target in {_root(used, sources) for used in _used(each)}:
            inside = _into_loop(editor, producer, each, sources)
            return (*body[:place], *body[place + 1 : number], inside, *body[number + 1 :])
        _check_between(producer, each, sources)
    raise refused("has no loop behind it that uses its output", producer)


def _check_between(producer: mlir.Structured, between: mlir.Operation, sources: Mapping[str, str]) -> None:
    """What stands between the producer and the loop neither reads its output nor writes what it reads."""
    if isinstance(
        between, mlir.Literal | mlir.Scalar | mlir.Slice | mlir.Reshape | mlir.Permute | mlir.Cast | mlir.Extent
    ):
        return
    own = {_root(each, sources) for each in producer.operands}
    if own & {_root(each, sources) for each in _used(between)}:
        raise refused("is used before the first loop: fuse the operations between them first", producer)


@dataclass(frozen=True, slots=True)
class _Nest:
    """Loops from the outermost on, the view of the output, and at which depth its offsets and sizes are fixed."""

    loops: tuple[mlir.For, ...]
    view: mlir.Slice
    depth: int


def _into_loop(editor: Editor, producer: mlir.Structured, loop: mlir.For, sources: Mapping[str, str]) -> mlir.For:
    nest = _nest(producer, loop, sources)
    _check_once(editor, producer, nest, sources)
    inserted: list[mlir.Operation] = []
    body = nest.loops[nest.depth].body
    numbers = _numbers(editor, nest, inserted)
    result = replace(nest.view.result, name=editor.fresh(nest.view.result.type).name)
    offsets = tuple(numbers(each) for each in nest.view.offsets)
    sizes = tuple(numbers(each) for each in nest.view.sizes)
    inserted.append(replace(nest.view, result=result, offsets=offsets, sizes=sizes))
    starts: dict[int, mlir.Number] = {}
    extents: list[mlir.Operation] = []
    tiles: dict[int, mlir.Number] = dict(enumerate(editor.extents(producer, extents)))
    for each, offset, size in zip(producer.maps[-1].results, offsets, sizes, strict=True):
        if not isinstance(each, mlir.Dim):
            raise refused("has an output that is no projection of its iterators", producer)
        starts[each.position], tiles[each.position] = offset, size
    used = {each.name for each in tiles.values() if isinstance(each, mlir.Value)}
    inserted += [each for each in extents if isinstance(each, mlir.Extent) and each.result.name in used]
    count = len(producer.inputs)
    parts = [
        editor.part(operand, map_, starts, tiles, inserted)
        for operand, map_ in zip(producer.inputs, producer.maps[:count], strict=True)
    ]
    inserted.append(replace(producer, inputs=tuple(parts), outputs=(result,)))
    changed = replace(nest.loops[nest.depth], body=(*inserted, *body))
    for outer, inner in zip(reversed(nest.loops[: nest.depth]), reversed(nest.loops[1 : nest.depth + 1]), strict=True):
        new, old = changed, inner
        changed = replace(outer, body=tuple(new if each is old else each for each in outer.body))
    return changed


def _nest(producer: mlir.Structured, loop: mlir.For, sources: Mapping[str, str]) -> _Nest:
    """The loops around the only view of the producer's output."""
    output = producer.outputs[0]
    found: list[tuple[tuple[mlir.For, ...], mlir.Slice]] = []
    root = _root(output, sources)

    def walk(loops: tuple[mlir.For, ...], body: Sequence[mlir.Operation]) -> None:
        for each in body:
            if isinstance(each, mlir.For):
                walk((*loops, each), each.body)
            elif isinstance(each, mlir.Slice) and each.source.name == output.name:
                found.append((loops, each))
            elif output.name in {used.name for used in _used(each)} or (
                isinstance(each, mlir.Slice | mlir.Reshape | mlir.Permute | mlir.Cast)
                and _root(each.source, sources) == root
            ):
                raise refused(f"has an output `%{output.name}` that the loop does not take tile by tile", producer)

    walk((loop,), loop.body)
    made = {each.result.name: each for each in _inside(loop) if isinstance(each, mlir.Scalar)}
    views = {_spelled((*each.offsets, *each.sizes), made) for _, each in found}
    if len(views) != 1 or any(step != 1 for step in found[0][1].strides):
        raise refused(f"has an output `%{output.name}` of which the loop has {len(views)} views, expected 1", producer)
    loops, view = found[0]
    if isinstance(view.result.type, mlir.MemrefType) and len(view.result.type.shape) != len(view.sizes):
        raise refused("has an output whose modes the loop leaves out: tile it instead", producer)
    needed = _needed(view, loops)
    depth = max((n for n, each in enumerate(loops) if each.variable.name in needed), default=0)
    return _Nest(loops, view, depth)


def _spelled(numbers: Sequence[mlir.Number], made: Mapping[str, mlir.Scalar]) -> tuple[object, ...]:
    """Numbers as what they are computed from: equal for copies of a computation."""

    def spelled(number: mlir.Number) -> object:
        if isinstance(number, int) or number.name not in made:
            return number
        operation = made[number.name]
        return (operation.name, *map(spelled, operation.operands))

    return tuple(map(spelled, numbers))


def _needed(view: mlir.Slice, loops: Sequence[mlir.For]) -> set[str]:
    """The names of all values that the numbers of a view are computed from."""
    made = {each.result.name: each for loop in loops for each in loop.body if isinstance(each, mlir.Scalar)}
    found: set[str] = set()
    open_ = [each.name for each in (*view.offsets, *view.sizes) if isinstance(each, mlir.Value)]
    while open_:
        name = open_.pop()
        if name not in found:
            found.add(name)
            open_ += [each.name for each in made[name].operands] if name in made else []
    return found


def _numbers(editor: Editor, nest: _Nest, into: list[mlir.Operation]) -> "_Copies":
    made = {each.result.name: each for loop in nest.loops for each in loop.body if isinstance(each, mlir.Scalar)}
    return _Copies(editor, made, into)


class _Copies:
    """The computation of numbers of a view once more, where its tile is fixed."""

    def __init__(self, editor: Editor, made: Mapping[str, mlir.Scalar], into: list[mlir.Operation]) -> None:
        self._editor, self._made, self._into = editor, made, into
        self._copied: dict[str, mlir.Value] = {}

    def __call__(self, number: mlir.Number) -> mlir.Number:
        return number if isinstance(number, int) else self._value(number)

    def _value(self, value: mlir.Value) -> mlir.Value:
        operation = self._made.get(value.name)
        if operation is None:
            return value
        if value.name not in self._copied:
            operands = tuple(self._value(each) for each in operation.operands)
            copied = self._editor.fresh(value.type)
            self._into.append(replace(operation, result=copied, operands=operands))
            self._copied[value.name] = copied
        return self._copied[value.name]


def _check_once(editor: Editor, producer: mlir.Structured, nest: _Nest, sources: Mapping[str, str]) -> None:
    """A tile may be made again only if that changes nothing: nobody wrote it since, and it is not added to."""
    target = _root(producer.outputs[0], sources)
    written = {_root(each, sources) for op in _inside(nest.loops[0]) for each in _written(op)}
    if written & {_root(each, sources) for each in producer.inputs}:
        raise refused("reads what the loop writes", producer)
    if target not in written and not _reads_output(producer):
        return
    for loop in nest.loops[: nest.depth + 1]:
        step = editor.known(loop.step)
        fits = [
            offset == loop.variable and step is not None and (bound := editor.bound(size)) is not None and bound <= step
            for offset, size in zip(nest.view.offsets, nest.view.sizes, strict=True)
        ]
        if not any(fits):
            name = loop.variable.name
            raise refused(f"would be repeated by the loop over `%{name}`, whose tiles of its output overlap", producer)


def _reads_output(producer: mlir.Structured) -> bool:
    name = producer.payload.arguments[-1].name
    used = [each for op in producer.payload.operations if isinstance(op, mlir.Scalar) for each in op.operands]
    return any(each.name == name for each in (*used, *producer.payload.yields))


# -- who uses what -----------------------------------------------------------------------------------------------------


def _inside(loop: mlir.For) -> Iterator[mlir.Operation]:
    for each in loop.body:
        yield each
        if isinstance(each, mlir.For):
            yield from _inside(each)


def _used(operation: mlir.Operation) -> Sequence[mlir.Value]:
    """The memory that an operation reads or writes, in its loops too."""
    match operation:
        case mlir.Structured() | mlir.Primitive() | mlir.Call():
            return [each for each in operation.operands if isinstance(each.type, mlir.MemrefType)]
        case mlir.For():
            return [value for each in _inside(operation) for value in _used(each) if not isinstance(each, mlir.For)]
        case mlir.Group(body=body):
            return [value for each in body for value in _used(each)]
        case mlir.Slice() | mlir.Reshape() | mlir.Permute() | mlir.Cast() | mlir.Extent():
            return [operation.source]
        case mlir.InsertSlice() | mlir.Copy() | mlir.Pack():
            return [operation.source, operation.target]
        case mlir.Free(memory=memory):
            return [memory]
        case mlir.Literal() | mlir.Scalar() | mlir.Allocate() | mlir.Return():
            return ()


def _written(operation: mlir.Operation) -> Sequence[mlir.Value]:
    """The memory that an operation writes; what stands in a loop is asked by itself."""
    match operation:
        case mlir.Structured(outputs=outputs) | mlir.Primitive(outputs=outputs):
            return outputs
        case mlir.InsertSlice(target=target) | mlir.Copy(target=target) | mlir.Pack(target=target):
            return [target]
        case mlir.Group(body=body):
            return [value for each in body for value in _written(each)]
        case mlir.Call():  # nobody says which of them it writes
            return _used(operation)
        case (
            mlir.Literal() | mlir.Scalar() | mlir.Allocate() | mlir.Free() | mlir.Slice() | mlir.Reshape()
            | mlir.Permute() | mlir.Cast() | mlir.Extent() | mlir.For() | mlir.Return()
        ):  # fmt: skip
            return ()


def _sources(body: Sequence[mlir.Operation]) -> dict[str, str]:
    """What each view is a view of."""
    found: dict[str, str] = {}
    for each in body:
        if isinstance(each, mlir.Slice | mlir.Reshape | mlir.Permute | mlir.Cast):
            found[each.result.name] = each.source.name
        elif isinstance(each, mlir.For):
            found |= _sources(each.body)
    return found


def _root(value: mlir.Value, sources: Mapping[str, str]) -> str:
    """The memory that a value is a view of."""
    name = value.name
    while name in sources:
        name = sources[name]
    return name
