"""Rules of a graph: each check is one sentence and has one error code.

A graph that `einsum_front.elaborate` makes keeps them; a mistake here is one of the program that made the graph.
"""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic, Label
from einsum_front.core.extent import Extent
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.index import IndexMap, IterationSpace


def verify(graph: Graph) -> tuple[Diagnostic, ...]:
    """Every broken rule, in the order of the nodes, the prologue first; none if the graph means something."""
    found = [] if graph.prologue is None else list(verify(graph.prologue))
    for key, node in graph.nodes:
        found += next((mistakes for check in CHECKS if (mistakes := list(check(graph, key, node)))), [])
    return tuple(found)


def _mistake(code: str, key: int, node: cg.Node, message: str) -> Diagnostic:
    return Diagnostic(code, f"node %{key}: {message}", tuple(Label(span) for span in node.origin[:1]))


def _check_operands(graph: Graph, key: int, node: cg.Node) -> Iterator[Diagnostic]:
    """A node has as many operands as its kind takes, all with smaller keys."""
    operands = graph.operands(key)
    least, most = _arity(node)
    if not least <= len(operands) <= most:
        yield _mistake("E0310", key, node, f"{len(operands)} operands where there have to be {least} to {most}")
    for operand in operands:
        if operand >= key:
            yield _mistake("E0310", key, node, f"the operand %{operand} is not computed before")


def _arity(node: cg.Node) -> tuple[int, int]:
    match node:
        case cg.Leaf() | cg.ScalarTerm():
            return 0, 0
        case cg.Slice() | cg.Scaling() | cg.Embedding():
            return 1, 1
        case cg.Gather(sources=sources, entries=entries):
            return sources, sources + len(entries)
        case cg.Contraction(maps=maps) | cg.Sum(maps=maps):
            return max(1, len(maps)), len(maps)
        case cg.Elementwise(function=function):
            return function.arity, function.arity
        case cg.Reduction():
            return 1, 1
        case cg.Assignment():
            return 1, 2


def _check_names(_graph: Graph, key: int, node: cg.Node) -> Iterator[Diagnostic]:
    """The indices of a space have different names and a position at least."""
    indices = _space(node).indices
    if len({index.name for index in indices}) < len(indices):
        yield _mistake("E0311", key, node, "two indices of the space have one name")
    for index in indices:
        if isinstance(index.extent, int) and index.extent < 1:
            yield _mistake("E0311", key, node, f"index `{index.name}` has no position")


def _check_maps(graph: Graph, key: int, node: cg.Node) -> Iterator[Diagnostic]:
    """A map walks every mode of its operand by one index of the space, each by another one, with the mode's extent."""
    extents = _space(node).extents
    for operand, map_ in zip(graph.operands(key), _maps(node), strict=False):
        shape = cg.result_shape(graph.node(operand))
        if len(set(map_)) < len(map_):
            yield _mistake("E0312", key, node, f"an index walks two modes of %{operand}")
        elif tuple(extents.get(name) for name in map_) != shape:
            yield _mistake("E0312", key, node, f"the map of %{operand} does not fit its shape {shape}")


def _check_indices(_graph: Graph, key: int, node: cg.Node) -> Iterator[Diagnostic]:
    """Every index of a contraction, a sum or a function walks an operand; only contractions and reductions reduce."""
    space = _space(node)
    if isinstance(node, cg.Contraction | cg.Sum | cg.Elementwise | cg.Reduction):
        walked = {name for map_ in node.maps for name in map_}
        for index in space.indices:
            if index.name not in walked:
                yield _mistake("E0313", key, node, f"index `{index.name}` walks no operand")
    if space.reduction and not isinstance(node, cg.Contraction | cg.Reduction):
        yield _mistake("E0313", key, node, "only a contraction and a reduction have reduction indices")
    if isinstance(node, cg.Reduction) and not (space.reduction and node.function.is_extremum):
        yield _mistake("E0313", key, node, "a reduction takes the largest or smallest entry over an index at least")


def _check_parts(graph: Graph, key: int, node: cg.Node) -> Iterator[Diagnostic]:
    """A slice, an embedding or an assignment names one part of every mode, inside it, with all indices of its space."""
    match node:
        case cg.Slice(space=space, parts=parts):
            shape = cg.result_shape(graph.node(graph.operands(key)[0]))
        case cg.Embedding(space=space, parts=parts, shape=shape):
            pass
        case cg.Assignment(space=space, parts=parts, tensor=tensor):
            shape = tensor.shape
        case (
            cg.Gather()
            | cg.Leaf()
            | cg.Contraction()
            | cg.Sum()
            | cg.Elementwise()
            | cg.Reduction()
            | cg.Scaling()
            | cg.ScalarTerm()
        ):
            return
    inside = all(_is_inside(part, space, size) for part, size in zip(parts, shape, strict=False))
    if len(parts) != len(shape) or not inside:
        yield _mistake("E0314", key, node, f"a part leaves the shape {shape}")
    elif {part.index for part in parts if isinstance(part, cg.Along)} != set(space.extents):
        yield _mistake("E0314", key, node, "the parts and the space have different indices")


