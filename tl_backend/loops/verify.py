"""Rules of loops; each is numbered in `docs/loops.md` and has one code.

E0903  a tensor that is used is declared, once, with as many strides as modes
E0904  an axis is used inside of the one loop that has it, and counts from 1 point on
E0905  an access lies inside of its tensor
E0906  an element stands in the accesses of tensors that have several, and only there
E0907  what all elements share is not written; known values are not either
E0908  the lanes of a vector are 2, 4, 8 or 16 elements, or neighbours along a mode, around one product or function
E0909  what sets its target without reading it is not inside of a loop that the target does not depend on
E0910  a stage writes what its updates write, and nothing is read in it that was not filled
E0911  what leaves out points is a tensor of known zeros, used at one place inside
E0912  one loop over the elements is around each update; all have one size of blocks, temporaries are used in one
E0916  functions have their number of operands, which are entries, numbers or results of functions before
E0917  what goes past the caches is whole cache lines of an argument, each written once, and is not read
"""

from collections.abc import Iterable, Iterator

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Label
from einsum_front.core.functions import Function
from einsum_front.core.words import listed
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.kernel.types import LINE
from einsum_front.tl_backend.loops.extents import accesses_of, used
from einsum_front.tl_backend.loops.extents import around as extents_around
from einsum_front.tl_backend.loops.nodes import (
    Access,
    Apply,
    Binding,
    Call,
    Elements,
    Fill,
    Loop,
    Loops,
    Nodes,
    Prefetch,
    Product,
    Result,
    Stage,
    Tensor,
    Update,
    Write,
    inner,
    is_unrolled,
    updates,
    walk,
)
from einsum_front.tl_backend.loops.unparse import access_text, node_text

WIDTHS = (2, 4, 8, 16)
"""Lanes that vectors have."""


def verify(loops: Loops) -> tuple[Diagnostic, ...]:
    """Every rule that is broken, in the order of the text; none means that the loops can be run and lowered."""
    found = [*_tensors(loops)]
    if any(each.code == "E0912" for each in found):
        return tuple(found)  # nothing is known of elements then
    names = {each.name for each in loops.tensors}
    for node, around in walk(loops.body):
        found += _Place(loops, tuple(each for each in around if isinstance(each, Loop)), around).check(node, names)
    return tuple(found)


def check(loops: Loops) -> None:
    """Raises `CompileError` with every broken rule, if there is one."""
    found = verify(loops)
    if found:
        raise CompileError(found)


def _tensors(loops: Loops) -> Iterator[Diagnostic]:
    names = [each.name for each in loops.tensors]
    for name in sorted({each for each in names if names.count(each) > 1}):
        yield Diagnostic("E0903", f"`{name}` is declared twice")
    for each in loops.tensors:
        if len(each.shape) != len(each.strides):
            yield Diagnostic("E0903", f"`{each.name}` has {len(each.shape)} modes and {len(each.strides)} strides")
    batches = list(loops.batches)
    if len({each.extent for each in batches}) > 1:
        yield Diagnostic("E0912", "the loops over the elements have different blocks")
    for node, around in walk(loops.body):
        inside = [each for each in around if isinstance(each, Loop) and isinstance(each.extent, Elements)]
        if isinstance(node, Update | Prefetch | Stage) and len(inside) != 1:
            what = f"`{node_text(node)}` is inside of {len(inside) or 'no'} loops over the elements"
            yield Diagnostic("E0912", what)
    homes = [{access.tensor for update in updates(each.body) for access in update.accesses} for each in batches]
    for tensor in loops.tensors:
        if tensor.is_temporary and sum(tensor.name in each for each in homes) > 1:
            yield Diagnostic("E0912", f"the temporary `{tensor.name}` is used in several loops over the elements")


