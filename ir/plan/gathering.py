"""Steps that read where integers say: from nodes of the graph, and as instructions of the YATeTo language."""

from collections.abc import Callable, Mapping

from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Label
from einsum_front.core.extent import Extent, without_limits
from einsum_front.core.facts import Indices
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.plan.plan import Gathering, Plan, Step, View
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
    return yir.Gather(yir.GatherMap(places, element, member, target), tuple(map(source, sources)), c, step.origin)


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
    return [Indices(tensor.name, tuple(bounds))] if bounds else []
