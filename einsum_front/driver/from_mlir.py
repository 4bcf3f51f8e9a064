"""Texts of MLIR, linalg and tensor processing primitives, as contraction graphs and what comes after them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from einsum_front.core.diagnostics import Source
from einsum_front.driver.chosen import choose, start_of
from einsum_front.driver.session import Session
from einsum_front.driver.stages import LinalgStages, LoopStages, Stages, with_complex
from einsum_front.ir import Graph
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.parse import parse
from einsum_front.mlir.to_graph import NO_BATCH, kernel_name
from einsum_front.mlir.to_graph.batch import returned
from einsum_front.mlir.to_graph.complexes import in_parts
from einsum_front.mlir.to_graph.function import kernel_arguments, plain_name
from einsum_front.mlir.to_loops import kernel_of
from einsum_front.mlir.verify import check
from einsum_front.options import Level
from einsum_front.runtime.artifact import Artifact
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
    return tuple(_from_function(session, module, function, batch) for function in functions)


def _from_function(
    session: Session, module: mlir.Module, function: mlir.Function, batch: str | None
) -> LinalgStages | LoopStages:
    """The kernel by a contraction graph, or as loops over entries where no graph has what the function does."""
    kernel = kernel_of(module, function, batch)
    if isinstance(kernel, Graph):
        made = session.compile_graph(kernel)
        below = made.tensor_language, made.artifact, made.target, made.decision, made.yateto, made.planned
        return LinalgStages(*below, module, function)
    host = host_of(function)
    lowered = session.lower(kernel.function, host)
    return LoopStages(
        lowered.tensor_language, lowered.artifact, lowered.target, lowered.decision, module, function, kernel.why, host
    )


def host_of(function: mlir.Function) -> Callable[[Artifact], Artifact]:
    """Gives artifacts of a function the complex arguments that it has."""
    over_parts = in_parts(function)
    names, results = kernel_arguments(over_parts)
    ends = zip(returned(over_parts), results, strict=True)
    complexes = {names[each] for each in over_parts.complexes if each in names}
    complexes |= {name for value, name in ends if value.name in over_parts.complexes}
    scalars = {names[part]: plain_name(whole, "v") for part, whole in over_parts.parts}
    return partial(with_complex, frozenset(complexes), scalars)
