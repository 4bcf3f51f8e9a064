"""A view of a view is one view."""

from collections.abc import Mapping
from dataclasses import field

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import LocalNames, substitute, with_body, with_regions
from einsum_front.tl_backend.semantics import result_type
from einsum_front.tl_backend.types import Extent, ScalarType

View = tl.Expand | tl.Fuse | tl.Subview
Picks = tuple[tl.Position | tl.Slice, ...]


def simplify_views(function: Function) -> Function:
    """Take a part of a part from the whole, and undo what is done and undone again.

        %a = subview %A[8:16, :] : memref<f32x64x4>            %a = subview %A[8:16, :] : memref<f32x64x4>
        %b = subview %a[2:4, %i] : memref<f32x16x4,…>          %b = subview %A[10:4, %i] : memref<f32x64x4>
        %e = expand %b[0 -> 2x2] : memref<f32x4>               %e = expand %b[0 -> 2x2] : memref<f32x4>
        %f = fuse %e[0, 1] : memref<f32x2x2>
        axpby.n 1.0, %f, … : …                                 axpby.n 1.0, %b, … : …

    A subview of everything is its operand. Types stay as they are, and so do views that are not needed any more. Where
    two offsets must be added at run time, an instruction for that is put before the view.
    """
    return with_body(function, _Simplifier(LocalNames(function)).region(function.body))


@dataclass(frozen=True, slots=True)
class _Simplifier:
    """The views seen so far, and the values that stand for others."""

    names: LocalNames
    views: dict[str, View] = field(default_factory=dict)
    values: dict[str, tl.Operand] = field(default_factory=dict)

    def region(self, region: tl.Region) -> tl.Region:
        """The region with simpler views."""
        return tuple(simple for instruction in region for simple in self._simplify(instruction))

    def _simplify(self, instruction: tl.Instruction) -> tl.Region:
        known = substitute(instruction, self.values)
        if not isinstance(known, View):
            return (with_regions(known, self.region),)
        additions, view = self._merged(known)
        self.views[view.result.name] = view
        same = _same(view, self.views)
        if same is not None:
            self.values[view.result.name] = same
        return *additions, view

    def _merged(self, view: View) -> tuple[tl.Region, View]:
        """A subview of a subview as one of the whole, and the additions of offsets that it needs."""
        outer = self.views.get(view.operand.name)
        if not isinstance(view, tl.Subview) or not isinstance(outer, tl.Subview):
            return (), view
        from einsum_front.tl_backend.verify import is_legal  # noqa: PLC0415 - few kernels have views of views

        sums = _Sums(self.names, view.origin)
        slices = _composed(outer.slices, view.slices, sums)
        merged = tl.Subview(view.result, outer.operand, slices or (), outer.type, view.origin)
        if slices is not None and is_legal(merged) and result_type(merged) == result_type(view):
            return tuple(sums.additions), merged
        return (), view


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums of offsets; those that are known only at run time are added by instructions."""

    names: LocalNames
    origin: Origin
    additions: list[tl.ArithBinary] = field(default_factory=list)

    def add(self, left: tl.IndexOperand, right: tl.IndexOperand) -> tl.IndexOperand:
        """The sum of two offsets."""
        match left, right:
            case tl.IntegerConstant(value=first), tl.IntegerConstant(value=second):
                return tl.IntegerConstant(first + second, self.origin)
            case (tl.IntegerConstant(value=0), other) | (other, tl.IntegerConstant(value=0)):
                return other
            case _:  # open: sums that are known at run time
                result = self.names.fresh("offset")
                addition = tl.ArithBinary(result, tl.BinaryOperator.ADD, left, right, ScalarType.INDEX, self.origin)
                self.additions.append(addition)
                return result


def _composed(outer: Picks, inner: Picks, sums: _Sums) -> Picks | None:
    """Picks of the inner view through the outer one; None if a size would need a subtraction."""
    rest = iter(inner)
    parts = [slice_ if isinstance(slice_, tl.Position) else _part(slice_, next(rest), sums) for slice_ in outer]
    known = tuple(part for part in parts if part is not None)
    return known if len(known) == len(parts) else None


def _part(whole: tl.Slice, part: tl.Position | tl.Slice, sums: _Sums) -> tl.Position | tl.Slice | None:
    match part:
        case tl.Position(index=index):
            return tl.Position(sums.add(whole.offset, index))
        case tl.Slice(offset=offset, size=None) if whole.size is not None:
            match offset, whole.size:
                case tl.IntegerConstant(value=0), _:
                    return tl.Slice(whole.offset, whole.size)
                case tl.IntegerConstant(value=skipped), tl.IntegerConstant(value=count):
                    return tl.Slice(sums.add(whole.offset, offset), tl.IntegerConstant(count - skipped, sums.origin))
                case _:  # open: sizes that are known at run time
                    return None
        case tl.Slice(offset=offset, size=size):
            return tl.Slice(sums.add(whole.offset, offset), size)


def _same(view: View, views: Mapping[str, View]) -> tl.Local | None:
    """The value that the view is no different from."""
    made_by = views.get(view.operand.name)
    match view:
        case tl.Subview(operand=operand, type=type_, slices=slices):
            return operand if all(map(_is_whole, slices, type_.shape)) else None
        case tl.Fuse(first=first, last=last):
            undone = isinstance(made_by, tl.Expand) and (made_by.mode, len(made_by.shape)) == (first, last - first + 1)
        case tl.Expand(mode=mode):
            fused = made_by.type.shape[made_by.first : made_by.last + 1] if isinstance(made_by, tl.Fuse) else ()
            undone = isinstance(made_by, tl.Fuse) and made_by.first == mode and None not in fused
    return made_by.operand if undone and made_by and made_by.type == result_type(view) else None


def _is_whole(slice_: tl.Position | tl.Slice, size: Extent) -> bool:
    if not isinstance(slice_, tl.Slice) or slice_.offset != tl.IntegerConstant(0):
        return False
    return slice_.size is None or (size is not None and slice_.size == tl.IntegerConstant(size))
