"""Names that scripts for YATeTo import, with formulas and kernels of einsum-front behind them.

A script runs unchanged where `yateto` means this package: `einsum-front yateto SCRIPT`. What it generates is a program
of the notation, which every level, `explain` and `--verify` work on.
"""

import copy
import itertools
import os
import re
from pathlib import Path

import numpy as np
from numpy import float64, ndarray, zeros

from einsum_front.yateto import aspp, gemm_configuration, type  # noqa: A004 - YATeTo's module has this name
from einsum_front.yateto.arch import (
    Architecture,
    DeviceArchDefinition,
    HostArchDefinition,
    deriveArchitecture,
    fixArchitectureGlobal,
    useArchitectureIdentifiedBy,
)
from einsum_front.yateto.formula import Add, IndexedTensor, Node
from einsum_front.yateto.gemm_configuration import (
    BLIS,
    LIBXSMM,
    LIBXSMM_JIT,
    MKL,
    BLASlike,
    CodeGenerator,
    DefaultGeneratorCollection,
    Eigen,
    GemmForge,
    GemmTool,
    GeneratorCollection,
    OpenBLAS,
    PSpaMM,
    tinytc,
)
from einsum_front.yateto.generator import (
    Generator,
    GlobalRoutineCache,
    Kernel,
    NamespacedGenerator,
    parameterSpaceFromRanges,
    simpleParameterSpace,
)
from einsum_front.yateto.memory import Alignment, CSCMemoryLayout, DenseMemoryLayout, Range
from einsum_front.yateto.type import Collection, Datatype, IdentifiedType, Scalar, Tensor

INCLUDE = Path(__file__).parent / "include"
"""A folder for compilers of C++: it has a `yateto.h` for programs without YATeTo."""

__all__ = [
    "BLIS",
    "LIBXSMM",
    "LIBXSMM_JIT",
    "MKL",
    "Add",
    "Alignment",
    "Architecture",
    "BLASlike",
    "CSCMemoryLayout",
    "CodeGenerator",
    "Collection",
    "Datatype",
    "DefaultGeneratorCollection",
    "DenseMemoryLayout",
    "DeviceArchDefinition",
    "Eigen",
    "GemmForge",
    "GemmTool",
    "Generator",
    "GeneratorCollection",
    "GlobalRoutineCache",
    "HostArchDefinition",
    "IdentifiedType",
    "IndexedTensor",
    "Kernel",
    "NamespacedGenerator",
    "Node",
    "OpenBLAS",
    "PSpaMM",
    "Range",
    "Scalar",
    "Tensor",
    "aspp",
    "copy",
    "deriveArchitecture",
    "fixArchitectureGlobal",
    "float64",
    "gemm_configuration",
    "itertools",
    "ndarray",
    "np",
    "os",
    "parameterSpaceFromRanges",
    "re",
    "simpleParameterSpace",
    "tinytc",
    "type",
    "useArchitectureIdentifiedBy",
    "zeros",
]
