"""The whole compiler: a text or a graph in, kernels out, every level in between.

`Session` says what is made how; `translate` and its like take a text at its level through all levels after it. After
each step the observer of the session sees the kernel's name, the step (a level, or a pass over one of them) and the
value: dumping, printing and timing are observers.
"""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.driver.from_below import transform as transform
    from einsum_front.driver.from_tc import definitions_of as definitions_of
    from einsum_front.driver.gpus import ARCHITECTURES as ARCHITECTURES
    from einsum_front.driver.gpus import DEFAULT_ARCHITECTURE as DEFAULT_ARCHITECTURE
    from einsum_front.driver.gpus import compile_alone as compile_alone
    from einsum_front.driver.gpus import dynamic_memory as dynamic_memory
    from einsum_front.driver.gpus import gpu_target as gpu_target
    from einsum_front.driver.gpus import gpu_text as gpu_text
    from einsum_front.driver.gpus import lower_alone as lower_alone
    from einsum_front.driver.session import Decide as Decide
    from einsum_front.driver.session import Observer as Observer
    from einsum_front.driver.session import Session as Session
    from einsum_front.driver.session import by_model as by_model
    from einsum_front.driver.session import ignore as ignore
    from einsum_front.driver.stages import Decision as Decision
    from einsum_front.driver.stages import GraphStages as GraphStages
    from einsum_front.driver.stages import LevelValue as LevelValue
    from einsum_front.driver.stages import LoopStages as LoopStages
    from einsum_front.driver.stages import NotationStages as NotationStages
    from einsum_front.driver.stages import Stages as Stages
    from einsum_front.driver.stages import YatetoStages as YatetoStages
    from einsum_front.driver.stages import limits_of as limits_of
    from einsum_front.driver.stages import ready as ready
    from einsum_front.driver.translate import PASSES as PASSES
    from einsum_front.driver.translate import Lying as Lying
    from einsum_front.driver.translate import check_text as check_text
    from einsum_front.driver.translate import plan_program as plan_program
    from einsum_front.driver.translate import translate_program as translate_program
    from einsum_front.driver.translate import translate_text as translate_text
    from einsum_front.driver.translate import with_layouts as with_layouts
    from einsum_front.driver.tune import measure_candidates as measure_candidates

__getattr__, __dir__, __all__ = facade(
    __name__,
    {
        ".gpus": (
            "ARCHITECTURES",
            "DEFAULT_ARCHITECTURE",
            "compile_alone",
            "lower_alone",
            "gpu_text",
            "dynamic_memory",
            "gpu_target",
        ),
        ".from_below": ("transform",),
        ".from_tc": ("definitions_of",),
        ".session": ("Decide", "Observer", "Session", "by_model", "ignore"),
        ".stages": (
            "Decision",
            "GraphStages",
            "LoopStages",
            "LevelValue",
            "NotationStages",
            "Stages",
            "YatetoStages",
            "limits_of",
            "ready",
        ),
        ".translate": (
            "PASSES",
            "Lying",
            "check_text",
            "plan_program",
            "translate_program",
            "translate_text",
            "with_layouts",
        ),
        ".tune": ("measure_candidates",),
    },
)
