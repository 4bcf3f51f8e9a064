"""Arguments of a function as parameters of the kernel: the calling convention.

    scalar     one parameter; `index` is a `long`
    memref     the pointer, then a `long` for every `?` of its shape, then of its strides
    group      the array of pointers, then an array of `long` for every `?` of shape and strides, then the offset if `?`

The pointers of a group arrive as integers of 64 bits: OpenCL C 1.2 has no parameters that point to pointers.
"""

from collections.abc import Callable
from itertools import takewhile

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.analysis.effects import argument_access
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Type
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.scalar import REGISTER, convert, memory_type
from einsum_front.tl_backend.program import Argument, Function
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType

# -- where a memref is -------------------------------------------------------------------------------------------------
# A pointer, and its sizes and strides as C expressions, constants where the type knows them.


@dataclass(frozen=True, slots=True)
class View:
    """Entry (i_1, …, i_n) is `base[i_1 strides_1 + … + i_n strides_n]`; sizes and strides are in elements.

    `next_element` is how far behind it the same part of the next element of the batch is, if there is one.
    """

    element: ScalarType
    base: tree.Expression
    pointer: Pointer
    shape: tuple[tree.Expression, ...]
    strides: tuple[tree.Expression, ...]
    next_element: tree.Expression | None = None

    def offset(self, position: tuple[tree.Expression, ...]) -> tree.Expression:
        """The distance of an entry from the base, in elements."""
        return index.total(map(index.multiply, self.strides, position))

    def entry(self, position: tuple[tree.Expression, ...]) -> tree.Subscript:
        """The entry in memory."""
        return tree.Subscript(self.base, self.offset(position))

    def value(self, position: tuple[tree.Expression, ...]) -> tree.Expression:
        """The entry as a value of the element type."""
        return convert(self.entry(position), memory_type(self.element), REGISTER[self.element])


@dataclass(frozen=True, slots=True)
class Group:
    """An array of addresses of memrefs; a size or stride is a constant, or an array with one entry per address."""

    element: ScalarType
    addresses: tree.Expression
    pointer: Pointer
    shape: tuple[tree.Expression, ...]
    strides: tuple[tree.Expression, ...]
    offset: tree.Expression


Value = tree.Expression | View | Group
"""What a name of the tensor language stands for in C."""


def extents(static: tuple[Extent, ...], dynamic: Callable[[int], tree.Expression]) -> tuple[tree.Expression, ...]:
    """Sizes or strides: constants where they are known, otherwise what `dynamic` says for the mode."""
    known = iter([*map(index.constant, [each for each in static if each is not None])])
    return tuple(dynamic(mode) if extent is None else next(known) for mode, extent in enumerate(static))


def footprint(memref: MemrefType) -> int:
    """Elements from the first to the last entry, both included, of a memref of known shape and strides; at least 1."""
    sizes = [size for size in memref.shape if size is not None]
    strides = [stride for stride in memref.strides if stride is not None]
    return max(1, 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True)))


def is_small(view: View) -> bool:
    """True if every offset in the view is known to fit into an `int`."""
    modes = [
        (size.value, stride.value)
        for size, stride in zip(view.shape, view.strides, strict=True)
        if isinstance(size, tree.Integer) and isinstance(stride, tree.Integer)
    ]
    return len(modes) == len(view.shape) and sum(size * stride for size, stride in modes) <= index.INT_MAX


ARRAY_OF_LONG = Pointer(Scalar.I64, AddressSpace.GLOBAL, is_const=True, is_restrict=True)
ARRAY_OF_ADDRESSES = Pointer(Scalar.U64, AddressSpace.GLOBAL, is_const=True, is_restrict=True)


def parameter_of(function: Function, argument: str, kernel: tree.Function) -> tree.Parameter:
    """The first parameter that an argument of the function is in its kernel."""
    before = takewhile(lambda each: each.name.name != argument, function.arguments)
    return kernel.parameters[sum(map(_count, before))]


def _count(argument: Argument) -> int:
    """How many parameters an argument is."""
    match argument.type:
        case ScalarType():
            return 1
        case MemrefType(shape=shape, strides=strides):
            return 1 + (*shape, *strides).count(None)
        case GroupType(memref=memref, offset=offset):
            return 1 + (*memref.shape, *memref.strides, offset).count(None)


class Parameters:
    """The parameters of a kernel, left to right, and what each argument stands for."""

    def __init__(self, function: Function, names: Names) -> None:
        self.list: list[tree.Parameter] = []
        self._names = names
        self._access = argument_access(function)
        self.values: dict[str, Value] = {argument.name.name: self._value(argument) for argument in function.arguments}

    def _value(self, argument: Argument) -> Value:
        local = argument.name.name
        name = local_name(local)
        match argument.type:
            case ScalarType() as scalar:
                return self._add(REGISTER[scalar], name)
            case MemrefType() as memref:
                pointer = self._pointer(local, memref.element, is_restrict=True)
                base = self._add(pointer, name)
                shape = self._extents(memref.shape, f"{name}_size", Scalar.I64)
                strides = self._extents(memref.strides, f"{name}_stride", Scalar.I64)
                return View(memref.element, base, pointer, shape, strides)
            case GroupType(memref=memref, offset=offset):
                return self._group(local, name, memref, offset)

    def _group(self, local: str, name: str, memref: MemrefType, offset: Extent) -> Group:
        addresses = self._add(ARRAY_OF_ADDRESSES, name)
        shape = self._extents(memref.shape, f"{name}_size", ARRAY_OF_LONG)
        strides = self._extents(memref.strides, f"{name}_stride", ARRAY_OF_LONG)
        moved = self._add(Scalar.I64, f"{name}_offset") if offset is None else index.constant(offset)
        pointer = self._pointer(local, memref.element, is_restrict=False)
        return Group(memref.element, addresses, pointer, shape, strides, moved)

    def _pointer(self, local: str, element: ScalarType, *, is_restrict: bool) -> Pointer:
        is_const = not self._access[local].is_written
        return Pointer(memory_type(element), AddressSpace.GLOBAL, is_const, is_restrict=is_restrict)

    def _extents(self, static: tuple[Extent, ...], prefix: str, type_: Type) -> tuple[tree.Expression, ...]:
        return extents(static, lambda mode: self._add(type_, f"{prefix}{mode}"))

    def _add(self, type_: Type, hint: str) -> tree.Name:
        name = tree.Name(self._names.fresh(hint))
        self.list.append(tree.Parameter(type_, name.text))
        return name
