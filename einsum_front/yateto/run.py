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
from einsum_front.yateto.versions import note_on

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
