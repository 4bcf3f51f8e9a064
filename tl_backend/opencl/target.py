"""Properties of a device for the code generator: plain data, so that compiling needs no device."""

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import Machine
from einsum_front.core.machines import ZEN4
from einsum_front.core.matrices import MatrixInstruction
from einsum_front.tl_backend.kernel.types import Scalar, size_of
from einsum_front.tl_backend.targets.c_family import Language
from einsum_front.tl_backend.targets.opencl import OPENCL_C


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of device. Memory sizes are in bytes; `private_memory` is what one work-item may keep in arrays.

    `vector_bytes` is the widest vector that the device has instructions for; wider ones are slow, or crash the compiler
    of the device. `native_vector_bytes` is the widest that takes one step, None if that is the same: wider ones are no
    faster there, and turning them around or filling them takes longer. `max_parameter_bytes` is the room for all
    arguments of a kernel together. Without `has_conditional_barriers`, the device's compiler crashes or makes wrong
    code where a barrier stands in a branch or in a loop that may not run at all. With `has_prefetch`, its compiler
    has `__builtin_prefetch`, and schedules ask for the elements that follow. With `has_shuffles`, `shuffle2` is better
    than a vector that is put together from entries. With `holds_numbers`, numbers that columns share a vector for are
    spread over vectors, which its compiler must not look through. If it `outlines_products`, products are functions of
    their own. `most_local_memory` is what temporaries may have in local memory where `local_memory` has no room for
    them: more than is good for the number of work-groups at a time.
    `compute_units` is how many work-groups run at a time. `matrices` is the instruction by which sub-groups multiply
    matrices, if there is one that is worth it. `vector_registers` is how many a kernel has; `instructions` are those of
    AVX-512VL in the words of compilers, if the device's compiler uses them only in functions with an attribute that
    names them (`kernel.tree.Function.instructions`). `machine` is what cost models know of the processor, and
    `language` what kernels are printed in.
    """

    name: str
    is_cpu: bool
    vector_bytes: int
    local_memory: int
    private_memory: int
    max_work_group_size: int
    max_parameter_bytes: int
    has_fp64: bool
    has_int64_atomics: bool
    has_conditional_barriers: bool = True
    subgroup_sizes: tuple[int, ...] = ()
    has_prefetch: bool = False
    native_vector_bytes: int | None = None
    has_shuffles: bool = False
    holds_numbers: bool = False
    outlines_products: bool = False
    most_local_memory: int | None = None
    compute_units: int = 4
    matrices: MatrixInstruction | None = None
    vector_registers: int = 16
    instructions: str | None = None
    machine: Machine = ZEN4
    language: Language = OPENCL_C

    @property
    def has_panels(self) -> bool:
        """True if products pass slices of their factors through local memory, with barriers in between."""
        return not self.is_cpu and self.has_conditional_barriers

    @property
    def subgroup(self) -> int:
        """Work-items that run in step: the fewest that the device has, or usual ones where it does not say."""
        return min(self.subgroup_sizes, default=self.machine.shared.subgroup)

    @property
    def embeds_broadcasts(self) -> bool:
        """True if it multiplies by a number in memory that is spread over the lanes on the way (AVX-512VL)."""
        return self.vector_registers >= 32 or self.instructions is not None

    @property
    def stack(self) -> int:
        """Bytes of arrays that a function may have in all on a CPU, with copies and sums beside its temporaries.

        Whoever goes beyond the stack of a thread ends the process. Some threads have 2 MiB of it, as all that glibc
        makes under `ulimit -s unlimited`: twice the usual `private_memory`.
        """
        return self.private_memory * 3 // 2

    def vector_width(self, element: Scalar) -> int:
        """Elements in the widest vector."""
        return self.vector_bytes // size_of(element)

    def step_width(self, element: Scalar) -> int:
        """Elements in the widest vector that is computed in one step."""
        return (self.native_vector_bytes or self.vector_bytes) // size_of(element)


DEFAULT = Target(
    name="PoCL on an x86-64 CPU with AVX2",
    is_cpu=True,
    vector_bytes=32,
    local_memory=32 * 1024,
    private_memory=1024 * 1024,
    max_work_group_size=4096,
    max_parameter_bytes=2**20,
    has_fp64=True,
    has_int64_atomics=True,
    has_conditional_barriers=False,
    has_prefetch=True,
)
"""The device of `pip install pyopencl[pocl]`; local memory varies with the CPU: the least that OpenCL allows."""
