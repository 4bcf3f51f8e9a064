"""The command `package`: the kernels of a text as a library for C, C++ and Fortran programs."""

from argparse import Namespace
from pathlib import Path

from einsum_front import runtime
from einsum_front.commands.input import Given, described_gpu, read_input, reject_device, translated
from einsum_front.commands.usage import UsageError
from einsum_front.core.diagnostics import CompileError, Diagnostic, Source
from einsum_front.core.terminal import say
from einsum_front.core.words import counted
from einsum_front.driver import DEFAULT_ARCHITECTURE, ignore
from einsum_front.driver.c_functions import INSTRUCTION_SETS, c_target
from einsum_front.files import make_directory, replace_text, writing
from einsum_front.mlir.library import library_functions
from einsum_front.mlir.named import rank_of
from einsum_front.mlir.parse import parse
from einsum_front.mlir.unparse import unparse
from einsum_front.options import Level
from einsum_front.package import MARK, package_files
from einsum_front.package.host import CUDA, HOSTS, SYCL, C
from einsum_front.package.names import against_package, package_name


def package(arguments: Namespace) -> int:
    """Translate, and write the folder; what it has already is replaced if it is a package."""
    name = arguments.name or _default_name(arguments)
    note = against_package(name)
    if note is not None:
        message = f"a package cannot be called `{name}`"
        raise CompileError([Diagnostic("E0160", message, notes=(note,), helps=("--name gives another one",))])
    _check_folder(arguments.output)
    host = HOSTS[arguments.host]
    if host is C:
        reject_device(arguments)
        if arguments.arch is not None:
            raise UsageError("--arch is for GPUs: target `c` is for processors")
    if host in (CUDA, SYCL) and arguments.arch is None:
        arguments.arch = DEFAULT_ARCHITECTURE
    target = c_target(INSTRUCTION_SETS[0]) if host is C else described_gpu(arguments, host.name)
    needs_none = target is not None or (arguments.device is None and not arguments.tune)
    device = None if needs_none else runtime.find_device(arguments.device or "auto", needs_opencl=True)
    given, memrefs = read_input(arguments), None
    if host is C:
        given, memrefs = _library(given)
    stages = translated(given, arguments, device, ignore, target)
    file = "an index string" if arguments.file is None else arguments.file.name
    files = package_files(stages, name, file, host, arguments.arch or "", memrefs)
    for path, text in files.items():
        make_directory((arguments.output / path).parent)
        replace_text(arguments.output / path, text)
    say(f"{arguments.output}: {name}, {counted(len(stages), 'kernel')}")
    return 0


def _library(given: Given) -> tuple[Given, dict[str, dict[str, int]] | None]:
    """What the operations of a text of linalg call, in its place, and the ranks of the memrefs; other texts stay."""
    match given:
        case Source() as source, Level.MLIR:
            called = library_functions(parse(source))
        case _:  # open: no other text calls a library
            called = None
    if called is None:
        return given, None
    ranks = {each.name: {one.name: rank_of(one) for one in each.arguments} for each in called.functions}
    return (Source(f"the calls of {given[0].name}", unparse(called)), Level.MLIR), ranks  # type: ignore[union-attr]


def _default_name(arguments: Namespace) -> str:
    """`wave_kernels` for `wave.ein`: a name that a package can have, whatever the file is called."""
    stem = "einsum" if arguments.file is None or str(arguments.file) == "-" else arguments.file.stem
    return package_name(stem)


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
