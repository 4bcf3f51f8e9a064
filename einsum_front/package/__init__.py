"""A package: a folder with the kernels of a text as a library for C, C++ and Fortran programs.

    include/   NAME.h, NAME.hpp
    src/       a file for each kernel; files that are the same in every package of a target; NAME.f90
    test/      a program that compares each kernel with loops
    cmake/     CMake's and pkg-config's descriptions of what is installed

The same input gives the same bytes. Names of the package stand as `@name@` in all texts until the end.
"""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.package.files import MARK as MARK
    from einsum_front.package.files import VERSION as VERSION
    from einsum_front.package.files import package_files as package_files

__getattr__, __dir__, __all__ = facade(__name__, {".files": ("MARK", "VERSION", "package_files")})
