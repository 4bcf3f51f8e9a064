"""Options of users: said once, read by the Python interface and the command line."""

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from types import MappingProxyType

from einsum_front.core.dataclass import dataclass


class Level(Enum):
    """A level of the translation; the value is its name on the command line and the suffix of its files."""

    EIN = "ein"
    TC = "tc"
    MLIR = "mlir"
    TPP = "tpp"
    GRAPH = "graph"
    PLAN = "plan"
    YIR = "yir"
    TL = "tl"
    SCHEDULE = "schedule"
    CL = "cl"


LEVEL_NAMES = {
    Level.EIN: "notation",
    Level.TC: "named operations",
    Level.MLIR: "linalg",
    Level.TPP: "tensor processing primitives",
    Level.GRAPH: "contraction graph",
    Level.PLAN: "plan",
    Level.YIR: "YATeTo language",
    Level.TL: "tensor language",
    Level.SCHEDULE: "schedule",
    Level.CL: "OpenCL C",
}
"""What the levels are called where people see them, in the order of the translation."""

SOURCE_LEVELS = (Level.EIN, Level.TC, Level.MLIR, Level.TPP)
"""The levels that people write, and no level comes before."""

READABLE_LEVELS = (Level.EIN, Level.TC, Level.MLIR, Level.TPP, Level.YIR, Level.TL)
"""The levels whose texts the compiler can start from."""

SUFFIXES = {level.value: level for level in READABLE_LEVELS} | {"ir": Level.TL}
"""The level that the suffix of a file tells; `.ir` is a text of the tensor language as well."""

MLIR_LEVELS = (Level.MLIR, Level.TPP)
"""Functions of MLIR: linalg, and tensor processing primitives."""

MLIR_TEXTS = ("linalg", "linalg-loops", "tpp")
"""What the command line writes of kernels in MLIR."""

EDITIONS = ("2023", "2024", "tinytc-0.2", "tinytc-0.3", "tinytc-0.4")
"""The editions that the tensor language can be printed in (`tl_backend.program.Edition`); without one of them every
program has a text."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to translate.

    `defines` override params of the text; `real` overrides its default element type (f32 or f64). `device` is `auto`, a
    number or a part of a name. `kernel` limits the work to one kernel or one family. `passes` are names of passes over
    the tensor language that run before it is shown. `max_temp` are the bytes of temporaries that the plan of a kernel
    may have alive at one time. `batch_dim` is the number of the mode of linalg's results that is the batch, or `none`.
    Without `check_indices`, a launch does not look at integers that say places.
    """

    defines: Mapping[str, str | int] = field(default_factory=lambda: MappingProxyType({}))
    real: str | None = None
    device: str = "auto"
    kernel: str | None = None
    passes: tuple[str, ...] = ()
    max_temp: int | None = None
    batch_dim: str | None = None
    check_indices: bool = True


@dataclass(frozen=True, slots=True)
class ScheduleOptions:
    """How kernels get their schedules.

    `schedule` is what all get, with parameters if wanted: `work_group:block=2x3`. `tune` measures what a
    kernel can have on the device and takes the fastest. `cache` is whether what was measured before counts, and what is
    measured is kept.
    """

    schedule: str | None = None
    tune: bool = False
    cache: bool = True
