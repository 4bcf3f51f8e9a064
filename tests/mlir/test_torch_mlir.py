"""Our texts in torch-mlir and its texts in ours: both verify, read, and compute the same.

`MLIR_PROGRAMS` is the number of generated functions: `make mlir` takes 500.
"""

import os
from random import Random

import numpy as np
import pytest

from einsum_front import ir
from einsum_front.core.diagnostics import Source
from einsum_front.driver import Session
from einsum_front.driver.targets import target_of
from einsum_front.ir.contraction.unparse import unparse as unparse_graph
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.contraction import roles
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.named import make
from einsum_front.mlir.named_tables import CONTRACTIONS, CONVOLUTIONS
from einsum_front.mlir.parse import parse
from einsum_front.mlir.to_graph import graphs
from einsum_front.mlir.unparse import unparse
from einsum_front.mlir.verify import check
from einsum_front.runtime import Kernel, available_devices, find_device
from tests.mlir import oracle
from tests.mlir.programs import Array, Writer, arrays, element_of, function, shape_of
from tests.mlir.running import distance, kernel_arguments
from tests.mlir.test_language import operands

PROGRAMS = int(os.environ.get("MLIR_PROGRAMS", "12"))
SEEDS = range(PROGRAMS)


def tolerance(module: mlir.Module) -> float:
    return 1e-12 if element_of(module) is mlir.ScalarType.F64 else 1e-5


def expected(module: mlir.Module, given: list[Array]) -> tuple[Array, ...]:
    return interpret(module, "f", [each.copy() for each in given])


def on_device(graph: ir.Graph, module: mlir.Module, given: list[Array], results: tuple[Array, ...]) -> list[Array]:
    """What our kernel computes."""
    device = find_device("auto")
    artifact = Session(target_of(device.facts)).compile_graph(graph).artifact
    arguments, written, has_batch = kernel_arguments(graph, module.functions[0], given, results)
    count = next(iter(written.values())).shape[0]
    known = {parameter.name for parameter in artifact.arguments}
    Kernel(artifact, device)(count, **{name: value for name, value in arguments.items() if name in known})
    return [each if has_batch else each[0] for each in written.values()]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_we_write_is_verified_and_computes_the_same(seed: int) -> None:
    module = function(Random(seed))
    given = arrays(module, seed)
    results = expected(module, given)
    assert distance(oracle.run(unparse(module), "f", given, results), results) <= tolerance(module)
    if available_devices():
        (graph,) = graphs(module, batch="none")
        assert distance(on_device(graph, module, given, results), results) <= tolerance(module)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_it_prints_is_read(seed: int) -> None:
    module = function(Random(PROGRAMS + seed))
    given = arrays(module, seed)
    results = expected(module, given)
    text = oracle.printed(unparse(module), generic=seed % 2 == 0, places=seed % 3 == 0)
    read = parse(Source("theirs.mlir", text))
    check(read)
    assert distance(interpret(read, "f", [each.copy() for each in given]), results) == 0.0
    texts = [[unparse_graph(graph) for graph in graphs(each)] for each in (module, read)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("name", [*CONTRACTIONS, *CONVOLUTIONS])
def test_named_operations_are_theirs(name: str) -> None:
    """Their printers leave out what a name stands for: reading it back fills it in from our table."""
    is_unsigned = name.endswith("_unsigned")
    given_ = operands(name, mlir.ScalarType.I32 if is_unsigned else mlir.ScalarType.F64)
    result = mlir.Value("r", given_[2].type)
    operation = make(name, given_[:2], given_[2:], (result,))
    module = mlir.Module((mlir.Function("f", tuple(given_), (result.type,), (operation, mlir.Return((result,)))),))
    random = np.random.default_rng(1)
    if is_unsigned:
        values = [random.integers(-(2**31), 2**31, shape_of(each), np.int32) for each in given_]
    else:
        values = [random.random(shape_of(each)) for each in given_]
    results = interpret(module, "f", [each.copy() for each in values])
    assert distance(oracle.run(unparse(module), "f", values, results), results) <= 1e-13
    read = parse(Source("theirs.mlir", oracle.printed(unparse(module), generic=False)))
    found = read.functions[0].body
    assert found is not None
    first = found[0]
    assert isinstance(first, mlir.Structured)
    assert (first.maps, first.iterators, first.name) == (operation.maps, operation.iterators, operation.name)


@pytest.mark.parametrize("seed", SEEDS)
def test_contractions_have_the_same_roles(seed: int) -> None:
    random = Random(seed)
    writer = Writer(random, mlir.ScalarType.F64)
    letters = "abcdef"[: random.randint(1, 6)]
    sides = [random.sample(letters, random.randint(1, len(letters))) for _ in range(2)]
    found = list(dict.fromkeys(sides[0] + sides[1]))
    kept = random.sample(found, random.randint(0, len(found)))
    order = sorted(found)
    extents = {letter: number + 2 for number, letter in enumerate(letters)}
    parts = (*sides, kept)
    values = [mlir.Value(f"arg{n}", writer.type(tuple(extents[e] for e in part))) for n, part in enumerate(parts)]
    maps = tuple(mlir.AffineMap.of_dims(len(order), tuple(map(order.index, part))) for part in parts)
    iterators = tuple(mlir.IteratorType.PARALLEL if each in kept else mlir.IteratorType.REDUCTION for each in order)
    result = mlir.Value("r", values[2].type)
    payload = make("dot", *dot_operands()).payload
    operation = mlir.Structured("generic", tuple(values[:2]), (values[2],), maps, iterators, payload, (result,))
    module = mlir.Module((mlir.Function("f", tuple(values), (result.type,), (operation, mlir.Return((result,)))),))
    check(module)
    ours = roles(operation)
    theirs = oracle.contraction_dimensions(unparse(module))
    assert theirs == (None if ours is None else (ours.batch, ours.m, ours.n, ours.k))


def dot_operands() -> tuple[tuple[mlir.Value, ...], tuple[mlir.Value, ...]]:
    vector, number = mlir.TensorType((2,), mlir.ScalarType.F64), mlir.TensorType((), mlir.ScalarType.F64)
    return (mlir.Value("a", vector), mlir.Value("b", vector)), (mlir.Value("c", number),)
