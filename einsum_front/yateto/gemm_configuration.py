"""Tools for matrix products: tokens that scripts hand to `generate`. The schedules of kernels take their place."""

from collections.abc import Sequence

from einsum_front.yateto.arch import Architecture

__all__ = [
    "BLIS",
    "LIBXSMM",
    "LIBXSMM_JIT",
    "MKL",
    "BLASlike",
    "CodeGenerator",
    "DefaultGeneratorCollection",
    "Eigen",
    "GemmForge",
    "GemmTool",
    "GeneratorCollection",
    "OpenBLAS",
    "PSpaMM",
    "tinytc",
]


class GemmTool:
    """A tool that YATeTo calls for matrix products."""

    def __init__(self, arch: Architecture, cmd: str = "", threshold: int = 0) -> None:
        self.arch, self.cmd, self.threshold = arch, cmd, threshold


class BLASlike(GemmTool):
    """A library."""


class CodeGenerator(GemmTool):
    """A generator of code."""


class MKL(BLASlike):
    """Intel's library."""


class OpenBLAS(BLASlike):
    """A library."""


class BLIS(BLASlike):
    """A library."""


class Eigen(BLASlike):
    """A library of templates."""


class LIBXSMM(CodeGenerator):
    """A generator of code."""


class LIBXSMM_JIT(BLASlike):
    """A generator of code in the process."""


class PSpaMM(CodeGenerator):
    """A generator of code."""


class GemmForge(CodeGenerator):
    """A generator of code for GPUs."""


class tinytc(CodeGenerator):
    """A compiler for GPUs."""


class GeneratorCollection:
    """Some tools."""

    def __init__(self, gemmTools: Sequence[GemmTool]) -> None:
        self.gemmTools = list(gemmTools)
        self.selected: set[GemmTool] = set()


class DefaultGeneratorCollection(GeneratorCollection):
    """The tools that YATeTo takes for an architecture."""

    def __init__(self, arch: Architecture) -> None:
        super().__init__([Eigen(arch)])
