"""The command `package`: the kernels of a text as a library for C, C++ and Fortran programs."""

from argparse import Namespace
from pathlib import Path
from re import sub

from einsum_front.commands.input import read_input, translated
from einsum_front.commands.output import Output
from einsum_front.diagnostics import CompileError, Diagnostic
from einsum_front.driver import ignore
from einsum_front.files import make_directory, replace_text, writing
from einsum_front.package import MARK, package_files
from einsum_front.package.names import PACKAGE_NAME
from einsum_front.runtime.device import find
from einsum_front.words import counted


def package(arguments: Namespace) -> int:
    """Translate, and write the folder; what it has already is replaced if it is a package."""
    name = arguments.name or _default_name(arguments)
    if PACKAGE_NAME.fullmatch(name) is None:
        message = f"a package cannot be called `{name}`"
        note = "a name has up to 40 lower-case letters, digits and underscores, a letter first"
        raise CompileError([Diagnostic("E0160", message, notes=(note,), helps=("--name gives another one",))])
    _check_folder(arguments.output)
    needs_none = arguments.device == "auto" and not arguments.tune
    program = translated(read_input(arguments), arguments, None if needs_none else find(arguments.device), ignore)
    file = "an index string" if arguments.file is None else arguments.file.name
    files = package_files([kernel.translation for kernel in program.values()], name, file)
    for path, text in files.items():
        make_directory((arguments.output / path).parent)
        replace_text(arguments.output / path, text)
    Output().print(f"{arguments.output}: {name}, {counted(len(program), 'kernel')}", markup=False)
    return 0


def _default_name(arguments: Namespace) -> str:
    """`wave_kernels` for `wave.ein`."""
    stem = "einsum" if arguments.file is None or str(arguments.file) == "-" else arguments.file.stem
    return sub(r"[^a-z0-9_]", "_", f"{stem.lower()}_kernels")


def _check_folder(folder: Path) -> None:
    """A folder with something else in it is not written into."""
    with writing(folder):
        if not folder.exists() or not any(folder.iterdir()):
            return
        build = folder / "CMakeLists.txt"
        is_package = build.is_file() and MARK in build.read_text(encoding="utf-8", errors="replace")
    if not is_package:
        help_ = "name a folder that does not exist, or one with a package"
        raise CompileError([Diagnostic("E0161", f"`{folder}` has files that are of no package", helps=(help_,))])
