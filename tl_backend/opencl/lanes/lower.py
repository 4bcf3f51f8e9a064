"""A function of the tensor language as an OpenCL C file in which the lanes of vectors are elements.

    kernel void volume(global double *restrict Q, …, long elements)
    {
        what is the same for all elements
        for (long element = first; element < stop; element += 4) {
            pointers to four elements, loads, steps, stores
        }
    }
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from diagnostics import CompilerBug
from tl_backend.instructions import FloatConstant, TypedScalar
from tl_backend.opencl import index
from tl_backend.opencl.geometry import group_id
from tl_backend.opencl.lanes.context import Context, Facts
from tl_backend.opencl.lanes.flow import added_once, find_flows
from tl_backend.opencl.lanes.hoist import hoist
from tl_backend.opencl.lanes.memory import declare_arrays, plan_arrays
from tl_backend.opencl.lanes.merge import Step
from tl_backend.opencl.lanes.product import Product
from tl_backend.opencl.lanes.region import ELEMENTS, lower_step
from tl_backend.opencl.lanes.steps import steps_of
from tl_backend.opencl.lanes.transfer import Transfer, clear, load, store
from tl_backend.opencl.lanes.transpose import transpose_function
from tl_backend.opencl.lower import FP64_EXTENSION
from tl_backend.opencl.names import Names, local_name
from tl_backend.opencl.parameters import Parameters
from tl_backend.opencl.requirements import check_target, needs_double_precision
from tl_backend.opencl.reserved import RESERVED
from tl_backend.opencl.scalar import REGISTER
from tl_backend.opencl.target import Target
from tl_backend.opencl.tree import (
    Call,
    Cast,
    Declare,
    File,
    For,
    Function,
    Name,
    Parameter,
    Scalar,
    Section,
    Statement,
    Statements,
    Subscript,
)
from tl_backend.opencl.update import is_constant
from tl_backend.opencl.view import Group, Value, View
from tl_backend.program import Function as Source
from tl_backend.traverse import defined_locals

BLOCKS = 8
"""Blocks of elements that a work-item runs: what is the same for all elements is computed once for them."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The file, and how many elements a work-group runs."""

    file: File
    elements: int


def lower(function: Source, facts: Facts, target: Target) -> Kernel:
    """The kernel of a function that is suitable.

    Raises `CompileError` with all that the target cannot do (E06xx).
    """
    check_target(function, target)
    return _Lowering(function, facts, target).kernel()


