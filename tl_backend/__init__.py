"""The tensor language: nodes, texts, meaning, passes, and OpenCL C from it.

The front has what makes functions and chooses how they run. Beside it, others may import the modules of the language
itself: `types`, `instructions` and `program`, `parse`, `unparse`, `verify`, `interpret`; `pipeline`, `emit`, and
`interpret_kernel`.
"""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.tl_backend.analysis.effects import depends_on_launch as depends_on_launch
    from einsum_front.tl_backend.analysis.effects import operations as operations
    from einsum_front.tl_backend.builder import ALL as ALL
    from einsum_front.tl_backend.builder import Builder as Builder
    from einsum_front.tl_backend.builder import Index as Index
    from einsum_front.tl_backend.builder import Number as Number
    from einsum_front.tl_backend.builder import Part as Part
    from einsum_front.tl_backend.builder import Value as Value
    from einsum_front.tl_backend.builder.functions import apply as apply
    from einsum_front.tl_backend.kernel.interpret import TooLongError as TooLongError
    from einsum_front.tl_backend.opencl.requirements import check_numbers as check_numbers
    from einsum_front.tl_backend.opencl.target import DEFAULT as DEFAULT
    from einsum_front.tl_backend.opencl.target import Target as Target
    from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits as WorkGroupLimits
    from einsum_front.tl_backend.rewrite import with_open_offsets as with_open_offsets
    from einsum_front.tl_backend.rewrite import with_prefetched as with_prefetched
    from einsum_front.tl_backend.schedules.by_recipe import first_recipe as first_recipe
    from einsum_front.tl_backend.schedules.choice import Scheduled as Scheduled
    from einsum_front.tl_backend.schedules.choice import candidates as candidates
    from einsum_front.tl_backend.schedules.choice import first_choice as first_choice
    from einsum_front.tl_backend.schedules.choice import is_possible as is_possible
    from einsum_front.tl_backend.schedules.choice import is_tiled as is_tiled
    from einsum_front.tl_backend.schedules.choice import schedule as schedule
    from einsum_front.tl_backend.schedules.choice import with_work_group as with_work_group
    from einsum_front.tl_backend.schedules.text import schedule_text as schedule_text
    from einsum_front.tl_backend.schedules.tuning import ScheduleKind as ScheduleKind
    from einsum_front.tl_backend.schedules.tuning import Tuning as Tuning
    from einsum_front.tl_backend.schedules.tuning import read_tuning as read_tuning
    from einsum_front.tl_backend.sums import neighbours as neighbours
    from einsum_front.tl_backend.sums import of_caller as of_caller
    from einsum_front.tl_backend.sums import rows_together as rows_together
    from einsum_front.tl_backend.sums import sum_function as sum_function
    from einsum_front.tl_backend.sums import sums_of as sums_of
    from einsum_front.tl_backend.targets.c import FLAGS as FLAGS
    from einsum_front.tl_backend.targets.c import HEADER as HEADER
    from einsum_front.tl_backend.targets.c import c as c
    from einsum_front.tl_backend.targets.cuda import CUDA as CUDA
    from einsum_front.tl_backend.targets.cuda import DECLARED_SHARED_MEMORY as DECLARED_SHARED_MEMORY
    from einsum_front.tl_backend.targets.opencl import OPENCL_C as OPENCL_C
    from einsum_front.tl_backend.targets.sycl import SYCL as SYCL
    from einsum_front.tl_backend.transforms.portable import form_of as form_of
    from einsum_front.tl_backend.transforms.portable import form_text as form_text
    from einsum_front.tl_backend.transforms.portable import portable as portable
    from einsum_front.tl_backend.transforms.recipe import Recipe as Recipe
    from einsum_front.tl_backend.transforms.recipe import Recipes as Recipes
    from einsum_front.tl_backend.transforms.recipe import read_recipes as read_recipes
    from einsum_front.tl_backend.transforms.search import Times as Times
    from einsum_front.tl_backend.transforms.search import search as search
    from einsum_front.tl_backend.traverse import walk as walk

__getattr__, __dir__, __all__ = facade(
    __name__,
    {
        ".analysis.effects": ("depends_on_launch", "operations"),
        ".builder": ("ALL", "Builder", "Index", "Number", "Part", "Value"),
        ".builder.functions": ("apply",),
        ".kernel.interpret": ("TooLongError",),
        ".opencl.requirements": ("check_numbers",),
        ".opencl.target": ("DEFAULT", "Target"),
        ".passes.choose_work_group": ("WorkGroupLimits",),
        ".rewrite": ("with_open_offsets", "with_prefetched"),
        ".schedules.by_recipe": ("first_recipe",),
        ".schedules.choice": (
            "Scheduled",
            "candidates",
            "first_choice",
            "is_possible",
            "is_tiled",
            "schedule",
            "with_work_group",
        ),
        ".schedules.text": ("schedule_text",),
        ".schedules.tuning": ("ScheduleKind", "Tuning", "read_tuning"),
        ".sums": ("neighbours", "of_caller", "rows_together", "sum_function", "sums_of"),
        ".targets.c": ("FLAGS", "HEADER", "c"),
        ".targets.cuda": ("CUDA", "DECLARED_SHARED_MEMORY"),
        ".targets.opencl": ("OPENCL_C",),
        ".targets.sycl": ("SYCL",),
        ".transforms.portable": ("form_of", "form_text", "portable"),
        ".transforms.recipe": ("Recipe", "Recipes", "read_recipes"),
        ".transforms.search": ("Times", "search"),
        ".traverse": ("walk",),
    },
)
