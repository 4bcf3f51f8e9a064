"""The command `run`: kernels over a batch, how long they take, and whether they are right."""

from argparse import Namespace
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.commands.given import check_names, read_given, split_given
from einsum_front.commands.input import (
    batch_of_string,
    level_of,
    read_input,
    read_options,
    translated,
    with_notation_of_opencl,
)
from einsum_front.commands.usage import UsageError
from einsum_front.compiled import CompiledKernel
from einsum_front.compiled_program import CompiledProgram
from einsum_front.core.diagnostics import Source
from einsum_front.core.extent import hint
from einsum_front.core.terminal import Sign, bold, green, red, say, sign_of_life
from einsum_front.core.texts import read_source
from einsum_front.core.words import counted, duration, quoted
from einsum_front.data import (
    Given,
    batch_size,
    check_arguments,
    first_element,
    load_arguments,
    random_arguments,
    save_arguments,
    shown_sizes,
)
from einsum_front.driver import ignore
from einsum_front.driver.dump import start_dump
from einsum_front.driver.made_from import NoReference, Reference, read_header, reference
from einsum_front.driver.texts import has_open_sizes, operation_count
from einsum_front.driver.verification import Comparison, Tell, arrays
from einsum_front.files import check_folder
from einsum_front.notation import syntax
from einsum_front.options import Level
from einsum_front.runtime import Launch, Timing, find_device, measure
from einsum_front.runtime.artifact import ArrayParameter

DIFFERENCE_FOUND = 3


def run(arguments: Namespace) -> int:
    """Translate, run over a batch, and say how long it took and whether it is right."""
    texts = split_given(arguments.args)
    if arguments.save is not None:
        check_folder(arguments.save)
    if arguments.against is not None and not arguments.verify:
        raise UsageError("--against is what --verify compares with: give both")
    arguments = with_notation_of_opencl(arguments)
    given = read_input(arguments)
    made_from = read_header(given[0]) if isinstance(given[0], Source) else None
    if arguments.against is not None and isinstance(given[0], syntax.Program):
        raise UsageError("--against is for a text below the notation, which --verify compares already")
    dump = start_dump(arguments.dump_to, given[0], read_options(arguments)) if arguments.dump_to else ignore
    device = find_device(arguments.device or "auto")
    program = CompiledProgram(translated(given, arguments, device, dump), device)
    if arguments.opencl is not None:
        program = _edited(program, arguments)
    check_names(texts, [kernel.artifact for kernel in program.values()])
    if arguments.save is not None:
        _check_results(program)
    known = _names(program, given[0], is_part=arguments.kernel is not None)
    results: dict[str, NDArray[Any]] = {}
    agrees = True
    for kernel in program.values():
        values = _values(kernel, arguments, read_given(texts, kernel.artifact), known)
        count = _group_count(kernel, values, arguments)
        what = f"{kernel.name}: {counted(count, 'element')}"
        with sign_of_life(what) as sign:
            tell = _telling(sign, what)
            launch = kernel.prepare(count, **values)  # checks the arguments, which interpreters take as they are
            # before the device runs: the interpreters say what is undefined, a device does anything then
            notation = reference(made_from, arguments.against, kernel.name) if arguments.verify else None
            against = notation if isinstance(notation, Reference) else None
            comparisons = _comparisons(kernel, values, count, arguments, against, tell) if arguments.verify else ()
            sign.show(what)
            timing = _run_timed(kernel, launch, values, count, arguments.repeat)
        results |= {p.name: np.asarray(values[p.name]) for p in _written(kernel)}
        is_asked_for = arguments.data is not None or _batch(arguments) is not None
        say(_summary(kernel, timing, count, values, is_asked_for=is_asked_for))
        agrees &= report(comparisons, notation)
    if arguments.save is not None:
        save_arguments(arguments.save, results)
    return 0 if agrees else DIFFERENCE_FOUND


def _telling(sign: Sign, what: str) -> Tell:
    return lambda level: sign.show(f"{what}, verifying: {level}")


def _edited(program: CompiledProgram, arguments: Namespace) -> CompiledProgram:
    """The one kernel of the program with the OpenCL C that the user has edited."""
    if arguments.tune:
        raise UsageError("--tune chooses among what is generated, and --opencl stands for it")
    if len(program) > 1:
        raise UsageError(f"--opencl is one kernel: choose it with --kernel among {', '.join(program)}")
    (kernel,) = program.values()
    return CompiledProgram((kernel.with_opencl(read_source(arguments.opencl)).translation,), kernel.device)


def _check_results(program: CompiledProgram) -> None:
    """A file has one array of each name."""
    writers: dict[str, str] = {}
    for kernel in program.values():
        for parameter in _written(kernel):
            first = writers.setdefault(parameter.name, kernel.name)
            if first != kernel.name:
                message = f"both `{first}` and `{kernel.name}` write `{parameter.name}`: choose one with --kernel"
                raise UsageError(f"--save has room for one array of a name; {message}")


def _names(program: CompiledProgram, text: object, *, is_part: bool) -> tuple[str, ...]:
    """What arrays of a file may be called: arguments of the kernels, and what the notation declares, families too.

    None, if a text without declarations may have kernels with others.
    """
    if is_part and not isinstance(text, syntax.Program):
        return ()
    found = [parameter.name for kernel in program.values() for parameter in kernel.artifact.arguments]
    if isinstance(text, syntax.Program):
        found += [each.name for each in text.items if isinstance(each, syntax.Tensor | syntax.Scalar)]
    return tuple(dict.fromkeys(found))


def _written(kernel: CompiledKernel) -> list[ArrayParameter]:
    return [parameter for parameter in arrays(kernel.artifact) if parameter.is_written]


