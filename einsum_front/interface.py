"""The functions that a Python user meets first: `parse` and `compile`."""

import os
import re
from collections.abc import Mapping
from numbers import Integral
from pathlib import Path

import numpy as np

from einsum_front import ir
from einsum_front.compiled_program import CompiledProgram
from einsum_front.compiling import compile_program
from einsum_front.core.diagnostics import CompileError, Diagnostic, Source
from einsum_front.core.signatures import shown_without_types
from einsum_front.core.texts import read_source
from einsum_front.core.words import kind_of
from einsum_front.driver import (
    Observer,
    ignore,
)
from einsum_front.driver.dump import start_dump
from einsum_front.dsl import Kernel
from einsum_front.index_string.builds import leaves_the_device_to_us, read_build
from einsum_front.index_string.keywords import Build, reject_for_never
from einsum_front.notation.parse import parse as parse_notation
from einsum_front.options import MLIR_LEVELS, SUFFIXES, Level, Options, ScheduleOptions
from einsum_front.parsed import Program
from einsum_front.runtime import Device, available_devices, find_device
from einsum_front.steps import Schedule


def parse(path_or_text: str | Path) -> Program:
    """Reads a program.

    Parameters
    ----------
    path_or_text : Path or str
        A file, or the text itself. A string of one line that ends in a known suffix (`.ein`, `.tc`, `.mlir`, `.tpp`,
        `.yir`, `.tl`) is a file.

    Returns
    -------
    Program
        What `compile` takes.

    Raises
    ------
    CompileError
        With the place of every mistake of syntax.

    Examples
    --------
    >>> import einsum_front as ef
    >>> program = ef.parse("tensor A[3]\\nkernel twice { A[i] = 2*A[i] }\\n")
    >>> list(ef.compile(program))
    ['twice']
    """
    if not isinstance(path_or_text, str | Path):
        raise TypeError(f"parse takes a path or a text, not {kind_of(path_or_text)}")
    path = _path(path_or_text)
    if path is None and re.fullmatch(r"[^\s{]+", str(path_or_text)):
        raise CompileError([_no_text(str(path_or_text))])
    source = Source("<string>", str(path_or_text)) if path is None else read_source(path)
    level = Level.EIN if path is None else SUFFIXES.get(path.suffix[1:], Level.EIN)
    notation = parse_notation(source) if level is Level.EIN else None
    return Program(source, level, Path() if path is None else path.parent, notation)


@shown_without_types
def compile(  # noqa: A001, PLR0913 - the word of the field; every option of the command line has a keyword
    program: Program | ir.Graph,
    device: str | int = "auto",
    *,
    defines: Mapping[str, str | int] | None = None,
    real: str | None = None,
    kernel: str | None = None,
    max_temp: int | None = None,
    batch_dim: int | str | None = None,
    dump_to: str | Path | None = None,
    schedule: str | Schedule | None = None,
    tune: bool = False,
    cache: bool = True,
    build: Build | None = None,
    check_indices: bool = True,
) -> CompiledProgram:
    """Translates a program for a device.

    Parameters
    ----------
    program : Program or Graph
        What `parse` or `program` returns, or a graph of `einsum_front.ir.GraphBuilder`.
    device : str or int
        `"auto"`, `"c"`, a number or a part of a name (`einsum-front devices`). On a machine without a device, `"auto"`
        translates for the CPU one that comes with the package; running then fails.
    defines : mapping of str to str or int, optional
        Other values of params.
    real : {"f32", "f64"}, optional
        The element type of tensors that name none.
    kernel : str, optional
        The one kernel or family to translate.
    max_temp : int, optional
        Bytes that temporaries of an element may take.
    batch_dim : int or "none", optional
        For linalg: the mode of the results that is the batch.
    dump_to : path, optional
        A folder that every level is written to.
    schedule : str or Schedule, optional
        That of every kernel: `"batch_simd"`, `"work_group:block=2x3"`, or a file of recipes (`NAME.sched`). Without it,
        it is what was measured before, or what a model chooses.
    tune : bool
        Measure what each kernel can have, and take the fastest.
    cache : bool
        False neither uses nor keeps measurements.
    build : {"auto", "now", "never"}, optional
        How calls without a kernel are computed: `"now"` builds it first. With `"auto"`, NumPy computes until a kernel
        pays, which is built in the background; so it is where sizes are open and nothing is said. `"never"` leaves all
        to NumPy. `EINSUM_FRONT_BUILD` says `now` or `never` for a program.
    check_indices : bool
        False does not look at integers that say positions, elements or members: a wrong one then reads anything.

    Returns
    -------
    CompiledProgram
        The kernels by name.

    Raises
    ------
    CompileError
        With all mistakes of the text.

    Notes
    -----
    Kernels take the layouts of their arrays where the text says none (see `CompiledKernel`). All options hold for each
    layout, but only the default one is written to `dump_to`.

    Examples
    --------
    >>> import numpy as np
    >>> import einsum_front as ef
    >>> text = "tensor Q[4, 3]\\ntensor K[4, 4] constant\\nkernel apply { Q[k,p] = K[k,l] * Q[l,p] }\\n"
    >>> apply = ef.compile(ef.parse(text))["apply"]
    >>> Q = np.ones((1000, 4, 3))
    >>> apply(Q=Q, K=np.eye(4))
    >>> Q.shape
    (1000, 4, 3)
    """
    if not isinstance(program, Program | ir.Graph):
        raise TypeError(_not_a_program(program))
    if defines is not None and not isinstance(defines, Mapping):
        raise TypeError(f"`defines` are params with their values, {{'O': 6}}, not {kind_of(defines)}")
    for name, value in (defines or {}).items():
        if isinstance(value, bool | np.bool_):
            raise TypeError(f"`defines` has {value!r} for `{name}`, which is no number")
    max_temp = _bytes(max_temp)
    _check_kinds(device, {"tune": tune, "cache": cache, "check_indices": check_indices}, dump_to)
    if isinstance(program, Program) and program.level is Level.TC:
        _reject_for_planned(program.level.value, {"real": real})
    elif isinstance(program, Program) and program.notation is None:
        later = {} if program.level in MLIR_LEVELS else {"max_temp": max_temp}
        _reject_for_planned(program.level.value, {"defines": defines, "real": real, **later})
    if batch_dim is not None and not (isinstance(program, Program) and program.level in MLIR_LEVELS):
        raise ValueError("`batch_dim` is for linalg: other texts say what is batched")
    if batch_dim not in (None, "none") and not (isinstance(batch_dim, int) and batch_dim >= 0):
        raise ValueError(f"`batch_dim` is the number of a mode, from 0 on, or 'none', not {batch_dim!r}")
    if isinstance(program, ir.Graph):
        _reject_for_planned(Level.GRAPH.value, {"defines": defines, "real": real, "kernel": kernel})
    text = None if isinstance(program, ir.Graph) else program.notation or program.source
    found = _device_or_none(device) if device == "auto" and not tune else find_device(device)
    mode = None if batch_dim is None else str(batch_dim)
    options = Options(
        defines or {}, real, str(device), kernel, max_temp=max_temp, batch_dim=mode, check_indices=check_indices
    )
    wanted = None if schedule is None else str(schedule)
    observe: Observer = ignore if dump_to is None else start_dump(Path(dump_to), text, options)
    schedules = ScheduleOptions(wanted, tune, cache)
    is_ours = leaves_the_device_to_us(device) and wanted is None and not tune
    when = _build(build, is_ours=is_ours)
    return compile_program(program, found, options, schedules, observe, takes_layouts=True, build=when)


