"""A kernel as drawings: for each statement the tensor networks of its terms, and the orders that were chosen.

A tensor of a network is a node, an index is the label of the line between the tensors that it walks. An index of the
result hangs free. What is no tensor (a sum in brackets, a function) is a node with its formula.
"""

from collections.abc import Iterator, Sequence

from einsum_front.core.coefficient import unparse as unparse_coefficient
from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent_text import text_of_shape
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.unparse import unparse_parts
from einsum_front.ir.index import IndexMap, IterationSpace, spelled
from einsum_front.ir.plan.diagram import Block, Diagram, DrawnKind, DrawnNode, Sheet, folded_blocks, folded_diagrams
from einsum_front.ir.plan.order import Operand, Tree, subtrees
from einsum_front.ir.plan.plan import Decision, Plan

LONGEST_LABEL = 22
"""Letters that the formula of a node may have; what is longer gets a name and a drawing or a line of its own."""


def sheets(graph: Graph, plan: Plan, *, has_batch: bool = True) -> tuple[Sheet, ...]:
    """The drawings of a kernel, before them what is computed once per launch; the graph is the one that was planned.

    Without a batch no tensor is said to be batched.
    """
    cost = plan.cost
    batch = "for each element of a batch" if has_batch else "no batch"
    notes = (
        f"{batch}: {cost.operations} operations on nonzeros, {cost.bytes} bytes moved",
        *(("what is computed once per launch is drawn on its own",) if graph.prologue is not None else ()),
    )
    own = Sheet(graph.name, notes, _Drawing(graph, plan, has_batch).blocks())
    if graph.prologue is None or plan.prologue is None:
        return (own,)
    operations = plan.prologue.cost.operations
    blocks = _Drawing(graph.prologue, plan.prologue, has_batch=True).blocks()
    return (Sheet(graph.prologue.name, (f"once per launch: {operations} operations on nonzeros",), blocks), own)


@dataclass(frozen=True, slots=True)
class _Term:
    """A product: the keys of its factors, and the index that walks each of their modes."""

    key: int
    space: IterationSpace
    factors: tuple[int, ...]
    maps: tuple[IndexMap, ...]