class _Lowering:
    """A function while it becomes a kernel."""

    def __init__(self, function: Source, facts: Facts, target: Target) -> None:
        self._function = function
        self._facts = facts
        self._names = Names(RESERVED)
        element = next(iter(facts.storages.values())).element
        self._width = target.vector_width(REGISTER[element])
        self._entry = self._names.fresh(local_name(function.name))
        self._transpose = self._names.fresh("transpose")
        self._parameters = Parameters(function, self._names)
        self._elements, self._element, self._stop = (self._names.fresh(w) for w in ("elements", "element", "stop"))
        names = _pointer_names(self._parameters.values)
        lanes = self._names.fresh("lanes")
        arrays = plan_arrays(facts, names, self._width, self._names)
        hoisted = hoist(function, steps_of(function.body, facts.places), facts)
        self._once, self._steps = hoisted.once, hoisted.others
        values = {name: value for name, value in self._parameters.values.items() if not isinstance(value, View | Group)}
        values[ELEMENTS] = Name(self._elements)
        self._context = Context(
            facts, self._names, element, self._width, lanes, arrays, values, hoisted.early, self._top()
        )

    def _top(self) -> Names:
        """Names for tables and for variables outside of the loop, none of which a value of the function has."""
        names = self._names.inner()
        for local in defined_locals(self._function):
            names.fresh(local_name(local.name))
        return names

    def kernel(self) -> Kernel:
        """The file with the kernel as its last function."""
        context = self._context
        for step in self._once:
            context.hoisted.extend(lower_step(step, context))
        block = self._block()
        body = (*declare_arrays(context), *context.hoisted, *self._loop(block))
        parameters = (*self._parameters.list, Parameter(Scalar.LONG, self._elements))
        kernel = Function(self._entry, parameters, body, (1, 1, 1))
        transpose = transpose_function(self._transpose, context.vector_type)
        unaligned = (replace(context.vector_type, is_unaligned=True),)
        extensions = (FP64_EXTENSION,) if needs_double_precision(self._function) else ()
        file = File(extensions, (transpose, kernel), unaligned=unaligned, tables=tuple(context.tables))
        return Kernel(file, self._width * BLOCKS)

    def _loop(self, block: Statements) -> Iterator[Statement]:
        """The loop over the blocks of this work-item."""
        elements, stop = Name(self._elements), Name(self._stop)
        first = index.multiply(group_id(), index.constant(self._width * BLOCKS))
        start = self._names.fresh("first")
        yield Declare(Scalar.LONG, start, first)
        after = index.add(Name(start), index.constant(self._width * BLOCKS))
        yield Declare(Scalar.LONG, stop.text, Call("min", (after, elements)))
        yield For(Scalar.LONG, self._element, Name(start), stop, index.constant(self._width), block)

    def _block(self) -> Statements:
        """Everything that is done for the elements in the lanes."""
        context = self._context.inner()
        lanes = [context.names.fresh(f"lane{lane}") for lane in range(self._width)]
        flows = {flow.base: flow for flow in find_flows(self._steps, self._facts, self._width)}
        transfers = {base: self._transfer(base, context) for base in flows}
        body = [*self._lanes(lanes)]
        for base, flow in flows.items():
            body += self._pointers(base, transfers[base], lanes)
            context.hoisted.extend(clear(flow.idle, transfers[base]))
        for number, step in enumerate(self._steps):
            for base, flow in flows.items():
                if flow.first == number and flow.needed.any():
                    body.append(Section((f"load %{base}",), load(flow.needed, transfers[base])))
            body += lower_step(self._without_old(step), context)
            for base, flow in flows.items():
                if flow.last == number and flow.written.any():
                    body.append(Section((f"store %{base}",), store(flow.written, flow.beta, transfers[base])))
        return tuple(body)

    def _without_old(self, step: Step) -> Step:
        """A product whose target is added to what is in memory when it is stored."""
        product = step.action
        if not isinstance(product, Product) or added_once(product.target.base, self._steps) is None:
            return step
        if not self._facts.storages[product.target.base].is_argument:
            return step
        nothing = TypedScalar(FloatConstant(0.0), product.beta.type)
        return replace(step, action=replace(product, beta=nothing, is_partial=is_constant(product.beta, 1)))

    def _lanes(self, lanes: Sequence[str]) -> Iterator[Statement]:
        """The element in each lane; behind the last one it is repeated."""
        last = index.subtract(Name(self._elements), index.ONE)
        for number, lane in enumerate(lanes):
            element = index.add(Name(self._element), index.constant(number))
            yield Declare(Scalar.LONG, lane, element if number == 0 else Call("min", (element, last)))

    def _transfer(self, base: str, context: Context) -> Transfer:
        wish = self._context.arrays[base].name.removesuffix("_lanes")
        pointers = tuple(Name(context.names.fresh(f"{wish}_{lane}")) for lane in range(self._width))
        return Transfer(base, pointers, self._transpose, context)

    def _pointers(self, base: str, transfer: Transfer, lanes: Sequence[str]) -> Iterator[Statement]:
        """Where the elements in the lanes are."""
        value = self._parameters.values[base]
        for pointer, lane in zip(transfer.pointers, lanes, strict=True):
            match value:
                case View(base=start, strides=strides):
                    mode = self._facts.places.batch_modes[base]
                    if mode is None:
                        raise CompilerBug("a batch without a mode for its elements")
                    address = index.add(start, index.multiply(Name(lane), strides[mode]))
                    yield Declare(replace(value.pointer, is_restrict=False), pointer.text, address)
                case Group(addresses=addresses, offset=offset):
                    address = index.add(Cast(value.pointer, Subscript(addresses, Name(lane))), offset)
                    yield Declare(value.pointer, pointer.text, address)
                case _:
                    raise CompilerBug("an argument that is one for each element is a scalar")


def _pointer_names(values: Mapping[str, Value]) -> dict[str, str]:
    """The C names of the arguments that are memrefs."""
    views = {name: value for name, value in values.items() if isinstance(value, View)}
    return {name: view.base.text for name, view in views.items() if isinstance(view.base, Name)}