def _build(given: Build | None, *, is_ours: bool) -> Build | None:
    """When kernels are built, None where their sizes decide; `is_ours`: neither a device nor a schedule is named."""
    wanted = read_build(given)
    if not is_ours:
        if given == "never":
            reject_for_never()
        return "now"
    return None if given is None and wanted == "auto" else wanted


def _bytes(most: object) -> int | None:
    """The bytes that temporaries may have."""
    if most is None:
        return None
    if not isinstance(most, Integral) or isinstance(most, bool):
        raise TypeError(f"`max_temp` is a number of bytes, not {kind_of(most)}")
    if most < 0:
        raise ValueError(f"`max_temp` is a number of bytes, not {most}")
    return int(most)


def _check_kinds(device: object, switches: Mapping[str, object], dump_to: object) -> None:
    """What would silently mean something else: a text is true, whatever it says."""
    if not isinstance(device, str | Integral) or isinstance(device, bool):
        raise TypeError(f"`device` is a name or a number, not {kind_of(device)}")
    if device == "":
        raise ValueError("`device` is a name or a number, not an empty text")
    for name, switch in switches.items():
        if not isinstance(switch, bool | np.bool_):
            raise TypeError(f"`{name}` is True or False, not {switch!r}")
    if dump_to is not None and not isinstance(dump_to, str | os.PathLike):
        raise TypeError(f"`dump_to` is the path of a folder, not {kind_of(dump_to)}")
    if dump_to == "":
        raise ValueError("`dump_to` is the path of a folder, not an empty text")


def _device_or_none(name: str) -> Device | None:
    """The device that `auto` is, None where nothing can run: texts are made there all the same."""
    try:
        return find_device(name)
    except CompileError:
        if available_devices():  # but not that of the environment variable
            raise
        return None


def _reject_for_planned(level: str, given: Mapping[str, object]) -> None:
    """Refuses options that come too late: below the notation, numbers and types are fixed; in a text, the plan is."""
    for name, value in given.items():
        if value is not None and value != {}:
            raise ValueError(f"`{name}` is for the notation: a text at the level `{level}` is planned already")


def _not_a_program(given: object) -> str:
    """Message for a value that `compile` does not take, and what to write instead where that is known."""
    instead = ""
    if isinstance(given, str | Path):
        instead = f": `compile(parse({'text' if chr(10) in str(given) else repr(given)}))`"
    elif isinstance(given, Kernel):
        instead = f": `compile(program({given.name}))`"
    return f"compile takes what `parse` or `program` returns, not {kind_of(given)}{instead}"


def _no_text(word: str) -> Diagnostic:
    """One word is a path more often than a program."""
    suffixes = ", ".join(f".{suffix}" for suffix in SUFFIXES)
    notes = (f"a string that ends in {suffixes} is the path of a file, `Path(…)` always is",)
    if "->" in word:
        notes = ("`ef.einsum` takes an index string",)
    return Diagnostic("E0105", f"`{word}` is neither a program nor the path of one", notes=notes)


def _path(path_or_text: str | Path) -> Path | None:
    if isinstance(path_or_text, Path):
        return path_or_text
    is_file = "\n" not in path_or_text and Path(path_or_text).suffix[1:] in SUFFIXES
    return Path(path_or_text) if is_file else None
