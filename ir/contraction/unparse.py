"""The contraction graph as text: one line a node.

graph volume
  %0 = leaf Q : f64 20x9 batched
  %1 = leaf K : f64 20x20 constant, 33 nonzeros
  %2 = leaf I : f64 20x9 batched
  %3 = contract {kl, lp to kp} %1, %2 : k=20 p=9, sum l=20
  %4 = sum {kp, kp to kp} %0, %3 : k=20 p=9
  %5 = Q[k, p] := {kp} %4 : k=20 p=9
"""

import math

from einsum_front.core.coefficient import unparse as unparse_coefficient
from einsum_front.core.extent_text import text_of_shape
from einsum_front.core.functions import Function
from einsum_front.core.scatter_text import formula
from einsum_front.core.writer import Writer, Written
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.index import Index, IndexMap, IterationSpace, spelled
from einsum_front.ir.tensor import Tensor


def unparse(graph: Graph) -> str:
    """The graph as text, its prologue before it; equal graphs have equal texts."""
    return unparse_with_origins(graph)[0]


def unparse_with_origins(graph: Graph) -> tuple[str, tuple[Written, ...]]:
    """The text, and for each node its characters with its origin, those of the prologue first; a head has one, too."""
    writer = Writer(width=math.inf)
    for each in (graph,) if graph.prologue is None else (graph.prologue, graph):
        if writer.lines:
            writer.line("")
        writer.leaf(f"graph {each.name}", each.origin)
        writer.depth += 1
        for key, node in each.nodes:
            writer.leaf(f"%{key} = {unparse_node(each, key)}", node.origin)
        for scatter in each.scatters:
            order = "in any order" if scatter.is_atomic else "in the order of the elements"
            writer.leaf(f"scatter {formula(scatter)}, {order}", scatter.origin)
        writer.depth -= 1
    return writer.text(), tuple(writer.written)


def unparse_node(graph: Graph, key: int) -> str:
    """The value of a key as text: `contract {kl, lp to kp} %1, %2 : k=20 p=9, sum l=20`."""
    return _node(graph.node(key), [f"%{operand}" for operand in graph.operands(key)])


def _node(node: cg.Node, operands: list[str]) -> str:
    match node:
        case cg.Leaf(tensor=tensor):
            return f"leaf {tensor.name} : {unparse_tensor(tensor)}"
        case cg.Slice(space=space, parts=parts):
            return f"slice {operands[0]}{unparse_parts(parts)} : {unparse_space(space)}"
        case cg.Embedding(space=space, shape=shape):
            size = text_of_shape(shape)
            return f"embed {operands[0]} at {unparse_parts(node.parts)} of {size} : {unparse_space(space)}"
        case cg.Gather(space=space):
            return f"gather {_gathered(node, operands)} : {unparse_space(space)}"
        case cg.Contraction(space=space, maps=maps):
            return f"contract {_maps(maps, space)} {', '.join(operands)} : {unparse_space(space)}"
        case cg.Sum(space=space, maps=maps):
            return f"sum {_maps(maps, space)} {', '.join(operands)} : {unparse_space(space)}"
        case cg.Elementwise(space=space, function=function, maps=maps):
            return f"{function.value} {_maps(maps, space)} {', '.join(operands)} : {unparse_space(space)}"
        case cg.Reduction(space=space, function=function, maps=maps):
            return f"reduce {function.value} {_maps(maps, space)} {operands[0]} : {_reduced(space, function)}"
        case cg.Scaling(space=space, coefficient=coefficient):
            return f"scale {unparse_coefficient(coefficient)}, {operands[0]} : {unparse_space(space)}"
        case cg.ScalarTerm(value=value):
            return f"scalar {unparse_coefficient(value)}"
        case cg.Assignment(tensor=tensor, space=space, parts=parts, map=map_):
            sources = ", keep ".join(operands)
            return f"{tensor.name}{unparse_parts(parts)} := {{{spelled(map_)}}} {sources} : {unparse_space(space)}"


def _gathered(node: cg.Gather, operands: list[str]) -> str:
    """What is read where: `%0[%1[i], q]@%2[f]`, and of several sources `(%0, %3 of %4[f])[p, q]`."""

    def text(part: cg.Part | cg.Entry) -> str:
        return f"{operands[part.operand]}{unparse_parts(part.parts)}" if isinstance(part, cg.Entry) else _part(part)

    sources = ", ".join(operands[: node.sources])
    chosen = sources if node.member is None else f"({sources} of {text(node.member)})"
    element = "" if node.element is None else f"@{text(node.element)}"
    return f"{chosen}[{', '.join(map(text, node.parts))}]{element}"


def unparse_tensor(tensor: Tensor) -> str:
    """A tensor's type, storage and what is known of it: `f64 20x20 constant, 33 nonzeros`."""
    shape = text_of_shape(tensor.shape) or "scalar"
    known = "" if tensor.nonzeros is None else f", {tensor.nonzeros.count()} nonzeros"
    values = "" if tensor.values is None else ", values known"
    narrow = "" if tensor.memory is None else f" in memory of {tensor.memory.value}"
    parts = ", complex" if tensor.is_complex else ""
    return f"{tensor.element_type.value} {shape} {tensor.storage.value}{narrow}{parts}{known}{values}"


def _maps(maps: tuple[IndexMap, ...], space: IterationSpace) -> str:
    return f"{{{', '.join(spelled(map_) for map_ in maps)} to {spelled(space.result_map)}}}"


def unparse_space(space: IterationSpace) -> str:
    """An iteration space as text: `k=20 p=9, sum l=20`."""
    parallel = _indices(space.parallel)
    return f"{parallel}, sum {_indices(space.reduction)}" if space.reduction else parallel


def _reduced(space: IterationSpace, function: Function) -> str:
    """The space of a reduction as text: `i=4, max k=9`."""
    return f"{_indices(space.parallel)}, {function.value} {_indices(space.reduction)}"


def _indices(indices: tuple[Index, ...]) -> str:
    return " ".join(f"{index.name}={index.extent}" for index in indices) or "_"


def unparse_parts(parts: tuple[cg.Part, ...]) -> str:
    """The parts of an access as text: `[k, p+3, 2]`."""
    return f"[{', '.join(_part(part) for part in parts)}]"


def _part(part: cg.Part) -> str:
    match part:
        case cg.Along(index=index, offset=0):
            return index
        case cg.Along(index=index, offset=offset):
            return f"{index}+{offset}"
        case cg.At(position=position):
            return str(position)
