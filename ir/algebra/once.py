"""Values that are batch-invariant are computed once per launch, by a graph of their own: the prologue.

    Q[k,p] := K[k,l] * M[l,m] * I[m,p]         K_M[k,m] := K[k,l] * M[l,m]        in the prologue
                                               Q[k,p]   := K_M[k,m] * I[m,p]
    Q[k,p] := (K[k,l] + 2 * M[k,l]) * I[l,p]   K_M[k,l] := K[k,l] + 2 * M[k,l]    in the prologue
                                               Q[k,p]   := K_M[k,l] * I[l,p]

Values that depend on nothing but constants and scalars are such, and temporary tensors that have such values; so are
products of some factors of a product, and sums of some terms of a sum. Which factors are multiplied, the search for the
order decides, to which a product of constants costs next to nothing. A coefficient of a product goes to a constant.

Left: what does not make the kernel cheaper (`cost_of_element`).
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from math import inf

from einsum_front.core.coefficient import is_sign
from einsum_front.core.extent import hint
from einsum_front.core.machine import Machine
from einsum_front.core.names import Names
from einsum_front.core.pattern_network import Factor
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.algebra.known import KnownValues
from einsum_front.ir.algebra.price import Pricing, cost_of_element, is_part_of_constant, price_of
from einsum_front.ir.algebra.product import indices_of
from einsum_front.ir.algebra.rewrite import same_for_all
from einsum_front.ir.algebra.separate import Group, Separation, product_of, regrouped
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable
from einsum_front.ir.index import IterationSpace
from einsum_front.ir.plan.order import Pair, Tree, members
from einsum_front.ir.plan.pattern import entries
from einsum_front.ir.plan.products import make_ready
from einsum_front.ir.plan.sparsity import Sparsity, analyse
from einsum_front.ir.plan.subsets import alone

NOTHING = Pattern.empty(())
"""The pattern of factors whose indices alone are asked for."""


def compute_constants_once(graph: Graph, machine: Machine, taken: Collection[str] = ()) -> Graph:
    """The graph with a prologue for what is batch-invariant; the graph itself, if that is no cheaper.

    The prologue has a name that is not `taken`.
    """
    same = same_for_all(graph)
    if not any(_is_candidate(graph, same, key) for key, _ in graph.nodes):
        return graph
    name = Names(taken).fresh(f"{graph.name}_prologue")
    made = [each.graph(name) for each in _Choice(graph, same, machine).separations() if not each.is_empty]
    return min([graph, *made], key=partial(cost_of_element, machine=machine)) if made else graph


def _is_candidate(graph: Graph, same: frozenset[int], key: int) -> bool:
    """True if something of a value may be computed once."""
    node, operands = graph.node(key), graph.operands(key)
    if key in same:
        return not (isinstance(node, cg.Leaf | cg.ScalarTerm) or is_part_of_constant(graph, key))
    constants = [number for number, operand in enumerate(operands) if operand in same]
    match node:
        case cg.Contraction() if len(constants) != 1:
            return len(constants) > 1
        case cg.Contraction(space=space, maps=maps):
            own = alone([Factor(map_, NOTHING) for map_ in maps], space.result_map)
            return bool(own[constants[0]])
        case cg.Sum():
            return len(constants) > 1
        case cg.Scaling(coefficient=coefficient):
            inner = graph.node(operands[0])
            has_constants = any(operand in same for operand in graph.operands(operands[0]))
            return isinstance(inner, cg.Contraction) and has_constants and not is_sign(coefficient)
        case (
            cg.Leaf()
            | cg.Slice()
            | cg.Embedding()
            | cg.Gather()
            | cg.Elementwise()
            | cg.Reduction()
            | cg.ScalarTerm()
            | cg.Assignment()
        ):
            return False


class _Choice:
    """Which values of a graph are computed once, one node after the other."""

    def __init__(self, graph: Graph, same: frozenset[int], machine: Machine) -> None:
        self._graph = graph
        self._machine, self._launch = machine, machine.launch
        self._same = same
        self._sparsity: Sparsity = analyse(graph)
        self._scratch = NodeTable()
        for key, node in graph.nodes:
            self._scratch.add(node, graph.operands(key))
        self._pricing = Pricing(self._scratch)
        self._known = KnownValues(graph)

    def separations(self) -> Iterator[Separation]:
        """All of them; and with coefficients, which two products that differ in nothing else keep from being one."""
        groups = {key: self._groups(key) for key, _ in self._graph.nodes if key not in self._same}
        groups = {key: found for key, found in groups.items() if found}
        yield self._separation(groups, frozenset())
        scaled = dict(groups)
        absorbed = frozenset(key for key, _ in self._graph.nodes if self._absorb(key, scaled))
        if absorbed:
            yield self._separation(scaled, absorbed)

    def _separation(self, groups: dict[int, tuple[Group, ...]], absorbed: frozenset[int]) -> Separation:
        grouped = {(key, number) for key, found in groups.items() for group in found for number in group.positions}
        whole = (key for key in sorted(self._same) if self._is_outermost(key, grouped) and self._pays(key))
        return Separation(self._graph, frozenset(whole), groups, absorbed)

    # -- values as a whole ---------------------------------------------------------------------------------------------

    def _is_outermost(self, key: int, grouped: set[tuple[int, int]]) -> bool:
        """True if a value that takes operations is read, as it is, by one that is not the same for all elements.

        `grouped` are uses as one of a group: the key of the user and the position.
        """
        uses = (use for use in self._graph.users(key) if use not in grouped)
        is_read = any(user not in self._same for user, _ in uses)
        return is_read and _is_candidate(self._graph, self._same, key) and not self._sparsity.equivalent[key].is_empty

    def _pays(self, key: int) -> bool:
        """True if reading a value takes less than computing it for each element."""
        alone = Separation(self._graph, frozenset([key]), {}).graph("alone")
        if alone.prologue is None:
            return False
        price = price_of(alone.prologue)
        computed = cost_of_element(alone.prologue, self._machine)
        read = self._launch.constant * self._entries(self._sparsity.equivalent[key], key)
        return read + self._launch.share(price.executed) < computed

    def _entries(self, pattern: Pattern, key: int) -> int:
        """Number of entries of a value that a pattern has; a hint if it depends on sizes."""
        return hint(entries(pattern, cg.result_shape(self._graph.node(key))))

    # -- factors and terms ---------------------------------------------------------------------------------------------

    def _groups(self, key: int) -> tuple[Group, ...]:
        """Groups that some operands of a node become, if that pays."""
        node = self._graph.node(key)
        if self._sparsity.equivalent[key].is_empty or not _is_candidate(self._graph, self._same, key):
            return ()
        match node:
            case cg.Contraction():
                found = tuple(self._products(key, node))
            case cg.Sum():
                found = tuple(self._sums(key, node))
            case (
                cg.Leaf()
                | cg.Slice()
                | cg.Embedding()
                | cg.Gather()
                | cg.Elementwise()
                | cg.Reduction()
                | cg.Scaling()
                | cg.ScalarTerm()
                | cg.Assignment()
            ):
                return ()
        return self._worthwhile(key, node, found) if found else ()

    def _products(self, key: int, node: cg.Contraction) -> Iterator[Group]:
        """The products that the best order makes of factors that are batch-invariant."""
        operands = self._graph.operands(key)
        once = frozenset(number for number, operand in enumerate(operands) if operand in self._same)
        ready = make_ready(self._sparsity, key, node, inf, once, self._launch)
        for tree in _within(ready.tree, once):
            positions = members(tree)
            if isinstance(tree, Pair) or ready.alone[tree.factor]:
                yield product_of(node, positions)

    def _sums(self, key: int, node: cg.Sum) -> Iterator[Group]:
        """The sum of all terms that are batch-invariant."""
        operands = self._graph.operands(key)
        positions = tuple(number for number, operand in enumerate(operands) if operand in self._same)
        if len(positions) > 1:
            walked = {name for number in positions for name in node.maps[number]}
            names = tuple(name for name in node.space.extents if name in walked)
            maps = tuple(node.maps[number] for number in positions)
            yield Group(
                positions, cg.Sum(IterationSpace(indices_of(names, node.space.extents)), maps, node.origin), names
            )

    # -- coefficients --------------------------------------------------------------------------------------------------

    def _absorb(self, key: int, groups: dict[int, tuple[Group, ...]]) -> bool:
        """True if a coefficient of a product becomes one of a constant in it, which `groups` know then."""
        node = self._graph.node(key)
        if not isinstance(node, cg.Scaling) or key in self._same or is_sign(node.coefficient):
            return False
        (product,) = self._graph.operands(key)
        inner = self._graph.node(product)
        if not isinstance(inner, cg.Contraction) or len(self._graph.users(product)) > 1:
            return False
        found = groups.get(product, ()) or self._smallest_constant(product, inner)
        if not found or self._sparsity.equivalent[key].is_empty:
            return False
        first, *others = found
        scaled = (replace(first, coefficient=node.coefficient), *others)
        operands = self._graph.operands(product)
        made = [group.add(self._scratch, operands) for group in found]
        grouped, left = regrouped(inner, operands, found, made)
        plain = self._scratch.add(grouped, left)
        before = self._pricing.price(self._scratch.add(node, (plain,)), left)
        saved = before.operations_and_copies - self._pricing.price(plain, left).operations_and_copies
        if saved <= self._launch.share(self._pricing.entries(made[0])):
            return False
        groups[product] = scaled
        return True

    def _smallest_constant(self, key: int, node: cg.Contraction) -> tuple[Group, ...]:
        """The constant with the fewest entries among the factors of a product, as a group of its own.

        One whose values are known stays what it is.
        """
        operands = self._graph.operands(key)
        numbers = [n for n, each in enumerate(operands) if each in self._same and self._known.of(each) is None]
        counts = {n: self._entries(self._sparsity.operands[key, n], operands[n]) for n in numbers}
        return (product_of(node, (min(numbers, key=counts.__getitem__),)),) if numbers else ()

    def _worthwhile(self, key: int, node: cg.Contraction | cg.Sum, groups: tuple[Group, ...]) -> tuple[Group, ...]:
        """The groups without those that a product or a sum is as cheap without; none, if it is so without all."""
        cost = self._cost(key, node, groups)
        for group in groups if len(groups) > 1 else ():
            others = tuple(each for each in groups if each is not group)
            if (without := self._cost(key, node, others)) <= cost:
                groups, cost = others, without
        return groups if cost < self._cost(key, node, ()) else ()

    def _cost(self, key: int, node: cg.Contraction | cg.Sum, groups: tuple[Group, ...]) -> float:
        """Cost for an element of a product or a sum with the groups in the place of their members."""
        operands = self._graph.operands(key)
        made = [group.add(self._scratch, operands) for group in groups]
        other, left = regrouped(node, operands, groups, made) if groups else (node, operands)
        grouped = {number for group in groups for number in group.positions}
        alone = [number for number, operand in enumerate(operands) if operand in self._same and number not in grouped]
        read = sum(self._entries(self._sparsity.operands[key, number], operands[number]) for number in alone)
        read += sum(self._pricing.entries(each) for each in made)
        price = self._pricing.price(self._scratch.add(other, left), left)
        once = sum(self._pricing.price(each, operands).executed for each in made)
        return price.operations_and_copies + self._launch.constant * read + self._launch.share(once)


def _within(tree: Tree, once: frozenset[int]) -> Iterator[Tree]:
    """The largest parts of a tree that have no other factors than these."""
    if once.issuperset(members(tree)):
        yield tree
    elif isinstance(tree, Pair):
        yield from _within(tree.left, once)
        yield from _within(tree.right, once)
