"""The contraction graph as text: one line a node.

graph volume
  %0 = leaf Q : f64 20x9 batched
  %1 = leaf K : f64 20x20 constant, 33 nonzeros
  %2 = leaf I : f64 20x9 batched
  %3 = contract {kl, lp to kp} %1, %2 : k=20 p=9, sum l=20
  %4 = sum {kp, kp to kp} %0, %3 : k=20 p=9
  %5 = Q[k, p] := {kp} %4 : k=20 p=9
"""

from ir.coefficient import unparse as unparse_coefficient
from ir.contraction.graph import Graph
from ir.contraction.nodes import (
    Along,
    Assignment,
    At,
    Contraction,
    Leaf,
    Node,
    Part,
    ScalarTerm,
    Scaling,
    Slice,
    Sum,
)
from ir.index import Index, IndexMap, IterationSpace, spelled
from ir.tensor import Tensor


def unparse(graph: Graph) -> str:
    """The graph as text; equal graphs have equal texts."""
    lines = [f"  %{key} = {_node(node, [f'%{k}' for k in graph.operands(key)])}" for key, node in graph.nodes]
    return "\n".join([f"graph {graph.name}", *lines]) + "\n"


def _node(node: Node, operands: list[str]) -> str:
    match node:
        case Leaf(tensor=tensor):
            return f"leaf {tensor.name} : {_tensor(tensor)}"
        case Slice(space=space, parts=parts):
            return f"slice {operands[0]}{_parts(parts)} : {_space(space)}"
        case Contraction(space=space, maps=maps):
            return f"contract {_maps(maps, space)} {', '.join(operands)} : {_space(space)}"
        case Sum(space=space, maps=maps):
            return f"sum {_maps(maps, space)} {', '.join(operands)} : {_space(space)}"
        case Scaling(space=space, coefficient=coefficient):
            return f"scale {unparse_coefficient(coefficient)}, {operands[0]} : {_space(space)}"
        case ScalarTerm(value=value):
            return f"scalar {unparse_coefficient(value)}"
        case Assignment(tensor=tensor, space=space, parts=parts, map=map_):
            keep = f", keep {operands[1]}" if len(operands) > 1 else ""
            return f"{tensor.name}{_parts(parts)} := {{{spelled(map_)}}} {operands[0]}{keep} : {_space(space)}"


def _tensor(tensor: Tensor) -> str:
    shape = "x".join(str(size) for size in tensor.shape) or "scalar"
    known = "" if tensor.nonzeros is None else f", {sum(stop - start for start, stop in tensor.nonzeros)} nonzeros"
    return f"{tensor.element_type.value} {shape} {tensor.storage.value}{known}"


def _maps(maps: tuple[IndexMap, ...], space: IterationSpace) -> str:
    return f"{{{', '.join(spelled(map_) for map_ in maps)} to {spelled(space.result_map)}}}"


def _space(space: IterationSpace) -> str:
    parallel = _indices(space.parallel)
    return f"{parallel}, sum {_indices(space.reduction)}" if space.reduction else parallel


def _indices(indices: tuple[Index, ...]) -> str:
    return " ".join(f"{index.name}={index.extent}" for index in indices) or "_"


def _parts(parts: tuple[Part, ...]) -> str:
    return f"[{', '.join(_part(part) for part in parts)}]"


def _part(part: Part) -> str:
    match part:
        case Along(index=index, offset=0):
            return index
        case Along(index=index, offset=offset):
            return f"{index}+{offset}"
        case At(position=position):
            return str(position)