# -- what a kernel runs on ---------------------------------------------------------------------------------------------


def _values(kernel: CompiledKernel, arguments: Namespace, given: Given, known: Collection[str]) -> dict[str, object]:
    """The arguments of a kernel: what the user gives, and random ones, unless there is a file of them.

    Arrays of the file have `known` names, if there are some.
    """
    if arguments.data is None:
        batch = 1 if (wanted := _batch(arguments)) is None else wanted
        return random_arguments(kernel.artifact, batch, arguments.seed, given)
    if given.shapes:
        name = next(iter(given.shapes))
        raise UsageError(f"--args gives sizes for `{name}`, but arrays come from {arguments.data}")
    if known:
        check_arguments(arguments.data, known)
    names = {parameter.name for parameter in kernel.artifact.arguments}
    return {**load_arguments(arguments.data, names), **given.numbers}


def _batch(arguments: Namespace) -> int | None:
    """The size of the batch that is asked for: by --batch, or by the shapes of an index string."""
    wanted: int | None = arguments.batch
    shown = batch_of_string(arguments)
    if None not in (wanted, shown) and wanted != shown:
        raise UsageError(f"--batch is {wanted}, but the batch of this index string is its first index, of size {shown}")
    return wanted if shown is None else shown


def _group_count(kernel: CompiledKernel, values: Mapping[str, object], arguments: Namespace) -> int:
    """The number of work-groups: as asked for, else as many as the arguments have elements, else one."""
    wanted = _batch(arguments)
    found = batch_size(kernel.artifact, values) if wanted is None else wanted
    return 1 if found is None else found


# -- what comes out ----------------------------------------------------------------------------------------------------


def _run_timed(kernel: CompiledKernel, launch: Launch, values: dict[str, object], count: int, runs: int) -> Timing:
    if count:  # drivers finish compiling at the first run
        kernel(1, **first_element(kernel.artifact, values))
    timing = measure(launch, runs=runs, warm_up=0)
    launch.finish()
    return timing


def _comparisons(
    kernel: CompiledKernel,
    values: Mapping[str, object],
    count: int,
    arguments: Namespace,
    against: Reference | None,
    tell: Tell,
) -> tuple[Comparison, ...]:
    """Every level against the one before: on the data of the run if the user chose them, or if no level is slow.

    The first one is compared with the notation that it came from.
    """
    is_chosen = arguments.data is not None or bool(arguments.args)
    if is_chosen or (level_of(arguments) is Level.TL and against is None):
        return kernel.compare_levels(values, count, against, tell)
    return kernel.verify(arguments.seed, against, tell)


def _summary(
    kernel: CompiledKernel, timing: Timing, count: int, values: Mapping[str, object], *, is_asked_for: bool
) -> str:
    sizes = shown_sizes(kernel.artifact, values)
    words = "".join(f", {name} = {size}" for name, size in sizes.items())
    more = "" if is_asked_for else " (--batch N for more)"
    words = f": {counted(count, 'element')}{more}{words}"
    if timing.median:
        words += f" in {duration(timing.median)}, {duration(timing.median / count)} each"
        if not has_open_sizes(kernel.translation):
            words += f", {hint(operation_count(kernel.translation)) * count / timing.median * 1e-9:.2f} GFLOP/s"
    if len(timing.seconds) > 1:
        words += f", median of {len(timing.seconds)} runs"
    return bold(kernel.name) + words


def report(comparisons: tuple[Comparison, ...], notation: Reference | NoReference | None = None) -> bool:
    """Prints how far each level is from the one before it, in one line if all agree; true if they do.

    The first of them is compared with the `notation`, or it is said why not. A line more says the same of the device
    with arrays in other layouts, and another one what was left out.
    """
    if not comparisons:
        return True
    match notation:
        case Reference(name=name, kernel=kernel):
            say(f"  compared with `{kernel.name}` of {name}")
        case NoReference(why=why):
            say(f"  not compared with the notation that the text came from: {why}")
        case None:
            pass
    first = next((comparison for comparison in comparisons if not comparison.agrees), None)
    levels = [comparison for comparison in comparisons if not comparison.layout and not comparison.left_out]
    layouts = [comparison for comparison in comparisons if comparison.layout]
    if first is None:
        say(f"  {', '.join(each.level for each in levels)}: {_agreement(levels)}")
        if layouts:
            names = ", ".join(each.layout for each in layouts)
            say(f"  device, {names}: {_agreement(layouts)}")
        for each in comparisons:
            if each.left_out:
                say(f"  {each.level}: left out, {each.left_out}")
        return True
    for each in comparisons:
        name = f"{each.level}, {each.layout}" if each.layout else each.level
        if each.left_out:
            say(f"  {name}: left out, {each.left_out}")
            continue
        verdict = green("agrees") if each.agrees else red("DIFFERS")
        say(f"  {name}: {verdict}, {_distance(each)}")
    where = f"all levels agree, but the device differs with {first.layout}"
    say(f"  {where if first.layout else f'the first level that differs is {first.level}'}")
    return False


def _agreement(comparisons: list[Comparison]) -> str:
    worst = max(comparisons, key=lambda comparison: comparison.error)
    return f"{green('agrees' if len(comparisons) == 1 else 'agree')}, {_distance(worst)}"


def _distance(comparison: Comparison) -> str:
    if comparison.mistake:
        return comparison.mistake
    if comparison.damaged:
        return f"memory between or around the entries of {quoted(comparison.damaged)} was changed"
    return f"{comparison.error:.1e} of at most {comparison.tolerance:.1e}"
