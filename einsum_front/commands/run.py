"""The command `run`: kernels over a batch, how long they take, and whether they are right."""

from argparse import Namespace
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
from einsum_front.core.extent import evaluated, hint
from einsum_front.core.extent_text import word
from einsum_front.core.terminal import Sign, bold, green, red, say, sign_of_life
from einsum_front.core.texts import read_source
from einsum_front.core.words import counted, duration, natural, quoted
from einsum_front.data import (
    Given,
    batch_size,
    check_arguments,
    first_element,
    likely_sizes,
    load_arguments,
    random_arguments,
    save_arguments,
    shown_sizes,
    size_names,
)
from einsum_front.driver import ignore
from einsum_front.driver.dump import start_dump
from einsum_front.driver.made_from import NoReference, Reference, read_header, reference
from einsum_front.driver.texts import has_open_sizes, operation_count
from einsum_front.driver.verification import Comparison, Tell, arrays
from einsum_front.files import check_folder
from einsum_front.notation import syntax
from einsum_front.options import Level
from einsum_front.runtime import ELEMENT_TYPES, Launch, Timing, element_shape, find_device, measure
from einsum_front.runtime.artifact import ArrayParameter, Artifact, ScalarParameter

DIFFERENCE_FOUND = 3


def run(arguments: Namespace) -> int:
    """Translate, run over a batch, and say how long it took and whether it is right."""
    texts = split_given(arguments.args)
    if arguments.save is not None:
        check_folder(arguments.save)
    if arguments.against is not None and not arguments.verify:
        raise UsageError("--against is what --verify compares with: give both")
    if arguments.opencl is not None and arguments.tune:
        raise UsageError("--tune chooses among what is generated, and --opencl stands for it")
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


# -- arguments of a kernel given by `--args` ---------------------------------------------------------------------------
# Numbers for its scalars, sizes for its arrays.
#
#     --args alpha=0.5,n=7,D=16x16x1000
#
# Scalars, dynamic sizes, and arrays that leave a size open without a name.
#
# Sizes are those of the array that a caller passes, in the order of its modes, without the batch: of one element
# where there is one for each, of one member for a group.


def split_given(options: Iterable[str]) -> dict[str, str]:
    """The text of each value by the name of its argument, `%` or not before it."""
    values: dict[str, str] = {}
    for part in (part for option in options for part in option.split(",") if part.strip()):
        name, equals, value = part.partition("=")
        name = name.strip().removeprefix("%")
        if not equals:
            raise UsageError(f"--args takes NAME=NUMBER and NAME=SIZES such as `A=8x4`, not `{part}`")
        if name in values:
            raise UsageError(f"--args gives `{name}` twice")
        values[name] = value.strip()
    return values


def check_names(texts: Mapping[str, str], artifacts: Iterable[Artifact]) -> None:
    """Every name is an argument of a kernel, or a size that only its launch knows."""
    known = {name: None for artifact in artifacts for name in (*_parameters(artifact), *size_names(artifact))}
    unknown = [name for name in texts if name not in known]
    if unknown:
        raise UsageError(f"there is no argument `{unknown[0]}`: there are {', '.join(known) or 'none'}")


def _parameters(artifact: Artifact) -> tuple[str, ...]:
    return tuple(parameter.name for parameter in artifact.arguments)


def read_given(texts: Mapping[str, str], artifact: Artifact) -> Given:
    """The values of one kernel's arguments."""
    numbers: dict[str, int | float | complex] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    for parameter in artifact.arguments:
        if parameter.name in texts:
            text = texts[parameter.name]
            if isinstance(parameter, ScalarParameter):
                numbers[parameter.name] = _number(parameter, text)
            else:
                shapes[parameter.name] = _shape(parameter, text)
    sizes = {name: _size(name, texts[name]) for name in size_names(artifact) if name in texts}
    return Given(numbers, shapes, likely_sizes(artifact) | _with_shown(artifact, shapes, sizes))


def _with_shown(artifact: Artifact, shapes: Mapping[str, tuple[int, ...]], sizes: Mapping[str, int]) -> dict[str, int]:
    """The sizes that are given, and those that the given shapes say: arrays that are not given fit them."""
    known = {name: (number, f"{name}={number}") for name, number in sizes.items()}
    parameters = {p.name: p for p in artifact.arguments if not isinstance(p, ScalarParameter)}
    for array, shape in shapes.items():
        text = f"{array}={'x'.join(map(str, shape))}"
        for extent, mode in zip(parameters[array].sizes, parameters[array].modes, strict=False):
            if extent is None or len(extent.sizes) != 1:
                continue
            name = extent.sizes[0].name
            fits = (n for n in range(1, shape[mode] + 1) if evaluated(extent, {name: n}) == shape[mode])
            number = shape[mode] if extent.size is not None else next(fits, None)
            if number is None:
                raise UsageError(f"--args gives {text}, and `{word(extent)}` is not {shape[mode]} for any `{name}`")
            first, said = known.setdefault(name, (number, text))
            if first != number:
                both = text if said == text else f"{said} and {text}"
                raise UsageError(f"--args gives {both}: `{name}` would be {first} and {number}")
    return {name: number for name, (number, _) in known.items()}


def _size(name: str, text: str) -> int:
    if number := natural(text):
        return number
    raise UsageError(f"size `{name}` is a number from 1 on, not `{text}`")


def _number(parameter: ScalarParameter, text: str) -> int | float | complex:
    if parameter.is_complex:
        try:
            return complex(text.replace(" ", ""))
        except ValueError:
            raise UsageError(f"argument `{parameter.name}` is a complex number such as 0.5-2j, not `{text}`") from None
    is_floating = ELEMENT_TYPES[parameter.type].kind == "f"
    try:
        return float(text) if is_floating else int(text)
    except ValueError:
        kind = "a number" if is_floating else "an integer"
        raise UsageError(f"argument `{parameter.name}` is {kind}, not `{text}`") from None


def _shape(parameter: ArrayParameter, text: str) -> tuple[int, ...]:
    sizes = text.split("x") if text else []
    declared = element_shape(parameter)
    shape = tuple(number for size in sizes if (number := natural(size)) is not None)
    is_whole = len(shape) == len(sizes) == len(declared)
    if is_whole and all(size in (None, given) for size, given in zip(declared, shape, strict=True)):
        return shape
    wanted = "x".join("?" if size is None else str(size) for size in declared)
    raise UsageError(f"argument `{parameter.name}` has sizes {wanted or 'none'}, not `{text}`")
