"""Kernels written by hand, as the compiler would give them to the runtime."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypedDict, Unpack

import pyopencl as cl
from pyopencl.array import Array

from einsum_front.core.diagnostics import CompileError, render_all
from einsum_front.core.extent import Polynomial, Size, of_size
from einsum_front.runtime.artifact import Artifact, Extent, GroupParameter, ScalarParameter, TensorParameter
from einsum_front.runtime.devices.device import Device, find_device
from einsum_front.runtime.devices.drivers import Driver
from einsum_front.runtime.devices.facts import SharedMemory
from einsum_front.runtime.launches.launch import Kernel

DEVICE = find_device()
NAME = DEVICE.facts.name


M, N = of_size(Size("m")), of_size(Size("n"))


class Layout(TypedDict, total=False):
    """What a test says of the memory of a tensor and of its sizes; the rest follows from the shape."""

    strides: tuple[Extent, ...]
    modes: tuple[int, ...]
    nonzeros: tuple[tuple[int, int], ...] | None
    sizes: tuple[Polynomial | None, ...]
    fused: tuple[tuple[int, int], ...]


class TensorFields(Layout, total=False):
    """What a test says of a tensor beyond its name, shape and access."""

    type: str
    values: tuple[float, ...] | None


class GroupFields(Layout, total=False):
    """What a test says of tensors behind pointers beyond their name, shape and access."""

    offset: Extent


class Properties(TypedDict, total=False):
    """Properties of the device that a test may claim to be others than they are."""

    driver: Driver
    max_allocation: int
    max_work_group_size: int
    local_memory: int
    global_memory: int
    base_alignment: int
    has_fp64: bool
    shares_host_memory: bool
    shared_memory: SharedMemory


def tensor(name: str, shape: tuple[Extent, ...], access: str, **fields: Unpack[TensorFields]) -> TensorParameter:
    """A column-major tensor of f64, one for each work-group; `access` is "r", "w" or "rw"."""
    strides: list[int | None] = [1]
    for size in shape:
        strides.append(None if size is None or strides[-1] is None else size * strides[-1])
    parameter = TensorParameter(
        name,
        "f64",
        (*shape, None),
        tuple(strides),
        tuple(range(len(shape))),
        batch_mode=len(shape),
        is_read="r" in access,
        is_written="w" in access,
    )
    return replace(parameter, **fields)


def constant(
    name: str, shape: tuple[Extent, ...], access: str = "r", **fields: Unpack[TensorFields]
) -> TensorParameter:
    """A column-major tensor of f64, one for the whole launch."""
    batched = tensor(name, shape, access)
    single = replace(batched, shape=shape, strides=batched.strides[:-1], batch_mode=None)
    return replace(single, **fields)


def group(name: str, shape: tuple[Extent, ...], access: str, **fields: Unpack[GroupFields]) -> GroupParameter:
    """Column-major tensors of f64, each behind its own pointer."""
    like = constant(name, shape)
    parameter = GroupParameter(
        name, "f64", like.shape, like.strides, like.modes, 0, is_read="r" in access, is_written="w" in access
    )
    return replace(parameter, **fields)


VOLUME = Artifact(
    "volume",
    """
kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void volume(double dt, global double const* K, global double const* I, long batch_I, global double* Q, long batch_Q) {
  long g = get_group_id(2);
  int i = get_local_id(0);
  for (int j = 0; j < 3; ++j) {
    double sum = 0.0;
    for (int k = 0; k < 5; ++k) sum += K[i + 4 * k] * I[k + 5 * j + 15 * g];
    Q[i + 4 * j + 12 * g] += dt * sum;
  }
}
""",
    (
        ScalarParameter("dt", "f64"),
        constant("K", (4, 5)),
        tensor("I", (5, 3), "r"),
        tensor("Q", (4, 3), "rw"),
    ),
    (4, 1),
    0,
    needs_fp64=True,
)
"""Q[ij] += dt * K[ik] * I[kj] with a constant K."""

DOUBLE = Artifact(
    "twice",
    """
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void twice(global double const* A, long m_A, long n_A, long batch_A, long s_A, long t_A, long u_A,
           global double* C, long m_C, long n_C, long batch_C, long s_C, long t_C, long u_C) {
  long g = get_group_id(2);
  for (long j = 0; j < n_C; ++j)
    for (long i = 0; i < m_C; ++i) C[i * s_C + j * t_C + g * u_C] = 2.0 * A[i * s_A + j * t_A + g * u_A];
}
""",
    (
        tensor("A", (None, None), "r", strides=(None, None, None), modes=(1, 0), sizes=(M, N)),
        tensor("C", (None, None), "w", strides=(None, None, None), sizes=(M, N)),
    ),
    (1, 1),
    0,
    needs_fp64=True,
)
"""C[ij] = 2 * A[ji]: all sizes and strides are known at the launch only, and A has its modes the other way round."""

POINTERS = Artifact(
    "pointers",
    """
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void pointers(global ulong const* P, global long const* n_P, long offset_P, global ulong const* R) {
  long g = get_group_id(2);
  global double* p = (global double*)P[g] + offset_P;
  global double const* r = (global double const*)R[g] + 6;
  for (long j = 0; j < n_P[g]; ++j)
    for (long i = 0; i < 2; ++i) p[i + 2 * j] += r[i];
}
""",
    (group("P", (2, None), "rw", offset=None), group("R", (2,), "r", offset=6)),
    (1, 1),
    0,
    needs_fp64=True,
)
"""P[ij] += R[i], each P with its own number of columns."""

FILL = Artifact(
    "fill",
    """
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void fill(long first, global double* C, long n) { C[get_group_id(2)] = (double)(first + (long)get_group_id(2)); }
""",
    (ScalarParameter("first", "index"), constant("C", (None,), "w")),
    (1, 1),
    0,
    needs_fp64=True,
)
"""Work-group g writes entry g; nothing is batched."""


IN_STAGES = Artifact(
    "first",
    """
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void first(double dt, global double const* A, long n, global double* C, long m) {
  for (int i = 0; i < 3; ++i) C[i + 3 * get_group_id(2)] = dt * A[i + 3 * get_group_id(2)];
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void second(double dt, global double const* A, long n, global double* C, long m) {
  for (int i = 0; i < 3; ++i) C[i + 3 * get_group_id(2)] *= C[i + 3 * (n - 1 - get_group_id(2))] > 0.0 ? 10.0 : 0.0;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void third(double dt, global double const* A, long n, global double* C, long m) {
  for (int i = 0; i < 3; ++i) C[i + 3 * get_group_id(2)] += dt;
}
""",
    (ScalarParameter("dt", "f64"), tensor("A", (3,), "r"), tensor("C", (3,), "w")),
    (1, 1),
    0,
    needs_fp64=True,
    later=("second", "third"),
)
"""C[i] = 10 dt A[i] + dt of positive entries, in three launches: the second one reads what other work-groups wrote."""


def kernel(artifact: Artifact, **facts: Unpack[Properties]) -> Kernel:
    """The kernel on the device of the tests, which may be told to have other properties than it has."""
    return Kernel(artifact, Device(replace(DEVICE.facts, **facts), DEVICE.handle))


def tensors_of(artifact: Artifact) -> tuple[TensorParameter, ...]:
    """The parameters that are tensors."""
    return tuple(each for each in artifact.parameters if isinstance(each, TensorParameter))


def transposed(array: Array, axes: tuple[int, ...]) -> Array:
    """A view with its axes in another order; what pyopencl has for it is not annotated."""
    view = array.transpose(axes)  # type: ignore[no-untyped-call] # of pyopencl
    assert isinstance(view, Array)
    return view


def buffer_of(array: Array) -> cl.Buffer:
    """The memory of an array of pyopencl, which starts at its first entry."""
    assert isinstance(array.data, cl.Buffer)
    return array.data


def words(called: Callable[..., object], *groups: int, **arguments: object) -> str:
    """What the user reads after a call that must fail."""
    try:
        called(*groups, **arguments)
    except CompileError as error:
        return render_all(error.diagnostics)
    raise AssertionError("the call was accepted")
