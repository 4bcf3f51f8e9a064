"""Arrays of a device that a caller passes to `ef.einsum`, or why they cannot be taken."""

from collections.abc import Iterator, Sequence

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.index_string.element_types import Kind
from einsum_front.index_string.operands import OVERLAPS, out_mistakes, raise_mistakes, unconverted_type
from einsum_front.runtime import (
    DeviceMemory,
    PyopenclArray,
    array_mistake,
    device_of,
    devices_of,
    find_device,
    is_on_device,
    is_writable,
    memory_of,
    overlaps_itself,
    release_mistake,
)

BOTH_WAYS = "`pyopencl.array.to_device(queue, array)` copies an array to a device, `ef.to_host` copies it back"


def read_device_operands(operands: Sequence[object]) -> tuple[list[PyopenclArray], Kind]:
    """The operands if all are arrays of a device, and the type of the result: nothing is converted or moved."""
    arrays = [operand for operand in operands if is_on_device(operand)]
    if len(arrays) < len(operands):
        raise CompileError([_mixed(operands)])
    kind = unconverted_type(arrays)
    raise_mistakes(_mistakes(arrays))
    return arrays, kind


def _mixed(operands: Sequence[object]) -> Diagnostic:
    """The first operand that is not of the kind of the first."""
    is_first_there = is_on_device(operands[0])
    number = next(number for number, operand in enumerate(operands) if is_on_device(operand) != is_first_there)
    here, there = (0, number) if is_first_there else (number, 0)
    found = type(operands[there]).__name__
    message = f"operand {here} is an array of a device, and operand {there} is of type {found}"
    return Diagnostic("E0503", message, notes=("all operands are on one device, or none is", BOTH_WAYS))


def _mistakes(arrays: Sequence[PyopenclArray]) -> Iterator[Diagnostic]:
    first = arrays[0]
    for number, array in enumerate(arrays):
        if array.context != first.context:
            yield Diagnostic("E0512", f"operands 0 and {number} live in different OpenCL contexts")
        yield from _place_mistakes(f"operand {number}", array)


def _place_mistakes(name: str, array: PyopenclArray) -> Iterator[Diagnostic]:
    mistake = array_mistake(name, array)
    if mistake is not None:
        yield mistake
        return
    itemsize = array.dtype.itemsize
    if any(distance % itemsize for distance in (array.offset, *array.strides)):
        note = "a view of an array of another element type can be like that: a copy of its entries is not"
        yield Diagnostic("E0506", f"entries of {name} do not start at multiples of {itemsize} bytes", notes=(note,))


def device_memory(arrays: Sequence[PyopenclArray], name: str) -> DeviceMemory:
    """Where the arrays live; `name` is the device that the caller wants, `auto` for that of their queues.

    Raises `CompileError` if that is not one device, or not the one.
    """
    number, array = next(((i, each) for i, each in enumerate(arrays) if each.queue is not None), (0, arrays[0]))
    here = devices_of(array)
    device = device_of(here[0]) if name == "auto" else find_device(name)
    if name == "auto" and len(here) > 1:
        message = f"operand {number} has no queue, and its context has {len(here)} devices"
        note = "`.with_queue(queue)` says which one is meant, so does `device`"
        raise CompileError([Diagnostic("E0512", message, notes=(note,))])
    if device is None:
        message = f"operand {number} lives on `{here[0].name.strip()}`, which `einsum-front devices` does not list"
        raise CompileError([Diagnostic("E0512", message, notes=("a part of a device is none",))])
    if device.handle not in here:
        listed = ", ".join(f"`{handle.name.strip()}`" for handle in here)
        message = f"operand {number} lives on {listed}, and `device` is `{device.facts.name}`"
        raise CompileError([Diagnostic("E0512", message, notes=("without `device` the kernel runs where they are",))])
    return memory_of(arrays, device)


def check_device_out(out: object, shape: tuple[int, ...], operand: PyopenclArray, kind: Kind) -> PyopenclArray:
    """The array for the result; raises `CompileError` unless it can be written to `out`, where the operands are."""
    if not is_on_device(out):
        message = f"`out` is of type {type(out).__name__}, expected an array of the device of the operands"
        raise CompileError([Diagnostic("E0503", message, notes=(BOTH_WAYS,))])
    released = release_mistake("`out`", out.base_data)
    if released is not None:
        raise CompileError([released])
    mistakes = [*out_mistakes(out, shape, kind, is_read_only=not is_writable(out))]
    if out.context != operand.context:
        mistakes.append(Diagnostic("E0512", "`out` and operand 0 live in different OpenCL contexts"))
    mistakes += _place_mistakes("`out`", out)
    if overlaps_itself(out):
        mistakes.append(OVERLAPS)
    raise_mistakes(mistakes)
    return out
