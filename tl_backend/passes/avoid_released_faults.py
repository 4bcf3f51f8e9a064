"""Faults of the released compilers of the tensor language are avoided by what a function says."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import reduce
from itertools import chain, pairwise
from math import prod
from operator import or_

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import buffers
from einsum_front.tl_backend.builder import ALL, Builder, Index, Value
from einsum_front.tl_backend.builder.write_out import write_out
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import LocalNames
from einsum_front.tl_backend.semantics import Axis, index_maps, reads, writes
from einsum_front.tl_backend.traverse import regions, results, walk, walked
from einsum_front.tl_backend.types import ScalarType

SUBGROUP_SIZE = 16
"""Work-items of the sub-group that a function is given where it must have a single one: all their devices have it."""
LARGEST_SUBGROUP_SIZE = 32
"""The sub-groups that the compilers choose from have 8, 16 or 32 work-items."""


def avoid_released_faults(function: Function) -> Function:
    """Say the same so that the Tiny Tensor Compiler 0.2.1 and 0.3.1 compute it.

        foreach %i = 0, 5 {                                  foreach %i = 0, 5 {
          …                                                    %is_inside = cmp.lt %i, 5 : index
        }                                                      if %is_inside {
                                                                 …
                                                               }
                                                             }

    What they accept and compute otherwise, and what is said instead:

    - A `foreach` runs all work-items of its last sub-group: its body asks whether the iteration exists, unless the
      number of iterations is a multiple of every sub-group size. One that ends before it starts does not end: it is
      left out, or asked for.
    - A target that β = 0 should overwrite is read, and NaN stays, in all but `gemm` and `gemv` with a constant 0; in
      these, α = 0 hides what is infinite in an operand. β is compared with 0 where it is a value, the entries are
      written by a `foreach` where it is 0, and a constant α of 0 becomes a value.
    - `ger` becomes OpenCL C that no driver takes: it is a `foreach`, too.
    - `axpby` on rank 0 is done by each work-item, and the `sum` of a matrix goes on adding from row to row: both
      become a `foreach`.
    - `gemm` and `gemv` leave out rows behind the last whole sub-group of several, where a type has their number: the
      product is taken apart.
    - `expand` infers the size of a `?` upside down at run time: the quotient is written.
    - They put no barriers between two uses of global memory, nor between an iteration of a `for` and the next: a
      function that needs these has a single sub-group, whose work-items go in step.

    Everything else stays, and so does what this pass has made. What it cannot say otherwise is refused by the printer.
    """
    said = replace(function, body=_Rewriter(function, LocalNames(function)).region(function.body, _Known()))
    if not _needs_more_barriers(said):
        return said
    size = function.subgroup_size or SUBGROUP_SIZE
    return replace(said, subgroup_size=size, work_group_size=(size, 1))


def _needs_more_barriers(function: Function) -> bool:
    """True if work-items wait for each other in places where the released compilers put no barrier."""
    base = buffers(function)
    arguments = {argument.name.name for argument in function.arguments}
    written = {base[memref.name] for each in function.get(walked) for memref in writes(each)}
    repeated = {base[memref.name] for each in _repeated(function.body) for memref in writes(each)}
    uses = _uses(function.body, base)
    return any(uses[name] > 1 for name in written & arguments) or bool(repeated - arguments)


def _repeated(region: tl.Region) -> Iterator[tl.Instruction]:
    """The instructions in `for` loops, but for those that are part of a `foreach`."""
    for instruction in region:
        if isinstance(instruction, tl.For):
            yield from walk(instruction.body)
        elif isinstance(instruction, tl.If):
            yield from chain.from_iterable(map(_repeated, regions(instruction)))


def _uses(region: tl.Region, base: Mapping[str, str]) -> Counter[str]:
    """How many instructions one after the other touch each memory, two if one is repeated.

    A `foreach` is one: its iterations have no entry in common that one of them writes. Of two branches one is taken.
    """
    uses: Counter[str] = Counter()
    for instruction in region:
        match instruction:
            case tl.If():
                uses += reduce(or_, (_uses(branch, base) for branch in regions(instruction)))
            case tl.For(body=body):
                uses += _uses(body, base) + _uses(body, base)
            case (
                tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
                | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview() | tl.Collective()
                | tl.Foreach() | tl.Store() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
            ):  # fmt: skip
                touching = (instruction, *chain.from_iterable(map(walk, regions(instruction))))
                uses.update({base[memref.name] for each in touching for memref in (*reads(each), *writes(each))})
    return uses


Comparison = tuple[tl.Condition, tl.Operand, tl.Operand]


@dataclass(frozen=True, slots=True)
class _Known:
    """The comparisons that hold where an instruction stands, and those that do not: the `if`s around it say so."""

    holding: frozenset[Comparison] = frozenset()
    failing: frozenset[Comparison] = frozenset()


@dataclass(frozen=True, slots=True)
class _Rewriter:
    """The function with its supply of names, and the last instruction that gave a name its value.

    No name hides one in sight, so that instruction is the one that a name means where it is in sight.
    """

    function: Function
    names: LocalNames
    meant: dict[str, tl.Instruction] = field(default_factory=dict)

    def region(self, region: tl.Region, known: _Known) -> tl.Region:
        """The region with other words for what the released compilers get wrong."""
        said: list[tl.Instruction] = []
        for instruction in region:
            said += self._instruction(instruction, known)
            self.meant.update((local.name, instruction) for local in results(instruction))
        return tuple(said)

    def _instruction(self, instruction: tl.Instruction, known: _Known) -> tl.Region:
        match instruction:
            case tl.If():
                return (self._if(instruction, known),)
            case tl.For(body=body):
                return (replace(instruction, body=self.region(body, known)),)
            case tl.Foreach(body=body):
                return self._foreach(replace(instruction, body=self.region(body, known)), known)
            case tl.Expand():
                return self._expand(instruction)
            case tl.Collective():
                return self._collective(instruction, known)
            case (
                tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Fuse() | tl.GroupId()
                | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview() | tl.Store() | tl.Yield()
                | tl.Barrier() | tl.LifetimeStop()
            ):  # fmt: skip
                return (instruction,)

    def _if(self, instruction: tl.If, known: _Known) -> tl.If:
        condition = self.meant.get(instruction.condition.name) if isinstance(instruction.condition, tl.Local) else None
        asked = frozenset({_comparison(condition)} if isinstance(condition, tl.Compare) else ())
        then = self.region(instruction.then, replace(known, holding=known.holding | asked))
        if instruction.otherwise is None:
            return replace(instruction, then=then)
        otherwise = self.region(instruction.otherwise, replace(known, failing=known.failing | asked))
        return replace(instruction, then=then, otherwise=otherwise)

    # -- foreach -------------------------------------------------------------------------------------------------------

    def _foreach(self, loop: tl.Foreach, known: _Known) -> tl.Region:
        """The loop with a guarded body, where it may end before it starts under a condition."""
        match loop.start, loop.stop:
            case tl.IntegerConstant(value=start), tl.IntegerConstant(value=stop):
                if stop <= start:
                    return ()
                is_whole = (stop - start) % (self.function.subgroup_size or LARGEST_SUBGROUP_SIZE) == 0
                return (loop if is_whole else self._guarded(loop),)
            case _:  # open: bounds that are known at run time
                pass
        guarded = self._guarded(loop)
        if (tl.Condition.LT, loop.start, loop.stop) in known.holding or self._is_positive(loop):
            return (guarded,)
        some = tl.Compare(self.names.fresh("is_some"), tl.Condition.LT, loop.start, loop.stop, loop.type, loop.origin)
        return some, tl.If((), some.result, (), (guarded,), None, loop.origin)

    def _is_positive(self, loop: tl.Foreach) -> bool:
        """True if it counts from 0 to a size, which is never 0."""
        stop = self.meant.get(loop.stop.name) if isinstance(loop.stop, tl.Local) else None
        return loop.start == tl.IntegerConstant(0) and isinstance(stop, tl.Size | tl.GroupSize)

    def _guarded(self, loop: tl.Foreach) -> tl.Foreach:
        match loop.body:
            case (tl.Compare() as compare, tl.If(condition=condition, types=(), otherwise=None)):
                if condition == compare.result and _comparison(compare) == (tl.Condition.LT, loop.variable, loop.stop):
                    return loop
            case _:  # open: a body without a guard
                pass
        inside = tl.Compare(
            self.names.fresh("is_inside"), tl.Condition.LT, loop.variable, loop.stop, loop.type, loop.origin
        )
        return replace(loop, body=(inside, tl.If((), inside.result, (), loop.body, None, loop.origin)))

    # -- expand --------------------------------------------------------------------------------------------------------

    def _expand(self, instruction: tl.Expand) -> tl.Region:
        """The size of a `?` that is known at run time only, as a quotient."""
        if None not in instruction.shape:
            return (instruction,)
        size = instruction.type.shape[instruction.mode]
        locals_ = [Value(entry, ScalarType.INDEX) for entry in instruction.shape if isinstance(entry, tl.Local)]
        if size is not None and not locals_:
            return (instruction,)
        builder = Builder.of_region(self.names, instruction.origin)
        whole = builder.size(Value(instruction.operand, instruction.type), instruction.mode) if size is None else size
        part: Index = prod(entry.value for entry in instruction.shape if isinstance(entry, tl.IntegerConstant))
        for local in locals_:
            part = local if part == 1 else builder.arith(tl.BinaryOperator.MUL, part, local)
        quotient = builder.arith(tl.BinaryOperator.DIV, whole, part).local
        shape = tuple(quotient if entry is None else entry for entry in instruction.shape)
        return *builder.region, replace(instruction, shape=shape)

    # -- collective instructions ---------------------------------------------------------------------------------------

    def _collective(self, instruction: tl.Collective, known: _Known) -> tl.Region:
        """The instruction for a β that is known to be 0 or not to be, under a condition where only the launch knows."""
        beta, is_floating = instruction.beta, instruction.target.type.element.is_floating
        if instruction.atomic:
            return (instruction,)
        if not is_floating or not isinstance(beta.value, tl.Local):
            return self._settled(instruction, known)
        if (tl.Condition.EQ, beta.value, tl.FloatConstant(0.0)) in known.failing:
            return self._settled(instruction, known)
        overwriting = replace(instruction, beta=tl.TypedScalar(tl.FloatConstant(0.0), beta.type))
        builder = Builder.of_region(self.names, instruction.origin)
        is_zero = builder.compare(tl.Condition.EQ, Value(beta.value, beta.type), 0.0, name="is_zero").local
        branches = self._settled(overwriting, known), self._settled(instruction, known)
        return *builder.region, tl.If((), is_zero, (), *branches, instruction.origin)

    def _settled(self, instruction: tl.Collective, known: _Known) -> tl.Region:
        written = instruction.target
        overwrites = written.type.element.is_floating and instruction.beta.is_number(0)
        match instruction:
            case tl.Gemm(alpha=alpha) | tl.Gemv(alpha=alpha):
                builder = Builder.of_region(self.names, instruction.origin)
                if written.type.element.is_floating and alpha.is_number(0):
                    alpha = replace(alpha, value=builder.constant(0.0, alpha.type).local)
                parts = self._parts(replace(instruction, alpha=alpha), builder)
                return *builder.region, *parts
            case tl.Sum(inputs=(a,)) if overwrites or a.type.order == 2:
                return self._written_out(instruction, known)
            case tl.Axpby() if overwrites or written.type.order == 0:
                return self._written_out(instruction, known)
            case tl.HadamardProduct() if overwrites:
                return self._written_out(instruction, known)
            case tl.Ger():
                return self._written_out(instruction, known)
            case tl.Collective():
                return (instruction,)

    def _parts(self, product: tl.Gemm | tl.Gemv, builder: Builder) -> tl.Region:
        """The product for parts of the rows, each of whole sub-groups or within one."""
        rows = product.target.type.shape[0]
        ends = [] if rows is None else _ends(rows, self.function.subgroup_size)
        if len(ends) < 2:
            return (product,)
        a, c = (Value(memref.value, memref.type) for memref in (product.inputs[0], product.target))
        parts: list[tl.Instruction] = []
        for start, end in pairwise((0, *ends)):
            taken = (start, end - start)
            of_a = builder.subview(a, *(taken if axis is Axis.M else ALL for axis in index_maps(product).inputs[0]))
            of_c = builder.subview(c, taken, *[ALL] * (c.memref.order - 1))
            left, target = tl.TypedMemref(of_a.local, of_a.memref), tl.TypedMemref(of_c.local, of_c.memref)
            parts.append(replace(product, inputs=(left, product.inputs[1]), target=target))
        return tuple(parts)

    def _written_out(self, instruction: tl.Collective, known: _Known) -> tl.Region:
        builder = Builder.of_region(self.names, instruction.origin)
        write_out(instruction, builder)
        return self.region(builder.region, known)


def _ends(rows: int, subgroup_size: int | None) -> list[int]:
    """Where parts of the rows end: first whole sub-groups of every size that there may be."""
    ends: list[int] = []
    for size in (32, 16, 8) if subgroup_size is None else (subgroup_size,):
        start = ends[-1] if ends else 0
        if rows - start >= size:
            ends.append(rows - (rows - start) % size)
    return ends if ends and ends[-1] == rows else [*ends, rows]


def _comparison(compare: tl.Compare) -> Comparison:
    return compare.condition, compare.left, compare.right
