"""The name that SeisSol looks for; see `einsum_front.exporter`."""

import sys
from pathlib import Path

from einsum_front.exporter import get_routine_generator, use_fusedgemm_cost

__all__ = ["get_routine_generator", "print_cmake_path", "use_fusedgemm_cost"]


def print_cmake_path() -> None:
    """Prints where CMake finds `TensorForgeConfig.cmake`, for `CMAKE_PREFIX_PATH`."""
    sys.stdout.write(str(Path(__file__).parent))
