"""Kernels for GPUs inside of YATeTo: what `routine_exporters={"gpu": …}` of its generator takes.

    from einsum_front.exporter import get_routine_generator
    generator.generate(…, routine_exporters={"gpu": get_routine_generator(yateto)})

All operations of a kernel become one kernel of ours. YATeTo keeps its layouts, its kernels for CPUs and its headers.
SeisSol looks for a module `tensorforge` with these two functions: the folder `TENSORFORGE` on the path has it, and what
its CMake asks for.
"""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.exporter.generator import TENSORFORGE as TENSORFORGE
    from einsum_front.exporter.generator import get_routine_generator as get_routine_generator
    from einsum_front.exporter.generator import use_fusedgemm_cost as use_fusedgemm_cost

__getattr__, __dir__, __all__ = facade(
    __name__, {".generator": ("TENSORFORGE", "get_routine_generator", "use_fusedgemm_cost")}
)
