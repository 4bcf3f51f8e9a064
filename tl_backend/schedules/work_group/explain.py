"""The plan of a work-group as lines of text: its instructions, and how each collective one is run."""

from collections.abc import Iterator

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.opencl.kernel import statement
from einsum_front.tl_backend.schedules.lowering.outer_product import LastVector
from einsum_front.tl_backend.schedules.work_group.context import (
    Blocking,
    RegisterTile,
    Strategies,
    Strategy,
    VectorExtremum,
    VectorLoop,
    VectorLoops,
    Vectors,
)
from einsum_front.tl_backend.schedules.work_group.epilogue import without_epilogues
from einsum_front.tl_backend.traverse import regions

COUNTS = {2: "two", 4: "four", 8: "eight"}


def explain(region: tl.Region, strategies: Strategies, loops: VectorLoops) -> Iterator[str]:
    """Collective instructions and loops in vectors, and loops and branches that have some."""
    for instruction in without_epilogues(region, strategies):
        if isinstance(instruction, tl.Foreach) and instruction in loops:
            yield statement(instruction)
            yield f"  {_vector_loop(loops[instruction])}"
            continue
        if isinstance(instruction, tl.Collective):
            yield statement(instruction)
            yield from (f"  {line}" for line in _strategy(strategies[instruction]))
        inner = [f"  {line}" for body in regions(instruction) for line in explain(body, strategies, loops)]
        if inner:
            yield statement(instruction)
            yield from inner


def _vector_loop(vectors: VectorLoop | VectorExtremum) -> str:
    match vectors:
        case VectorLoop(width=width, beside=beside):
            return f"entries in vectors of {width}" + (f", {beside} side by side" if beside > 1 else "")
        case VectorExtremum(width=width, beside=beside, extremum=found):
            name, several = found.function.value, "vector" if beside == 1 else "vectors"
            return f"{name} of {found.extent} numbers in vectors of {width}, {beside} {several} side by side"


def _done(body: tl.Region) -> Iterator[str]:
    """What is computed in registers."""
    return (statement(each).partition(" = ")[2] for each in body if not isinstance(each, tl.Load | tl.Store))


def _strategy(strategy: Strategy) -> Iterator[str]:
    match strategy:
        case Vectors():
            yield from _vectors(strategy)
        case RegisterTile(rows=rows, columns=columns, block=(high, wide)):
            yield f"{rows} x {columns} entries, {high} x {wide} sums in registers of each work-item"
        case Blocking(rows=rows, columns=columns):
            yield f"loops over blocks of {rows} x {columns} entries"


def _last(vector: LastVector) -> str:
    if vector.columns == 1:
        return f"the last vector has {vector.rows} rows"
    return f"{COUNTS[vector.columns]} columns share the last vector"


def _vectors(strategy: Vectors) -> Iterator[str]:
    """Blocks of registers, and what is packed and left out."""
    yield f"{strategy.rows} rows in vectors of {strategy.width}"
    for part in strategy.parts:
        count = f"{part.vectors.pieces} x " if part.vectors.pieces > 1 else ""
        vectors = f"{part.vectors.size} {'vector' if part.vectors.size == 1 else 'vectors'}"
        yield f"sums in registers: {count}{vectors} x at most {part.columns} columns"
    if strategy.epilogue is not None:
        yield f"before the one store: {'; '.join(_done(strategy.epilogue.body))}"
    if strategy.last is not None:
        yield _last(strategy.last)
    if strategy.is_copied:
        yield "rows of the left factor packed, transposed in registers"
    if strategy.terms is not None:
        kept, whole = int(strategy.terms.sum()), strategy.terms.size
        yield f"sparse right factor unrolled: {kept} of {whole} depths and columns remain"
    if strategy.active is not None:
        kept, whole = int(strategy.active.sum()), strategy.active.size
        yield f"known zeros left out: {kept} of {whole} vectors and depths remain"
