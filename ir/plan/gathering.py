"""Steps that read where integers say: from nodes of the graph, and as instructions of the YATeTo language."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from einsum_front.core.coefficient import ONE
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Label
from einsum_front.core.extent import Extent, product, without_limits
from einsum_front.core.facts import Indices
from einsum_front.core.names import Names
from einsum_front.core.scattered import Said, Scatter, Walked
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.values import column_major
from einsum_front.ir.index import Index, IterationSpace
from einsum_front.ir.plan.memory import with_lifetimes
from einsum_front.ir.plan.plan import Cost, Gathering, Plan, Step, View
from einsum_front.ir.plan.widen import copied
from einsum_front.ir.tensor import Tensor
from einsum_front.ir.yateto import nodes as yir


def gathering_of(graph: Graph, key: int, node: cg.Gather) -> Gathering:
    """What a step reads where: operands are leaves, which are arguments."""
    names = [graph.tensor_of(operand).name for operand in graph.operands(key)]

    def view(entry: cg.Entry) -> View:
        return View(names[entry.operand], entry.parts)

    def place(part: cg.Part | cg.Entry) -> str | int | View:
        if isinstance(part, cg.Entry):
            return view(part)
        return part.position if isinstance(part, cg.At) else part.index

    element, member = (None if each is None else view(each) for each in (node.element, node.member))
    return Gathering(tuple(names[: node.sources]), tuple(map(place, node.parts)), element, member)


def with_scatters(plan: Plan, graph: Graph) -> Plan:
    """The plan with what elements add to others: steps for what is atomic, which comes from temporaries."""
    atomic = {each.source: each for each in graph.scatters if each.is_atomic}
    later = tuple(each for each in graph.scatters if not each.is_atomic)
    tensors = [buffer.tensor for buffer in plan.buffers]
    kept = [_temporary(tensor) if tensor.name in atomic else tensor for tensor in tensors]
    of = {tensor.name: tensor for tensor in kept}
    steps = (*plan.steps, *(_scatter_step(each, of[name]) for name, each in atomic.items()))
    return replace(plan, buffers=with_lifetimes(kept, steps), steps=steps, scatters=later)


def _temporary(tensor: Tensor) -> Tensor:
    strides = column_major(tensor.shape, Storage.TEMPORARY)
    return replace(tensor, storage=Storage.TEMPORARY, strides=strides)


def _scatter_step(scatter: Scatter, source: Tensor) -> Step:
    space = IterationSpace(tuple(Index(*each) for each in zip(scatter.indices, source.shape, strict=True)))

    def view(said: Said) -> View:
        return View(said.tensor, tuple(map(_part, said.places)))

    places = tuple(
        view(each) if isinstance(each, Said) else each.index if isinstance(each, Walked) else each
        for each in scatter.places
    )
    element = None if scatter.element is None else view(scatter.element)
    gathering = Gathering((scatter.target,), places, element, adds=True)
    moved = product(space.result_shape) * source.element_type.size
    added = View(source.name, tuple(cg.Along(name) for name in scatter.indices))
    cost = Cost(operations=product(space.result_shape), read=2 * moved, written=moved)
    step = Step(space, (), added, ONE, ONE, cost, origin=scatter.origin, gathering=gathering)
    return replace(step, statement=scatter.origin)


def _part(place: Walked | int) -> cg.Part:
    return cg.Along(place.index, place.first) if isinstance(place, Walked) else cg.At(place)


def of_other_elements(plan: Plan) -> set[str]:
    """The arguments that steps read of other elements alone."""
    own: set[str] = set()
    others: set[str] = set()
    for step in plan.steps:
        if step.gathering is not None and step.gathering.element is not None:
            others |= {*step.gathering.sources}
            own |= {view.buffer for view in (*step.gathering.integers, step.target)}
        else:
            own |= {*step.buffers}
    return others - own


def gather_of(
    step: Step,
    tensors: Mapping[str, Tensor],
    entry: Callable[[View], yir.Entry],
    source: Callable[[Tensor], yir.Source],
    target: yir.Indices,
    c: yir.Operand,
) -> yir.Gather:
    """The instruction of a step; its places are in the order of memory.

    Raises CompileError (E0246) if the tensors that an integer chooses from lie in different ways.
    """
    gathering = step.gathering
    if gathering is None:
        raise CompilerBug("a step that gathers knows what")
    sources = [tensors[name] for name in gathering.sources]
    if len({tensor.strides for tensor in sources}) > 1:
        names = ", ".join(f"`{name}`" for name in gathering.sources)
        message = f"{names} lie in different layouts, and an integer chooses one of them"
        raise CompileError([Diagnostic("E0246", message, tuple(Label(span) for span in step.origin[:1]))])
    places = tuple(
        entry(place) if isinstance(place, View) else place
        for place in (gathering.places[mode] for mode in sources[0].modes_by_stride)
    )
    element, member = (None if each is None else entry(each) for each in (gathering.element, gathering.member))
    map_, given = yir.GatherMap(places, element, member, target), tuple(map(source, sources))
    return yir.Gather(map_, given, c, gathering.adds, step.origin)


def as_stored(gather: yir.Gather, names: Names) -> tuple[yir.Instruction, ...]:
    """A gather by way of a temporary in the type of its sources, if the target has another one."""
    stored, c, origin = gather.sources[0].memref.element, gather.c, gather.origin
    if stored is c.type.element:
        return (gather,)
    local = yir.Local(names.like(f"{c.value.name}_{stored.value}"))
    found = yir.Operand(local, yir.MemrefType.packed(stored, c.type.shape))
    first = yir.Alloca(local, found.type, origin)
    return first, replace(gather, c=found), copied(found, c, origin), yir.LifetimeStop(local, origin)


def group_type(tensor: Tensor, type_: yir.Type) -> yir.GroupType:
    """The type of a tensor that each element has."""
    if not isinstance(type_, yir.GroupType):
        raise CompilerBug(f"`{tensor.name}` is one for all elements")
    return type_


def indices_of(tensor: Tensor, plan: Plan) -> list[yir.Fact]:
    """What the integers of an argument are below, where steps of the plan or its prologue take them for places."""
    bounds: dict[Extent | None, None] = {}
    for step in (*plan.steps, *(() if plan.prologue is None else plan.prologue.steps)):
        gathering = step.gathering
        if gathering is None or tensor.name not in gathering.buffers:
            continue
        source = {**plan.tensors, **({} if plan.prologue is None else plan.prologue.tensors)}[gathering.sources[0]]
        for place, size in zip(gathering.places, source.shape, strict=True):
            if isinstance(place, View) and place.buffer == tensor.name:
                bounds[without_limits(size)] = None
        if gathering.element is not None and gathering.element.buffer == tensor.name:
            bounds[None] = None
        if gathering.member is not None and gathering.member.buffer == tensor.name:
            bounds[len(gathering.sources)] = None
    for scatter in plan.scatters:
        for said, size in zip(scatter.places, plan.tensors[scatter.target].shape, strict=True):
            if isinstance(said, Said) and said.tensor == tensor.name:
                bounds[without_limits(size)] = None
        if scatter.element is not None and scatter.element.tensor == tensor.name:
            bounds[None] = None
    return [Indices(tensor.name, tuple(bounds))] if bounds else []