@dataclass(frozen=True, slots=True)
class _Place:
    """A place of the text: the loops around it, and all nodes."""

    loops: Loops
    around: tuple[Loop, ...]
    nodes: Nodes

    def check(self, node: object, names: set[str]) -> Iterator[Diagnostic]:
        match node:
            case Loop():
                yield from self._loop(node, names)
            case Stage():
                yield from self._stage(node, names)
            case Product():
                yield from self._update(node, names)
            case Apply():
                yield from self._update(node, names)
                yield from _calls(node)
            case Prefetch(tensor=tensor) if tensor not in names:
                yield Diagnostic("E0903", f"`{tensor}` is not declared")
            case Prefetch(axis=axis) if axis is not None and axis not in {each.axis for each in self.around}:
                yield Diagnostic("E0904", f"`{axis}` is the axis of no loop around `{node_text(node)}`")
            case _:  # open: a prefetch of a tensor has no other rule
                return

    def _loop(self, loop: Loop, names: set[str]) -> Iterator[Diagnostic]:
        if loop.axis in {each.axis for each in self.around}:
            yield Diagnostic("E0904", f"`{loop.axis}` is the axis of a loop around this one, too")
        if isinstance(loop.extent, int) and loop.extent < 1:
            yield Diagnostic("E0904", f"`{node_text(loop)}` has no point")
        if loop.binding is Binding.VECTOR:
            is_alone = len(loop.body) == 1 and isinstance(loop.body[0], Update)
            if loop.extent not in WIDTHS or not is_alone:
                what = "is not 2, 4, 8 or 16 lanes around one product or function"
                yield Diagnostic("E0908", f"`{node_text(loop)}` {what}")
        if isinstance(loop.extent, Elements) and loop.binding is not Binding.SEQUENTIAL:
            yield Diagnostic("E0912", "the loop over the elements is neither unrolled nor a vector")
        if loop.where is None:
            return
        if loop.where not in names:
            yield Diagnostic("E0903", f"`{loop.where}` is not declared")
        elif self.loops.by_name[loop.where].nonzeros is None:
            yield Diagnostic("E0911", f"which entries of `{loop.where}` are zero is not known")
        else:
            factors = (access for update in updates(loop.body) for access in update.accesses[1:])
            found = dict.fromkeys(access_text(access) for access in factors if access.tensor == loop.where)
            if len(found) != 1:  # the table has the points and the values of one of them
                what = listed([f"`{text}`" for text in found], "and") if found else "nothing"
                yield Diagnostic("E0911", f"inside of `{node_text(loop)}`, {what} would say which points are left out")

    def _stage(self, stage: Stage, names: set[str]) -> Iterator[Diagnostic]:
        if stage.tensor not in names:
            yield Diagnostic("E0903", f"`{stage.tensor}` is not declared")
            return
        written = [each for each in updates(stage.body) if each.target.tensor == stage.tensor]
        if bool(written) is (stage.write is Write.NOTHING):
            what = "is written, and the stage writes nothing" if written else "is not written"
            yield Diagnostic("E0910", f"inside of `{node_text(stage)}`, `{stage.tensor}` {what}")
        reads = [each for each in updates(stage.body) if stage.tensor in (a.tensor for a in each.accesses[1:])]
        if stage.write is Write.ADD and (reads or stage.fill is not Fill.ZERO):
            yield Diagnostic(
                "E0910", f"`{node_text(stage)}` adds sums: they start at zero, and nothing else reads them"
            )
        if stage.fill is Fill.NOTHING and not written:
            yield Diagnostic("E0910", f"`{node_text(stage)}` has nothing that could be read")

    def _update(self, update: Update, names: set[str]) -> Iterator[Diagnostic]:
        unknown = [each for each in update.accesses if each.tensor not in names]
        yield from (_at(update, "E0903", f"`{each.tensor}` is not declared") for each in unknown)
        if unknown:
            return
        yield from self._axes(update)
        for access in update.accesses:
            yield from self._access(access, update)
        target = self.loops.by_name[update.target.tensor]
        if not target.is_temporary and (target.batch is None or target.values is not None):
            yield _at(update, "E0907", f"`{target.name}` is shared by all elements, or its values are known")
        others = [each.axis for each in self.around if not update.target.uses(each.axis)]
        sets = not update.adds and update.target not in update.accesses[1:]
        if sets and (lost := [axis for axis in others if axis != self._batch and self._extent(axis) != 1]):
            yield _at(update, "E0909", f"`{access_text(update.target)}` is set for each {listed(lost, 'and')} again")
        yield from self._lanes(update)
        yield from self._streams(update)

    @property
    def _batch(self) -> str:
        return next((each.axis for each in self.around if isinstance(each.extent, Elements)), "")

    def _extent(self, axis: str) -> int | Elements:
        return next((each.extent for each in self.around if each.axis == axis), 1)

    def _axes(self, update: Update) -> Iterator[Diagnostic]:
        known = {each.axis for each in self.around}
        used = {axis for access in update.accesses for each in access.affine for axis in each.names}
        for axis in sorted(used - known):
            yield _at(update, "E0904", f"`{axis}` is the axis of no loop around this")

    def _access(self, access: Access, update: Update) -> Iterator[Diagnostic]:
        tensor, text = self.loops.by_name[access.tensor], access_text(access)
        if len(access.index) != len(tensor.shape):
            yield _at(
                update,
                "E0905",
                f"`{text}` has {len(access.index)} positions, `{tensor.name}` {len(tensor.shape)} modes",
            )
            return
        low, high = self._range(tensor.position(access.index))
        if low < 0 or high >= max(tensor.size, 1):
            yield _at(
                update, "E0905", f"`{text}` reaches position {high if high >= tensor.size else low} of {tensor.size}"
            )
        has_several = tensor.batch is not None
        if has_several and (access.element is None or self._batch not in access.element.names):
            yield _at(update, "E0906", f"`{text}` does not say which element it is of")
        if not has_several and access.element is not None and not tensor.is_temporary:
            yield _at(update, "E0906", f"`{tensor.name}` is one for all elements")

    def _range(self, position: Affine) -> tuple[int, int]:
        """The least and the greatest value of an index over the loops around."""
        low = high = position.constant
        for axis, factor in position.terms:
            extent = self._extent(axis)
            reach = factor * (extent - 1) if isinstance(extent, int) else 0
            low, high = low + min(reach, 0), high + max(reach, 0)
        return low, high

    def _lanes(self, update: Update) -> Iterator[Diagnostic]:
        vectors = [each.axis for each in self.around if each.binding is Binding.VECTOR]
        block = self.loops.batch.extent if self.loops.batch is not None else None
        for axis in {axis for each in update.accesses if each.element for axis in each.element.names} - {self._batch}:
            is_block = isinstance(block, Elements) and self._extent(axis) == block.block and axis in vectors
            if not is_block:
                yield _at(
                    update, "E0908", f"`{axis}` counts elements, and is not the lanes of vectors of a whole block"
                )
        if len(vectors) > 1:
            yield _at(update, "E0908", f"the axes {listed(vectors, 'and')} are vectors, and one of them could be")
        for axis in vectors[:1]:
            for access in update.accesses:
                tensor = self.loops.by_name[access.tensor]
                distance = lane_distance(access, tensor, axis)
                is_of_element = access.element is not None and axis in access.element.names
                if distance and tensor.is_fastest and not is_of_element:
                    yield _at(update, "E0908", f"lanes of `{access_text(access)}` are in different rows of elements")
                elif distance not in (0, 1):
                    yield _at(update, "E0908", f"lanes of `{access_text(access)}` are {distance} entries apart")
            if not update.target.uses(axis):
                yield _at(update, "E0908", f"`{access_text(update.target)}` is one entry for all lanes of `{axis}`")

    # -- stores past the caches ----------------------------------------------------------------------------------------

    def _streams(self, update: Update) -> Iterator[Diagnostic]:
        for access in update.accesses[1:]:
            if self.loops.by_name[access.tensor].streamed is not None:
                yield _at(
                    update, "E0917", f"`{access.tensor}` goes past the caches, and `{access_text(access)}` is read"
                )
        tensor = self.loops.by_name[update.target.tensor]
        if tensor.streamed is None:
            return
        if tensor.batch is None:
            yield _at(update, "E0917", f"`{tensor.name}` goes past the caches, and is no argument of all elements")
            return
        vector = next((each for each in self.around if each.binding is Binding.VECTOR), None)
        lanes = vector.extent if vector is not None and isinstance(vector.extent, int) else 1
        if lanes * tensor.bytes % LINE:
            what = f"stores of `{access_text(update.target)}` are {lanes * tensor.bytes} bytes long"
            yield _at(update, "E0917", f"{what}: only whole cache lines of {LINE} go past the caches")
        elif vector is not None and not tensor.is_fastest and not self._begins_lines(update.target, tensor, vector):
            yield _at(update, "E0917", f"vectors of `{access_text(update.target)}` begin within cache lines")
        elif not tensor.is_fastest and not self._fills_lines(tensor):
            yield _at(update, "E0917", f"of cache lines of `{tensor.name}` a part is written")
        if not self._is_written_once(update):
            yield _at(
                update, "E0917", f"`{access_text(update.target)}` goes past the caches, and is added to in memory"
            )

    @staticmethod
    def _begins_lines(target: Access, tensor: Tensor, vector: Loop) -> bool:
        """True if vectors of neighbours begin at multiples of their lanes, where the memory does."""
        lanes, offset = vector.extent, tensor.offset(target.index)
        if not isinstance(lanes, int) or not tensor.batch:
            return False
        is_of_elements = target.element is not None and vector.axis in target.element.names
        steps = () if is_of_elements else (offset.constant, *(n for axis, n in offset.terms if axis != vector.axis))
        return all(each % lanes == 0 for each in (tensor.batch, *steps))

    def _fills_lines(self, tensor: Tensor) -> bool:
        """True if an element writes all of each line that it writes to, as far as it has that line."""
        body, per_line = self.loops.body, LINE // tensor.bytes
        written: set[int] = set()
        for update, access in accesses_of(body, tensor.name):
            if access is update.target:
                written |= used(access, tensor, update, body, extents_around(update, body))
        starts = {offset // per_line * per_line for offset in written}
        return all(written.issuperset(range(start, min(start + per_line, tensor.span))) for start in starts)

    def _is_written_once(self, update: Update) -> bool:
        """True if the target is set, or what is added to it is one sum with what sets it, or is in registers."""
        name = update.target.tensor
        stage = next((each for each in self.nodes if isinstance(each, Stage) and each.tensor == name), None)
        if stage is not None:
            return stage.fill is not Fill.LOAD and stage.write is Write.SET
        if not update.adds:
            return True
        body = next(inner(each) for each in reversed(self.nodes) if not is_unrolled(each))
        place = next(number for number, each in enumerate(body) if any(one is update for one in updates((each,))))
        for first, each in enumerate(body[: place + 1]):
            if any(one.target.tensor == name and not one.adds for one in updates((each,))):
                one_sum = body[first : place + 1]
                found = tuple(updates(one_sum))
                made = {one.target.tensor for one in found}
                reads = {access.tensor for one in found for access in one.accesses[1:]}
                is_code = all(map(is_unrolled, one_sum)) and not any(isinstance(one, Apply) for one in found)
                return is_code and not made & reads  # else what is made is stored before
        return False


def _calls(apply: Apply) -> Iterator[Diagnostic]:
    known: set[str] = set()
    for call in (*apply.calls, Call("", Function.ABS, (apply.value,))):
        if len(call.operands) != call.function.arity:
            what = f"`{call.function.value}` has {call.function.arity} operands, and {len(call.operands)} are given"
            yield _at(apply, "E0916", what)
        for each in call.operands:
            if isinstance(each, Result) and each.name not in known:
                yield _at(apply, "E0916", f"`{each.name}` is no result of a function before")
        if call.name in known:
            yield _at(apply, "E0916", f"`{call.name}` is there twice")
        known.add(call.name)


def lane_distance(access: Access, tensor: Tensor, axis: str) -> int:
    """Entries between the lanes of an access; 1 too where the lanes are elements, each of which has its own memory."""
    if access.element is not None and axis in access.element.names:
        return 1
    return dict(tensor.offset(access.index).terms).get(axis, 0)


def _at(update: Update, code: str, message: str) -> Diagnostic:
    labels: Iterable[Label] = (Label(span) for span in update.origin[:1])
    return Diagnostic(code, message, tuple(labels))