class _Drawing:
    """The drawings of one graph."""

    def __init__(self, graph: Graph, plan: Plan, has_batch: bool) -> None:
        self._graph = graph
        self._decisions = {decision.node: decision for decision in plan.decisions}
        self._has_batch = has_batch

    def blocks(self) -> tuple[Block, ...]:
        """A block for each statement, and one for all that differ in numbers only."""
        statements = [key for key, node in self._graph.nodes if isinstance(node, cg.Assignment)]
        drawn: dict[int, int] = {}
        return folded_blocks([self._block(number, key, drawn) for number, key in enumerate(statements, start=1)])

    def _block(self, number: int, key: int, drawn: dict[int, int]) -> Block:
        """A statement; `drawn` says in which statements before the products were drawn that it computes as well."""
        node = self._graph.assignment(key)
        terms = self._terms(key)
        diagrams = folded_diagrams([self._diagrams(term) for term in terms if term.key not in drawn])
        notes = (
            *(f"%{each} = {self._formula(each)}" for each in self._named(key)),
            *(f"has a product of statement {drawn[term.key]}" for term in terms if term.key in drawn),
        )
        drawn |= {term.key: number for term in terms if term.key not in drawn}
        return Block(number, self._title(node, key), notes, tuple(each for several in diagrams for each in several))

    def _title(self, node: cg.Assignment, key: int) -> str:
        if node.origin:
            return " ".join(node.origin[0].text.split())
        value = self._formula(self._graph.operands(key)[cg.VALUE])
        return f"{node.tensor.name}{unparse_parts(node.parts)} := {value}"

    # -- what a statement is made of -----------------------------------------------------------------------------------

    def _reads(self, key: int) -> Iterator[int]:
        """The values that a statement computes, from the last to the first; what others computed is only read."""
        waiting, found = [self._graph.operands(key)[cg.VALUE]], set()
        while waiting:
            each = waiting.pop()
            if each in found or isinstance(self._graph.node(each), cg.Leaf | cg.Assignment):
                continue
            found.add(each)
            yield each
            waiting += reversed(self._graph.operands(each))

    def _terms(self, key: int) -> list[_Term]:
        """The products of a statement, those that others read first; a statement without any is a copy of a tensor."""
        found = [
            _Term(each, node.space, self._graph.operands(each), node.maps)
            for each in self._reads(key)
            if isinstance(node := self._graph.node(each), cg.Contraction)
        ]
        if found:
            return sorted(found, key=lambda term: term.key)
        node = self._graph.assignment(key)
        value = self._graph.operands(key)[cg.VALUE]
        sources = [each for each in self._sources(value) if each not in self._graph.operands(key)[cg.PREVIOUS :]]
        return [_Term(key, node.space, (each,), (node.map,)) for each in sources[:1] if len(sources) == 1]

    def _sources(self, key: int) -> tuple[int, ...]:
        """The terms of a sum, or the value itself."""
        return self._graph.operands(key) if isinstance(self._graph.node(key), cg.Sum) else (key,)

    def _named(self, key: int) -> list[int]:
        """What factors of the products of a statement are made of, where it is no product and too long for a label."""
        waiting = [factor for term in self._terms(key) for factor in term.factors]
        found: set[int] = set()
        while waiting:
            each = waiting.pop()
            if isinstance(self._graph.node(each), cg.Leaf | cg.Assignment | cg.Contraction):
                continue
            if self._label(each) == f"%{each}":
                found.add(each)
            waiting += self._parts(each)
        return sorted(found)

    def _parts(self, key: int) -> tuple[int, ...]:
        """What the formula of a node names: the operands, and those of sums inside sums."""
        operands = self._graph.operands(key)
        if not isinstance(self._graph.node(key), cg.Sum):
            return operands
        nested = ((self._parts(each) if self._is_plain_sum(each) else (each,)) for each in operands)
        return tuple(each for several in nested for each in several)

    def _is_plain_sum(self, key: int) -> bool:
        """True for a sum that nobody else reads: its terms can stand beside others."""
        return isinstance(self._graph.node(key), cg.Sum) and len(self._graph.users(key)) == 1

    def _is_product(self, key: int) -> bool:
        return isinstance(self._graph.node(key), cg.Contraction)

    # -- words ---------------------------------------------------------------------------------------------------------

    def _label(self, key: int) -> str:
        """A node as a factor: the name of a tensor, a short formula, or its key."""
        formula = self._formula(key)
        is_name = isinstance(self._graph.node(key), cg.Leaf | cg.Assignment)
        return formula if is_name or len(formula) <= LONGEST_LABEL else f"%{key}"

    def _formula(self, key: int) -> str:
        """The value of a node in terms of tensors and of products, which are called by their keys."""
        node = self._graph.node(key)
        operands = self._graph.operands(key)
        match node:
            case cg.Leaf(tensor=tensor) | cg.Assignment(tensor=tensor):
                return tensor.name
            case cg.Slice(parts=parts):
                return f"{self._label(operands[0])}{unparse_parts(parts)}"
            case cg.Embedding(shape=shape):
                return f"{self._label(operands[0])} in {text_of_shape(shape)}"
            case cg.Gather(sources=sources):
                return f"gather({', '.join(map(self._label, operands[:sources]))})"
            case cg.Contraction():
                return f"%{key}"
            case cg.Sum():
                return f"({' + '.join(map(self._label, self._parts(key)))})".replace("+ -1 * ", "- ")
            case cg.Elementwise(function=function):
                return f"{function.value}({', '.join(map(self._label, operands))})"
            case cg.Reduction(function=function, space=space):
                names = spelled(tuple(index.name for index in space.reduction))
                return f"{function.value} over {names} of {self._label(operands[0])}"
            case cg.Scaling(coefficient=coefficient):
                return f"{unparse_coefficient(coefficient)} * {self._label(operands[0])}"
            case cg.ScalarTerm(value=value):
                return unparse_coefficient(value)

    # -- diagrams ------------------------------------------------------------------------------------------------------

    def _diagrams(self, term: _Term) -> tuple[Diagram, ...]:
        """The network of a term, and the tree of its order if there was one to be chosen."""
        decision = self._decisions.get(term.key)
        is_read = self._is_product(term.key) and not self._is_statement_value(term.key)
        network = self._network(term, f"%{term.key} =" if is_read else "")
        return (network,) if decision is None else (network, self._tree(term, decision))

    def _is_statement_value(self, key: int) -> bool:
        """True if sums, coefficients and statements alone read a product: its name is of no use then."""
        users = [user for user, _ in self._graph.users(key)]
        return all(
            isinstance(node := self._graph.node(user), cg.Assignment)
            or (isinstance(node, cg.Sum | cg.Scaling) and self._is_statement_value(user))
            for user in users
        )

    def _network(self, term: _Term, caption: str) -> Diagram:
        """Tensors and indices; a line leads from a tensor to an index, and from there to the tensors behind it.

        The first tensor is the one with the first index of the result, others follow as indices lead to them.
        """
        order = _walked(term)
        rank = {factor: position for position, factor in enumerate(order)}
        nodes = [self._tensor(term.factors[factor]) for factor in order]
        edges: list[tuple[int, int]] = []
        free = set(term.space.result_map)
        for name, extent in term.space.extents.items():
            walked = sorted(rank[number] for number, map_ in enumerate(term.maps) if name in map_)
            index = len(nodes)
            nodes.append(DrawnNode((f"{name} {extent}",), DrawnKind.FREE if name in free else DrawnKind.SUMMED))
            is_in_front = walked == [0] and len(order) > 1 and not any(end == 0 for _, end in edges)
            before, behind = ([], walked) if is_in_front else (walked[:1], walked[1:])
            edges += [*((number, index) for number in before), *((index, number) for number in behind)]
        return Diagram(caption, tuple(nodes), tuple(edges))

    def _tensor(self, key: int) -> DrawnNode:
        shape = text_of_shape(cg.result_shape(self._graph.node(key))) or "scalar"
        return DrawnNode((self._label(key), shape), self._kind(key))

    def _kind(self, key: int) -> DrawnKind:
        """What a value is: an argument, or a part of one, or anything that the kernel computes."""
        match self._graph.node(key):
            case cg.Leaf(tensor=tensor):
                if tensor.storage is Storage.TEMPORARY:
                    return DrawnKind.COMPUTED
                if not self._has_batch:
                    return DrawnKind.TENSOR
                return DrawnKind.SHARED if tensor.storage is Storage.CONSTANT else DrawnKind.PER_ELEMENT
            case cg.Slice() | cg.Embedding():
                return self._kind(self._graph.operands(key)[0])
            case (
                cg.Contraction() | cg.Sum() | cg.Elementwise() | cg.Reduction() | cg.Scaling() | cg.ScalarTerm()
                | cg.Assignment() | cg.Gather()
            ):  # fmt: skip
                return DrawnKind.COMPUTED

    def _tree(self, term: _Term, decision: Decision) -> Diagram:
        """The products of a contraction, each behind its factors."""
        parts = list(subtrees(decision.taken.tree))
        number = {id(part): position for position, part in enumerate(parts)}
        edges = tuple(
            (number[id(factor)], position)
            for position, part in enumerate(parts)
            if not isinstance(part, Operand)
            for factor in (part.left, part.right)
        )
        nodes = tuple(self._part(part, term, decision, is_last=number[id(part)] == 0) for part in parts)
        return Diagram("", nodes, edges, has_arrows=True)

    def _part(self, tree: Tree, term: _Term, decision: Decision, *, is_last: bool) -> DrawnNode:
        if isinstance(tree, Operand):
            key = term.factors[tree.factor]
            return DrawnNode((self._label(key),), self._kind(key))
        shape = text_of_shape(decision.problem.extents[name] for name in tree.indices) or "scalar"
        size = f"{spelled(tree.indices)} {shape}" if tree.indices else "scalar"
        return DrawnNode((size, f"{tree.operations} operations"), DrawnKind.RESULT if is_last else DrawnKind.PRODUCT)


