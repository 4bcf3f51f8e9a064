"""Texts of MLIR, linalg and tensor processing primitives, as contraction graphs and what comes after them."""

from pathlib import Path

from einsum_front.core.diagnostics import Source
from einsum_front.driver.chosen import choose, start_of
from einsum_front.driver.session import Session
from einsum_front.driver.stages import GraphStages, LinalgStages, Stages
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.parse import parse
from einsum_front.mlir.to_graph import NO_BATCH, graphs, kernel_name
from einsum_front.mlir.verify import check
from einsum_front.options import Level
from einsum_front.tc.declared import inlined, with_definitions


def from_mlir(session: Session, source: Source, level: Level) -> tuple[Stages, ...]:
    """The kernels of a text of linalg or TPP: one for each function that has a body."""
    batch = session.options.batch_dim or (NO_BATCH if level is Level.TPP else None)
    written, directory = parse(source), Path(source.name).parent
    check(with_definitions(written, directory))
    module = inlined(written, directory)
    names = [kernel_name(function) for function in module.functions if function.body is not None]
    chosen = choose(names, session.options, start_of(source))
    functions = [each for each in module.functions if each.body is not None and kernel_name(each) in chosen]
    return tuple(
        _from_function(session.compile_graph(graph), module, function)
        for function in functions
        for graph in graphs(module, kernel_name(function), batch)
    )


def _from_function(made: GraphStages, module: mlir.Module, function: mlir.Function) -> LinalgStages:
    below = made.tensor_language, made.artifact, made.target, made.decision, made.yateto, made.planned
    return LinalgStages(*below, module, function)
