"""Definitions of tc as contraction graphs."""

from einsum_front import ir
from einsum_front.core.diagnostics import Source
from einsum_front.driver.chosen import choose, start_of
from einsum_front.options import Options
from einsum_front.tc import nodes as tc
from einsum_front.tc.parse import parse
from einsum_front.tc.to_graph import graph_of, sizes_of
from einsum_front.tc.verify import check


def definitions_of(source: Source) -> tc.Program:
    """The definitions of a text in tc, checked: they need no sizes."""
    program = parse(source)
    check(program)
    return program


def graphs_of_tc(source: Source, options: Options) -> tuple[ir.Graph, ...]:
    """The definitions of a text in tc as kernels; `-D` gives sizes that are known when compiling."""
    program = definitions_of(source)
    sizes = sizes_of(program, options.defines)
    chosen = choose([each.name for each in program.definitions], options, start_of(source))
    return tuple(graph_of(each, sizes) for each in program.definitions if each.name in chosen)
