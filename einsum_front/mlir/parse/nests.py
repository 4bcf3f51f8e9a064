"""Loops of several variables, `scf.parallel` and `scf.forall`, which are read as loops in loops."""

from collections.abc import Callable, Iterator

from einsum_front.core.diagnostics import Span
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import DYNAMIC
from einsum_front.mlir.parse.operations import Reading
from einsum_front.mlir.parse.scope import BYTES, Scope, wrong
from einsum_front.mlir.parse.syntax import Raw, Region

NESTS = frozenset({"scf.parallel", "scf.forall"})


def nest(
    raw: Raw, scope: Scope, body: Callable[[Raw, Scope], tuple[mlir.Operation, ...]]
) -> tuple[mlir.Operation, ...]:
    """`scf.parallel` and `scf.forall` as loops in loops, outer ones first; `body` makes the operations of a region.

    What the iterations of `scf.forall` insert into its tensors, each of these loops carries on.
    """
    reading = Reading(raw, scope)
    place = (raw.name.span,)
    region = raw.regions[0] if len(raw.regions) == 1 else None
    if region is None or not region.arguments:
        raise wrong("E0813", f"`{reading.name}` has a region with a variable for each loop", raw.name.span)
    head: list[mlir.Operation] = []
    shared = len(raw.result_types or ())
    count = len(region.arguments) - shared
    bounds, initial = _bounds(reading, count, shared, head)
    inner = scope.inner()
    variables = [inner.define(each.name, each.type, each.span) for each in region.arguments[:count]]
    carried = [tuple(inner.define(each.name, each.type, each.span) for each in region.arguments[count:])]
    for _ in range(count - 1):
        carried.insert(0, tuple(scope.between("c", each.type, each.origin[0]) for each in carried[-1]))
    inside = list(body(raw, inner))
    yields = carried[-1]
    statements = region.statements
    ending = statements[-1] if statements else None
    if ending is not None and ending.name.value == "scf.forall.in_parallel":
        current = {each.name: each for each in carried[-1]}
        for each in ending.regions[0].statements:
            made = Reading(each, inner)
            if each.name.value != "tensor.insert_slice" or len(each.operands) < 2:
                raise wrong("E0802", f"`{each.name.value}` stands in no `scf.forall.in_parallel`", each.name.span)
            target = each.operands[1].name
            if target not in current:
                raise wrong("E0825", f"`%{target}` is no tensor that the loop shares", each.operands[1].span)
            inserted = made.inserted(current[target])
            current[target] = inserted.result
            inside.append(inserted)
        yields = tuple(current.values())
    results = reading.results(shared)
    for level in reversed(range(count)):
        outside = results if level == 0 else tuple(scope.between("r", each.type, each.origin[0]) for each in carried[0])
        start, stop, step = bounds[level]
        entering = initial if level == 0 else carried[level - 1]
        loop = mlir.For(
            variables[level], start, stop, step, tuple(inside), carried[level], entering, yields, outside, "", place
        )
        inside, yields = [loop], outside
    return (*head, *inside)


def _bounds(
    reading: Reading, count: int, shared: int, head: list[mlir.Operation]
) -> tuple[list[tuple[mlir.Value, mlir.Value, mlir.Value]], tuple[mlir.Value, ...]]:
    """Start, stop and step of each loop, and the values that are shared; numbers are defined in `head`."""
    values = list(reading.operands())
    span: Span = reading.raw.name.span

    def numbers(name: str, default: int) -> list[mlir.Value]:
        static = reading.integers(name) if reading.optional(name) is not None else (default,) * count
        found = []
        for number in static:
            if number == DYNAMIC and values:
                found.append(values.pop(0))
                continue
            value = reading.scope.between("b", mlir.ScalarType.INDEX, span)
            head.append(mlir.Literal(value, number, origin=(span,)))
            found.append(value)
        return found

    if reading.name == "scf.parallel":
        if len(values) != 3 * count:
            raise wrong("E0813", f"`scf.parallel` has {count} starts, stops and steps", span)
        lists = [values[n * count : (n + 1) * count] for n in range(3)]
        return list(zip(*lists, strict=True)), ()
    given = numbers("staticLowerBound", 0), numbers("staticUpperBound", 0), numbers("staticStep", 1)
    if any(len(each) != count for each in given) or len(values) != shared:
        raise wrong("E0813", f"`scf.forall` has a stop for each of its {count} variables", span)
    return list(zip(*given, strict=True)), tuple(values)


# -- buffers of bytes, which `memref.view` sees as numbers -------------------------------------------------------------
# They are read as memory of these numbers.
#
# %a : memref<?xi8>, memref.view %a[%c0][%m, %k] : memref<?xi8> to memref<?x?xf32>        ->      %a : memref<?xf32>

HOLDERS = ("memref.view", "memref.dealloc", "memref.alloc", "memref.alloca")
"""Operations that do not ask what a buffer has."""


def viewed_buffers(region: Region | None) -> dict[str, mlir.ScalarType]:
    """The numbers that each buffer of a function is seen as. Raises `Mistake` (E0826) if it is more than one kind."""
    found: dict[str, mlir.ScalarType] = {}
    raws = [] if region is None else list(_walk(region))
    for raw in raws:
        if raw.name.value != "memref.view" or not raw.operands or not raw.result_types:
            continue
        name, type_ = raw.operands[0].name, raw.result_types[0].value
        element = type_ if isinstance(type_, mlir.ScalarType) else type_.element
        if element not in BYTES:
            raise wrong("E0826", f"bytes are not read as `{element.value}`", raw.result_types[0].span)
        if found.setdefault(name, element) is not element:
            message = f"the buffer `%{name}` has numbers of `{found[name].value}` and of `{element.value}`"
            raise wrong("E0826", message, raw.name.span, "a buffer is read as numbers of one type")
    for raw in raws:
        for use in raw.operands:
            if use.name in found and raw.name.value not in HOLDERS:
                message = f"the buffer `%{use.name}` has numbers of `{found[use.name].value}`, and is used as bytes"
                raise wrong("E0826", message, use.span)
    return found


def _walk(region: Region) -> Iterator[Raw]:
    for raw in region.statements:
        yield raw
        for inner in raw.regions:
            yield from _walk(inner)
