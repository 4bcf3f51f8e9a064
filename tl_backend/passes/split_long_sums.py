"""Long sums become sums of partial sums."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import TypeGuard

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.facts import Nonzeros, Values
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Accesses, find_accesses, whole
from einsum_front.tl_backend.analysis.bounds import Bounds, bounds
from einsum_front.tl_backend.analysis.dots import find_dots, is_plain
from einsum_front.tl_backend.builder import Builder, Index, Number, Part, Value
from einsum_front.tl_backend.builder.partial_sums import (
    LONGEST,
    MOST_PARTS,
    PART,
    Add,
    Terms,
    accumulate,
    accumulate_open,
    add_partial,
    entries,
    lane_terms,
    lanes,
    total,
    zeros,
)
from einsum_front.tl_backend.interpret.patterns import stated_mask
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import LocalNames, with_body, with_new_names, with_regions
from einsum_front.tl_backend.semantics import Axis, ModeUse, index_maps, memrefs, mode_uses, sizes
from einsum_front.tl_backend.traverse import defined_in, operands, regions, walk

SMALL = 16
"""Terms of a part of what is left of an open sum, and rows or columns of a block of a target of open size."""

FEW = 32
"""Additions to one memref that a loop does without partial sums."""

Reduction = tl.Sum | tl.Gemm | tl.Gemv


def split_long_sums(function: Function, *, is_cpu: bool, is_tiled: Callable[[Function], bool]) -> Function:
    """Add no more than `LONGEST` terms, and no more than a few partial sums, one after the other.

        sum.n 1.0, %A, 0.0, %b :                          %partial = alloca -> memref<f32x100>      zero at first
            f32, memref<f32x100x16384>, …                 for %k = 0, 16384, 2048 {
                                                            %partial_1 = alloca -> memref<f32x100>  zero at first
                                                            for %k_1 = 0, 2048, 128 {
                                                              %k_2 = arith.add %k, %k_1 : index
                                                              %A_part = subview %A[:, %k_2:128] : …
                                                              sum.n 1.0, %A_part, 1.0, %partial_1 : …
                                                            }
                                                            axpby.n 1.0, %partial_1, 1.0, %partial : …
                                                          }
                                                          axpby.n 1.0, %partial, 0.0, %b : …

    Longer sums have parts of `PART` terms. The sum of a vector is that of several sums side by side, and so is a dot
    product. Loops around collective instructions that add to
    one memref (β = 1) are split as well. A target of open size is computed in blocks.

    Left as they are: sums of few terms that may differ from zero; integers and mixed types; open extents where several
    work-items would meet in a branch; and what `is_tiled`, whose tiles have parts of the sum.
    """
    is_alone = is_cpu and prod(function.work_items) == 1
    splitter = _Splitter(
        LocalNames(function),
        find_accesses(function).copy(),
        bounds(function),
        find_dots(function, LONGEST),
        [fact for fact in function.facts if isinstance(fact, Nonzeros | Values)],
        has_branches=is_alone,
    )
    body = splitter.region(function.body)
    return function if body == function.body or is_tiled(function) else with_body(function, body)


@dataclass(frozen=True, slots=True)
class _Splitter:
    """The names and memory of the function, those in copies of its loops included.

    With `has_branches`, open extents may turn out to be short or long. `dots` has the entry-wise products that only one
    sum reads, by the name of their temporary. `zeros` are the facts about zeros of arguments.
    """

    names: LocalNames
    accesses: Accesses
    bounds: Mapping[str, Bounds]
    dots: Mapping[str, tl.HadamardProduct]
    zeros: Sequence[Nonzeros | Values]
    has_branches: bool

    def region(self, region: tl.Region) -> tl.Region:
        """The region with its long sums split."""
        asked = {each.result.name for each in region if isinstance(each, tl.Compare) and _asks_for_short(each)}
        return tuple(written for each in region for written in self._instruction(each, asked))

    def _instruction(self, instruction: tl.Instruction, asked: set[str]) -> tl.Region:
        match instruction:
            case tl.Alloca(result=tl.Local(name=name)) | tl.LifetimeStop(operand=tl.Local(name=name)) if (
                name in self.dots
            ):
                return ()
            case tl.HadamardProduct() if instruction.target.value.name in self.dots:
                return ()
            case tl.Sum() | tl.Gemm() | tl.Gemv():
                return self._sum(instruction)
            case tl.If(condition=tl.Local(name=name), otherwise=otherwise) if name in asked:  # short sums stay
                return (replace(instruction, otherwise=None if otherwise is None else self.region(otherwise)),)
            case tl.For():
                return self._loop(instruction)
            case (
                tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
                | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview() | tl.Collective()
                | tl.If() | tl.Foreach() | tl.Store() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
            ):  # fmt: skip
                return (with_regions(instruction, self.region),)

    # -- the sum of one instruction ------------------------------------------------------------------------------------

    def _sum(self, instruction: Reduction) -> tl.Region:
        depth = sizes(instruction)[Axis.K]
        uses = mode_uses(instruction)[Axis.K]
        is_short = any(each is not None and each <= LONGEST for each in (depth, *map(self._most, uses)))
        if is_short or not is_plain(instruction) or (depth is None and not self.has_branches):
            return (instruction,)
        if any(each is not None and each <= LONGEST for each in map(self._most_nonzeros, uses)):
            return (instruction,)
        builder = Builder.of_region(self.names, instruction.origin)
        if depth is not None:
            self._write(builder, instruction, depth)
            return builder.region
        use = uses[0]
        size = builder.size(_value(use.operand), use.mode)
        long = Builder.of_region(self.names, instruction.origin)
        self._write(long, instruction, size)
        is_short_now = builder.compare(tl.Condition.LE, size, LONGEST, name="is_short")
        builder.add(tl.If((), is_short_now.local, (), (instruction,), long.region, instruction.origin))
        return builder.region

    def _most(self, use: ModeUse) -> int | None:
        """A bound of a mode; None if none is known, as in copies of loops."""
        known = self.bounds.get(use.operand.value.name)
        return None if known is None else known[use.mode]

    def _most_nonzeros(self, use: ModeUse) -> int | None:
        """The most terms along a mode that may differ from zero; None for what is no argument with known zeros."""
        zeros = [fact for fact in self.zeros if fact.argument == use.operand.value.name]
        shape = tuple(size for size in use.operand.type.shape if size is not None)
        if not zeros or len(shape) < len(use.operand.type.shape):
            return None
        return int(stated_mask(zeros, shape).sum(axis=use.mode).max(initial=0))

    def _write(self, builder: Builder, instruction: Reduction, depth: int | Value) -> None:
        """The sum in parts, of which each is a collective instruction."""
        alpha, beta, c = _number(instruction.alpha), _number(instruction.beta), _value(instruction.target)
        shape = c.memref.shape
        if None in shape:
            self._write_blocks(builder, instruction, depth, shape.index(None))
            return
        if shape == () or (shape == (1,) and not isinstance(instruction, tl.Gemm)):
            sums = lanes(builder, c.memref.element)
            terms = lane_terms(self._vectors(builder, instruction), is_alone=self.has_branches)
            _accumulate(builder, depth, sums, terms)
            entry = builder.subview(c, 0) if shape else c
            builder.sum(alpha, total(builder, sums), beta, entry, atomic=instruction.atomic)
            return
        counts = (1, SMALL, PART)
        if isinstance(depth, int) and depth <= PART * MOST_PARTS and not instruction.atomic:
            _add_part(builder, instruction, 0, PART, c, instruction.beta)
            accumulate(builder, PART, depth - PART, c, Terms(_parts_of(instruction), counts))
            return
        once = replace(instruction, alpha=_one(instruction.alpha), atomic=False)
        partial = zeros(builder, c.memref)
        _accumulate(builder, depth, partial, Terms(_parts_of(once), counts))
        add_partial(builder, alpha, partial, beta, c, atomic=instruction.atomic)

    def _write_blocks(self, builder: Builder, instruction: Reduction, depth: int | Value, mode: int) -> None:
        """A target with an open mode, in blocks of known size: partial sums are temporaries, which have one."""
        size = builder.size(_value(instruction.target), mode)
        left = builder.arith(tl.BinaryOperator.REM, size, SMALL, name="left")
        end = builder.arith(tl.BinaryOperator.SUB, size, left, name="end")
        starts: tuple[tuple[Index, Index, int], ...] = ((0, end, SMALL), (end, size, 1))
        for first, stop, count in starts:
            with builder.for_loop(first, stop, count, name="block") as start:
                self._write(
                    builder, _sliced(builder, instruction, index_maps(instruction).target[mode], start, count), depth
                )

    def _vectors(self, builder: Builder, instruction: Reduction) -> tuple[Value, ...]:
        """The vectors whose entries, or the products of whose entries, are summed."""
        product = self.dots.get(instruction.inputs[0].value.name)
        if product is not None:
            return tuple(map(_value, product.inputs))
        a, *others = (use.operand for use in mode_uses(instruction)[Axis.K])
        if a.type.order == 1:
            return (_value(a),)
        mode = mode_uses(instruction)[Axis.K][0].mode
        parts: tuple[Part, ...] = ((0, None), 0) if mode == 0 else (0, (0, None))
        return builder.subview(_value(a), *parts), *map(_value, others)

    # -- the sum of a loop ---------------------------------------------------------------------------------------------

    def _loop(self, loop: tl.For) -> tl.Region:
        added = self._added(loop)
        if added is None:
            return (with_regions(loop, self.region),)
        memref, times = added
        count = _count(loop)
        if (times is not None and times <= FEW) or (count is None and not self.has_branches):
            return (with_regions(loop, self.region),)
        builder = Builder.of_region(self.names, loop.origin)
        c = _value(memref)
        terms = Terms(lambda inner, start, _, to: self._iteration(inner, loop, start, memref, to), (1,))
        if count is not None:
            accumulate(builder, _start(loop), count, c, terms)
        else:
            accumulate_open(builder, _start(loop), _stop(loop), c, terms)
        return builder.region

    def _iteration(self, builder: Builder, loop: tl.For, at: Index, memref: tl.TypedMemref, to: Value) -> None:
        """One iteration, which adds to another memref, by a single addition."""
        is_single = self._times(loop.body, memref.value.name) == 1
        partial = None if is_single else zeros(builder, to.memref)
        place = to if partial is None else entries(partial, to.memref.order, builder)
        values = {loop.variable.name: at.local if isinstance(at, Value) else tl.IntegerConstant(at)}
        body = _redirected(loop.body, memref.value.name, tl.TypedMemref(place.local, place.memref))
        copy = with_new_names(body, self.names, values)
        self.accesses.memrefs[place.local.name] = whole(place.local.name, place.memref)
        for instruction in walk(copy):
            self.accesses.note(instruction)
        for instruction in self.region(copy):
            builder.add(instruction)
        if partial is not None:
            add_partial(builder, 1.0, partial, 1.0, to, atomic=False)

    def _added(self, loop: tl.For) -> tuple[tl.TypedMemref, int | None] | None:
        """The memref of known shape that the loop does nothing with but to add to it, and how often; None: open."""
        if (
            loop.start != tl.IntegerConstant(0) and loop.start != tl.IntegerConstant(1)
        ) or loop.step != tl.IntegerConstant(1):
            return None
        inside = {local.name for local in defined_in(loop.body)}
        targets = {each.target.value.name: each.target for each in walk(loop.body) if _adds(each)}
        for name, memref in targets.items():
            is_suitable = name not in inside and None not in memref.type.shape and memref.type.element.is_floating
            if is_suitable and self._is_only_added_to(name, loop.body):
                return memref, self._times((loop,), name)
        return None

    def _is_only_added_to(self, name: str, region: tl.Region) -> bool:
        """True if nothing reads the memory of a memref or writes it otherwise."""
        memory = self._buffer(name)
        for each in walk(region):
            used = [o.name for o in operands(each) if isinstance(o, tl.Local) and self._buffer(o.name) == memory]
            if used and not (_adds(each) and is_plain(each) and used == [name] and each.target.value.name == name):
                return False
        return True

    def _buffer(self, name: str) -> str | None:
        access = self.accesses.memrefs.get(name)
        return None if access is None else access.buffer

    def _times(self, region: tl.Region, name: str) -> int | None:
        """How often a region adds to a memref; None if that is open."""
        times = 0
        for each in region:
            if isinstance(each, tl.Collective):
                times += each.target.value.name == name
            for inner in regions(each):
                often, count = self._times(inner, name), _count(each) if isinstance(each, tl.For) else 1
                if often == 0:
                    continue
                if often is None or count is None:
                    return None
                times += often * count
        return times


def _asks_for_short(question: tl.Compare) -> bool:
    return question.condition is tl.Condition.LE and question.right == tl.IntegerConstant(LONGEST)


def _adds(instruction: tl.Instruction) -> TypeGuard[tl.Collective]:
    """True if it adds to what its target has, β being 1."""
    if not isinstance(instruction, tl.Collective):
        return False
    return instruction.beta.is_number(1) and not instruction.atomic


def _redirected(region: tl.Region, name: str, memref: tl.TypedMemref) -> tl.Region:
    """The region with another target in place of the one of this name."""
    return tuple(_with_target(each, name, memref) for each in region)


def _with_target(instruction: tl.Instruction, name: str, memref: tl.TypedMemref) -> tl.Instruction:
    if not isinstance(instruction, tl.Collective) or instruction.target.value.name != name:
        return with_regions(instruction, lambda inner: _redirected(inner, name, memref))
    return replace(instruction, target=memref)


def _parts_of(instruction: Reduction) -> Add:
    one = tl.TypedScalar(tl.FloatConstant(1.0), instruction.beta.type)
    return lambda builder, start, count, to: _add_part(builder, instruction, start, count, to, one)


def _add_part(
    builder: Builder, instruction: Reduction, start: Index, count: int, to: Value, beta: tl.TypedScalar
) -> None:
    """`to := alpha times the sum of so many terms + beta to`."""
    part = _sliced(builder, instruction, Axis.K, start, count)
    builder.add(replace(part, beta=beta, target=tl.TypedMemref(to.local, to.memref)))


def _sliced(builder: Builder, instruction: Reduction, axis: Axis, start: Index, count: int) -> Reduction:
    """The instruction on so many positions of one of its axes."""

    def slice_of(use: ModeUse) -> tl.TypedMemref:
        parts: list[Part] = [(0, None)] * use.operand.type.order
        parts[use.mode] = (start, count)
        view = builder.subview(_value(use.operand), *parts, name=f"{use.operand.value.name}_part")
        return tl.TypedMemref(view.local, view.memref, use.operand.origin)

    operands = list(memrefs(instruction))
    for use in mode_uses(instruction)[axis]:
        operands[use.number] = slice_of(use)
    return replace(instruction, inputs=tuple(operands[:-1]), target=operands[-1])


def _accumulate(builder: Builder, depth: int | Value, to: Value, terms: Terms) -> None:
    if isinstance(depth, int):
        accumulate(builder, 0, depth, to, terms)
    else:
        accumulate_open(builder, 0, depth, to, terms)


def _count(loop: tl.For) -> int | None:
    """Iterations of a loop; None if they are known at the launch only."""
    match loop:
        case tl.For(
            start=tl.IntegerConstant(value=first),
            stop=tl.IntegerConstant(value=last),
            step=tl.IntegerConstant(value=by),
        ):
            return len(range(first, last, by))
        case tl.For():
            return None


def _start(loop: tl.For) -> int:
    return loop.start.value if isinstance(loop.start, tl.IntegerConstant) else 0


def _stop(loop: tl.For) -> Value:
    if not isinstance(loop.stop, tl.Local):
        raise CompilerBug("a loop of open length stops at a constant")
    return Value(loop.stop, loop.type)


def _value(memref: tl.TypedMemref) -> Value:
    return Value(memref.value, memref.type)


def _number(scalar: tl.TypedScalar) -> Number:
    return Value(scalar.value, scalar.type) if isinstance(scalar.value, tl.Local) else scalar.value.value.real


def _one(scalar: tl.TypedScalar) -> tl.TypedScalar:
    return tl.TypedScalar(tl.FloatConstant(1.0), scalar.type)
