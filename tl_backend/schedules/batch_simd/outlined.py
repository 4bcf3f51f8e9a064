"""A kernel whose work is done by a function that it calls, for compilers that must be told of instructions.

    __attribute__((noinline, target("avx512f,avx512vl")))
    void volume_group(long group, global double *restrict Q, …, long elements)
    {
        …
    }

    kernel __attribute__((reqd_work_group_size(1, 1, 1)))
    void volume(global double *restrict Q, …, long elements)
    {
        volume_group(get_group_id(2), Q, …, elements);
    }

PoCL copies the code of a kernel into functions of its own, which have none of the kernel's attributes; what the kernel
calls keeps its own. There, only the kernel knows the number of its work-group, and work-items must be alone.
"""

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl.geometry import work_group
from einsum_front.tl_backend.opencl.target import Target

WHY = "a function of its own: what the kernel itself does is compiled without these instructions"


@dataclass(frozen=True, slots=True)
class OutlinedFunction:
    """The name of the function and its instructions; `group` is the number of the work-group in it."""

    name: str
    group: tree.Name
    instructions: str

    def split(self, kernel: tree.Function) -> tuple[tree.Function, tree.Function]:
        """The function with the body of the kernel, and the kernel that calls it.

        The body has `group` for the number of the work-group, and asks for nothing else that is a work-item's own.
        """
        parameters = (tree.Parameter(Scalar.I64, self.group.text), *kernel.parameters)
        body = (tree.Section((WHY,), kernel.body),)
        arguments = (work_group(), *(tree.Name(parameter.name) for parameter in kernel.parameters))
        call = tree.Call(self.name, arguments)
        function = tree.Function(self.name, parameters, body, instructions=self.instructions)
        return function, tree.Function(kernel.name, kernel.parameters, (call,), kernel.work_group_size)


def outlined_function(entry: str, target: Target, names: Names) -> OutlinedFunction | None:
    """The function for a kernel with this name; None if the target's compiler takes all instructions by itself."""
    if target.instructions is None:
        return None
    return OutlinedFunction(names.fresh(f"{entry}_group"), tree.Name(names.fresh("group")), target.instructions)