def _walked(term: _Term) -> list[int]:
    """The factors of a product from one end of a chain to the other, as far as it is one.

    It begins at the factor that has fewest neighbours, the one with the first index of the result if several have.
    """
    neighbours = [
        [other for other, theirs in enumerate(term.maps) if other != number and set(own) & set(theirs)]
        for number, own in enumerate(term.maps)
    ]
    position = {name: place for place, name in enumerate(term.space.result_map)}
    first = [min((position[name] for name in map_ if name in position), default=len(position)) for map_ in term.maps]
    waiting = sorted(range(len(term.maps)), key=lambda number: (len(neighbours[number]), first[number], number))
    found: list[int] = []
    while waiting:
        reached = [number for number in waiting if any(number in neighbours[each] for each in found[-1:])]
        near = reached or [number for number in waiting if any(number in neighbours[each] for each in found)]
        found.append((near or waiting)[0])
        waiting.remove(found[-1])
    return found


def legend(drawn: Sequence[Sheet]) -> tuple[DrawnKind, ...]:
    """The kinds of nodes that are drawn, in the order of `DrawnKind`."""
    blocks = [block for sheet in drawn for block in sheet.blocks]
    kinds = {node.kind for block in blocks for diagram in block.diagrams for node in diagram.nodes}
    return tuple(kind for kind in DrawnKind if kind in kinds)
