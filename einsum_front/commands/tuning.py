"""Output of `--tune`, and the commands `cache` and `tune`."""

from argparse import Namespace
from pathlib import Path
from typing import TextIO

from einsum_front.commands.usage import UsageError
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.parser_store import parsers, parsers_folder, remove_parsers
from einsum_front.core.private_folders import NO_CACHE_VARIABLE
from einsum_front.core.terminal import Table, bold, green, say
from einsum_front.core.words import counted, duration
from einsum_front.driver.choice import import_recipes, is_imported
from einsum_front.driver.measurements import Measurement, as_recipe, from_entry
from einsum_front.files import reason_of, write_text
from einsum_front.runtime import (
    Broken,
    Cache,
    c_libraries,
    clear_shelf,
    find_device,
    remove_c_libraries,
    remove_caches,
    stored_kernels,
    tuning_cache,
)


def print_measurement(measurement: Measurement, stream: TextIO) -> None:
    """The candidates with their times, the one that was taken marked."""
    when = ", measured before" if measurement.is_known else ""
    say(f"{bold(measurement.kernel)} on {measurement.device}{when}", stream)
    if not measurement.batches:
        say(f"  `{measurement.taken}`: nothing to compare it with", stream)
        return
    say(_table(measurement), stream)


def _table(measurement: Measurement) -> Table:
    batches = [f"of {counted(batch, 'element')}" for batch in measurement.batches]
    rows = []
    for row in measurement.rows:
        mark = green("taken") if row.tuning == measurement.taken else ""
        times = [duration(seconds) for seconds in row.seconds]
        steps = "" if row.tuning.recipe is None else f", {counted(len(row.tuning.recipe.lines), 'step')}"
        rows.append((f"  {row.tuning}{steps}", *times, f"{measurement.relative(row):.2f}", mark))
    return Table(["  schedule"], [*batches, "over the model's"], rows)


def cache(arguments: Namespace) -> int:
    """Prints, or forgets, the measurements and the kernels of `ef.einsum` of this user on this machine."""
    if arguments.drivers:
        return _clear_drivers(arguments)
    kept, kernels = tuning_cache(), stored_kernels()
    if kept is None or kernels is None:
        say(f"the environment variable {NO_CACHE_VARIABLE} turns our caches off")
        return 0
    if arguments.clear:
        try:
            count, stored, built = kept.clear(), kernels.cache.clear(), remove_c_libraries()
            tables = remove_parsers()
            clear_shelf()
        except OSError as error:
            folder = kept.folder.parent
            raise CompileError([Diagnostic("E0107", f"cannot clear `{folder}`: {reason_of(error)}")]) from None
        say(f"{kept.folder}: {counted(count, 'measurement')} removed")
        say(f"{kernels.cache.folder}: {counted(stored, 'kernel')} of `ef.einsum` removed")
        if built:
            say(f"{kept.folder.parent / 'c'}: {_libraries(built)} removed")
        if tables:
            say(f"{parsers_folder()}: {counted(tables, 'parser')} removed")
        return 0
    everything = list(kept.entries())
    entries = [each for each in everything if isinstance(each, Broken) or not is_imported(each)]
    imported = len(everything) - len(entries)
    more = f", and {counted(imported, 'recipe')} of other machines" if imported else ""
    say(f"{kept.folder}: {counted(len(entries), 'measurement')}{more}")
    for entry in entries:
        measurement = None if isinstance(entry, Broken) else from_entry(entry)
        say("  a broken file, which is ignored" if measurement is None else _line(measurement))
    say(f"{kernels.cache.folder}: {counted(kernels.cache.count(), 'kernel')} of `ef.einsum`")
    if built := len(c_libraries()):
        say(f"{kept.folder.parent / 'c'}: {_libraries(built)}")
    if tables := len(parsers()):
        say(f"{parsers_folder()}: {counted(tables, 'parser')}")
    return 0


def tune(arguments: Namespace) -> int:
    """Writes what was measured as recipes that name no kernel, or remembers those of another machine."""
    if (arguments.export is None) == (arguments.import_ is None):
        raise UsageError("expected either --export FILE or --import FILE")
    kept = tuning_cache()
    if kept is None:
        raise UsageError(f"the environment variable {NO_CACHE_VARIABLE} turns our caches off")
    if arguments.import_ is not None:
        return _import(arguments.import_, kept)
    device = find_device(arguments.device).facts.description
    entries = (from_entry(each) for each in kept.entries() if not isinstance(each, Broken))
    found = {each.form: as_recipe(each) for each in entries if each is not None and each.device == device and each.form}
    if not found:
        raise UsageError(f"nothing was measured on {device}: --tune of `run` and `compile` measures")
    write_text(Path(arguments.export), "\n".join([*map(str, found.values()), "others by model", ""]))
    say(f"{counted(len(found), 'kernel')} of {device}")
    return 0


def _import(path: str, kept: Cache) -> int:
    try:
        count = import_recipes(path, kept)
    except OSError as error:
        raise CompileError([Diagnostic("E0107", f"cannot write `{kept.folder}`: {reason_of(error)}")]) from None
    say(f"{counted(count, 'kernel')} imported")
    return 0


def _libraries(count: int) -> str:
    return f"{count} {'library' if count == 1 else 'libraries'} of device `c`"


def _clear_drivers(arguments: Namespace) -> int:
    """Damaged caches of drivers can end every process that uses them, but not this command, which asks no driver."""
    if not arguments.clear:
        raise UsageError("--drivers is for --clear: kernels that were compiled are not listed")
    try:
        gone, used = remove_caches()
    except OSError as error:
        raise CompileError([Diagnostic("E0107", f"cannot clear `{error.filename}`: {reason_of(error)}")]) from None
    for path in gone:
        say(f"{path}: removed")
    for path in used:
        say(f"{path}: left, another process uses it")
    if not gone and not used:
        say("there is nothing to remove")
    return 0


def _line(measurement: Measurement) -> str:
    return f"  {bold(measurement.kernel)}: `{measurement.taken}` on {measurement.device}"
