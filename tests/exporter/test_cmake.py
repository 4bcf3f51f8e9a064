"""SeisSol's CMake asks the module `tensorforge` for a package of CMake."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from einsum_front.exporter import TENSORFORGE

LISTS = """cmake_minimum_required(VERSION 3.16)
project(solver NONE)
execute_process(
    COMMAND "${PYTHON}" -c "import tensorforge; tensorforge.print_cmake_path()" OUTPUT_VARIABLE TENSORFORGE_PATH)
set(CMAKE_PREFIX_PATH "${TENSORFORGE_PATH}" ${CMAKE_PREFIX_PATH})
find_package(TensorForge REQUIRED)
message(STATUS "found in ${TensorForge_DIR}: ${TensorForge_SOURCES};${TensorForge_INCLUDE_DIRS}.")
"""


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs cmake")
def test_it_is_found(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(LISTS, encoding="utf-8")
    command = ["cmake", "-S", str(tmp_path), "-B", str(tmp_path / "build"), f"-DPYTHON={sys.executable}"]
    environment = os.environ | {"PYTHONPATH": str(TENSORFORGE)}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert f"found in {TENSORFORGE}: ;." in done.stdout