def _check_gather(graph: Graph, key: int, node: cg.Node) -> Iterator[Diagnostic]:
    """A gather reads tensors as they are before the kernel, which writes none of them, where integers say."""
    if not isinstance(node, cg.Gather):
        return
    leaves = [graph.node(operand) for operand in graph.operands(key)]
    tensors = [each.tensor for each in leaves if isinstance(each, cg.Leaf)]
    if len(tensors) < len(leaves) or any(tensor.name in graph.versions for tensor in tensors):
        yield _mistake("E0318", key, node, "it reads what the kernel writes")
        return
    sources, extents = tensors[: node.sources], node.space.extents
    if len({(each.shape, each.storage) for each in sources}) != 1 or (len(sources) > 1) != (node.member is not None):
        yield _mistake("E0318", key, node, "the tensors that a member is chosen from have one shape and storage")
    elif len(node.parts) != len(sources[0].shape) or any(
        part.operand not in range(node.sources, len(tensors)) for part in node.entries
    ):
        yield _mistake("E0318", key, node, "each mode has a place, and operands behind the sources have the integers")
    elif node.element is not None and sources[0].storage is Storage.CONSTANT:
        yield _mistake("E0318", key, node, f"`{sources[0].name}` is one for all elements")
    else:
        walked = [(part, size) for part, size in zip(node.parts, sources[0].shape, strict=True)]
        for entry in node.entries:
            tensor = tensors[entry.operand]
            if not (tensor.memory or tensor.element_type).says_places or len(entry.parts) != tensor.order:
                yield _mistake("E0318", key, node, f"`{tensor.name}` has no integers of i32 or i64 there")
                return
            walked += zip(entry.parts, tensor.shape, strict=True)
        plain = [(part, size) for part, size in walked if not isinstance(part, cg.Entry)]
        if not all(_is_inside(part, node.space, size) for part, size in plain):
            yield _mistake("E0318", key, node, "a part leaves its shape")
        elif {part.index for part, _ in plain if isinstance(part, cg.Along)} != set(extents):
            yield _mistake("E0318", key, node, "the parts and the space have different indices")


def _is_inside(part: cg.Part, space: IterationSpace, size: Extent) -> bool:
    match part:
        case cg.Along(index=index, offset=offset):
            return cg.is_part(offset, space.extents.get(index, 0), size)
        case cg.At(position=position):
            return cg.is_part(position, 1, size)


def _check_versions(graph: Graph, key: int, node: cg.Node) -> Iterator[Diagnostic]:
    """An assignment that leaves entries as they are has the version before it as an operand, and no other has."""
    if not isinstance(node, cg.Assignment):
        return
    operands = graph.operands(key)
    keeps = len(operands) > cg.PREVIOUS
    if keeps == cg.covers(node.parts, node.space, node.tensor.shape):
        yield _mistake("E0315", key, node, "the version before is an operand if and only if entries of it survive")
    elif keeps and operands[cg.PREVIOUS] != graph.version_before(key):
        yield _mistake("E0315", key, node, f"%{operands[cg.PREVIOUS]} is not the version before")


def _check_users(graph: Graph, key: int, node: cg.Node) -> Iterator[Diagnostic]:
    """A value that is computed is used."""
    if not isinstance(node, cg.Leaf | cg.Assignment) and not graph.users(key):
        yield _mistake("E0316", key, node, "nothing reads this value")


def _check_scalars(graph: Graph, key: int, node: cg.Node) -> Iterator[Diagnostic]:
    """A coefficient names scalar arguments of the kernel only."""
    known = {scalar.name for scalar in graph.scalars}
    for name in cg.scalars(node):
        if name not in known:
            yield _mistake("E0317", key, node, f"`{name}` is no scalar argument")


CHECKS = (
    _check_operands,
    _check_names,
    _check_maps,
    _check_indices,
    _check_parts,
    _check_versions,
    _check_users,
    _check_scalars,
    _check_gather,
)
"""Each relies on those before it; the first that finds a mistake of a node is the last that is asked."""


def _space(node: cg.Node) -> IterationSpace:
    match node:
        case cg.Leaf() | cg.ScalarTerm():
            return IterationSpace(())
        case cg.Slice(space=space) | cg.Embedding(space=space) | cg.Contraction(space=space) | cg.Sum(space=space):
            return space
        case cg.Gather(space=space):
            return space
        case (
            cg.Scaling(space=space)
            | cg.Assignment(space=space)
            | cg.Elementwise(space=space)
            | cg.Reduction(space=space)
        ):
            return space


def _maps(node: cg.Node) -> tuple[IndexMap, ...]:
    match node:
        case cg.Contraction(maps=maps) | cg.Sum(maps=maps) | cg.Elementwise(maps=maps) | cg.Reduction(maps=maps):
            return maps
        case cg.Scaling(space=space) | cg.Embedding(space=space):
            return (space.result_map,)
        case cg.Assignment(map=map_):
            return (map_,)
        case cg.Leaf() | cg.Slice() | cg.Gather() | cg.ScalarTerm():
            return ()
