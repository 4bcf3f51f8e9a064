"""Arguments of a function as parameters of the kernel: the calling convention.

    scalar     one parameter; `index` is a `long`
    memref     the pointer, then a `long` for every `?` of its shape, then of its strides
    group      the array of pointers, then an array of `long` for every `?` of shape and strides, then the offset if `?`

The pointers of a group arrive as integers of 64 bits: OpenCL C 1.2 has no parameters that point to pointers.
"""

from itertools import takewhile

from einsum_front.core.names import Names
from einsum_front.tl_backend.analysis.effects import argument_access
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Type
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.scalar import REGISTER, memory_type
from einsum_front.tl_backend.opencl.view import Group, Value, View, extents
from einsum_front.tl_backend.program import Argument, Function
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType

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
