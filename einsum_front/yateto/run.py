"""Running a script in which `yateto` means this package."""

import importlib
import pkgutil
import re
import runpy
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType

import einsum_front.yateto
from einsum_front.core.diagnostics import CompileError
from einsum_front.yateto.session import Session, session

NAME = "yateto"
OURS = "einsum_front.yateto"

PACKAGE = Path(__file__).parents[1]

BETWEEN = "contextlib.py", "runpy.py"
"""What Python puts between the lines of a script and ours."""


class ScriptError(Exception):
    """A script that ended early; the words say where and why."""


def run_script(script: Path, arguments: Sequence[str], *, promises_values: bool) -> Session:
    """Runs a script with some arguments, and says what it generated. What it prints goes to the standard error.

    Raises `ScriptError` if it does not come to its end.
    """
    if not script.is_file():
        raise ScriptError(f"there is no script `{script}`")
    with _as_program(script, arguments), redirect_stdout(sys.stderr), session(promises_values=promises_values) as run:
        try:
            runpy.run_path(str(script), run_name="__main__")
        except SystemExit as end:
            if end.code not in (None, 0):
                raise ScriptError(f"`{script}` ended with {end.code!r}") from None
        except Exception as error:
            raise ScriptError(_told(error)) from None
    return run


@contextmanager
def _as_program(script: Path, arguments: Sequence[str]) -> Iterator[None]:
    """The modules, the path and the arguments that a script expects; what was there before is there afterwards."""
    modules, path, given = dict(sys.modules), list(sys.path), list(sys.argv)
    sys.modules.update(_modules())
    sys.path.insert(0, str(script.resolve().parent))
    sys.argv[:] = [str(script), *arguments]
    try:
        yield
    finally:
        sys.path[:], sys.argv[:] = path, given
        for name in [name for name in sys.modules if name == NAME or name.startswith(f"{NAME}.")]:
            del sys.modules[name]
        sys.modules.update({name: module for name, module in modules.items() if name.partition(".")[0] == NAME})


def _modules() -> dict[str, ModuleType]:
    """Our modules by the names of YATeTo's."""
    names = [module.name for module in pkgutil.walk_packages(einsum_front.yateto.__path__, f"{OURS}.")]
    return {name.replace(OURS, NAME, 1): importlib.import_module(name) for name in (OURS, *names)}


def _told(error: Exception) -> str:
    """The lines of the script that led to an error, and the error as Python shows it."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith("<frozen") and not _is_ours(Path(frame.filename))
    ]
    words = str(error) if isinstance(error, CompileError) else f"{type(error).__name__}: {_in_its_words(error)}"
    note = note_on(error)
    told = [] if note is None else [f"\n  = note: {note}"]
    return "".join(["in the script:\n", *traceback.format_list(frames), words, *told])


def _in_its_words(error: Exception) -> str:
    """The words of an error, in which our modules have the names that the script knows, and no file."""
    words = str(error).replace(OURS, NAME)
    return re.sub(r" \(\S*\)$", "", words) if isinstance(error, ImportError) else words


def _is_ours(file: Path) -> bool:
    return file.is_relative_to(PACKAGE) or file.name in BETWEEN


# -- names of other versions of YATeTo, and what is said of one that a script asks for in vain -------------------------
# YATeTo has no releases but 0.1.0: a version is a commit of its main line, or one of its branches. Here is what the
# main line had in July 2026 (`8c1fc63`), and `Alignment` of the branch `new_alignment_mode`, which tandem takes.

NONLINEARITY = "YATeTo's branch `nonlinearity` (since April 2025)"
DATATYPING = "YATeTo's branches `datatyping` and `nonlinearity` (since January 2025)"
SPARSE = "YATeTo's branch `sparse-tensor` (since November 2025)"
INNER = "an inner part of YATeTo"

NAMES = {
    "AddressingMode": f"how kernels reach single tensors, of {DATATYPING}: values decide here, as in the main line",
    "addressing": f"how kernels reach one tensor, of {DATATYPING}: values decide here, as in the main line",
    "ops": f"operations on entries, of {NONLINEARITY}: the notation has functions of entries",
    "functions": f"functions of entries, of {NONLINEARITY}: the notation has such functions",
    "KernelChain": "kernels that share data, of YATeTo's branch `chainkernel` (since February 2026)",
    "PatternMemoryLayout": f"a layout of listed entries, of {SPARSE}",
    "AlignedPatternMemoryLayout": f"a layout of listed entries, of {SPARSE}",
    "KernelForge": "a generator for GPUs, of YATeTo's branch `kernelforge` (2024)",
    "MemoryLayout": f"the base class of layouts, {INNER}",
    "MemoryLayoutView": f"the layout of a slice (since April 2025), {INNER}: slices are part of formulas here",
    "BoundingBox": f"the box of a layout, {INNER}: `bbox()` gives a tuple of `Range` here",
    "LoGCost": f"a cost of loops over products, {INNER}: the planner finds these here",
    "log": f"the search for loops over products, {INNER}: the planner does that here",
    "opt": f"the search for the order of products, {INNER}: the planner does that here",
    "metagen": "several generators behind templates of C++, `MetaGenerator` (since April 2025)",
    "MetaGenerator": "several generators behind templates of C++ (since April 2025)",
    "controlflow": f"the list of operations and the passes over it, {INNER}: the planner does that here",
    "codegen": f"the writers of C++, {INNER}: only `yateto.codegen.code.Cpp` is here",
}
"""What a name is, and of which version; modules by their last name."""

_TOLD = (
    re.compile(r"No module named '(?:yateto|einsum_front\.yateto)\.([\w.]+)'"),
    re.compile(r"cannot import name '(\w+)' from '(?:einsum_front\.)?yateto(?:\.([\w.]+))?'"),
    re.compile(r"module '(?:einsum_front\.)?yateto(?:\.([\w.]+))?' has no attribute '(\w+)'"),
    re.compile(r"name '(\w+)' is not defined"),
    re.compile(r"__init__\(\) got an unexpected keyword argument '(\w+)'"),
)
"""How Python words that there is no such thing."""


def note_on(error: Exception) -> str | None:
    """What a script asked for in vain is, if another version of YATeTo has it."""
    if not isinstance(error, ImportError | AttributeError | NameError | TypeError):
        return None
    names = (name for name in _asked_for(str(error)) if name in NAMES)
    if isinstance(error, NameError):  # of a star import: a script has variables `log` and `opt` of its own
        names = (name for name in names if name[0].isupper())
    return next((f"`{name}`: {NAMES[name]}" for name in names), None)


def _asked_for(words: str) -> Iterator[str]:
    """The names in the words of an error, that of an outer module last."""
    for told in _TOLD:
        if found := told.search(words):
            yield from (part for group in found.groups() if group for part in reversed(group.split(".")))
