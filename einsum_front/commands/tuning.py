"""Output of `--tune`, and the command `cache`."""

from argparse import Namespace

from rich.console import Console
from rich.table import Table
from rich.text import Text

from einsum_front.commands.output import Output, duration
from einsum_front.commands.usage import UsageError
from einsum_front.core.caches import NO_CACHE_VARIABLE
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.parser_store import parsers, parsers_folder, remove_parsers
from einsum_front.core.words import counted
from einsum_front.driver.measurements import Measurement, from_entry
from einsum_front.files import reason_of
from einsum_front.runtime import (
    Broken,
    c_libraries,
    clear_shelf,
    remove_c_libraries,
    remove_caches,
    stored_kernels,
    tuning_cache,
)

TAKEN = "taken"


def print_measurement(measurement: Measurement, console: Console) -> None:
    """The candidates with their times, the one that was taken marked."""
    when = ", measured before" if measurement.is_known else ""
    console.print(Text.assemble((measurement.kernel, "bold"), f" on {measurement.device}{when}"))
    if not measurement.batches:
        console.print(f"  `{measurement.taken}`: nothing to compare it with")
        return
    console.print(_table(measurement), soft_wrap=False)


def _table(measurement: Measurement) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("  schedule", no_wrap=True)
    for batch in measurement.batches:
        table.add_column(f"of {counted(batch, 'element')}", justify="right", no_wrap=True)
    table.add_column("over the model's", justify="right", no_wrap=True)
    table.add_column("", min_width=len(TAKEN), no_wrap=True)
    for row in measurement.rows:
        mark = Text(TAKEN, "green") if row.tuning == measurement.taken else Text("")
        times = [duration(seconds) for seconds in row.seconds]
        table.add_row(f"  {row.tuning}", *times, f"{measurement.relative(row):.2f}", mark)
    return table


def cache(arguments: Namespace) -> int:
    """Prints, or forgets, the measurements and the kernels of `ef.einsum` of this user on this machine."""
    if arguments.drivers:
        return _clear_drivers(arguments)
    kept, kernels = tuning_cache(), stored_kernels()
    output = Output()
    if kept is None or kernels is None:
        output.print(f"the environment variable {NO_CACHE_VARIABLE} turns our caches off")
        return 0
    if arguments.clear:
        try:
            count, stored, built = kept.clear(), kernels.cache.clear(), remove_c_libraries()
            tables = remove_parsers()
            clear_shelf()
        except OSError as error:
            folder = kept.folder.parent
            raise CompileError([Diagnostic("E0107", f"cannot clear `{folder}`: {reason_of(error)}")]) from None
        output.print(f"{kept.folder}: {counted(count, 'measurement')} removed")
        output.print(f"{kernels.cache.folder}: {counted(stored, 'kernel')} of `ef.einsum` removed")
        if built:
            output.print(f"{kept.folder.parent / 'c'}: {_libraries(built)} removed")
        if tables:
            output.print(f"{parsers_folder()}: {counted(tables, 'parser')} removed")
        return 0
    entries = list(kept.entries())
    output.print(f"{kept.folder}: {counted(len(entries), 'measurement')}")
    for entry in entries:
        measurement = None if isinstance(entry, Broken) else from_entry(entry)
        output.print("  a broken file, which is ignored" if measurement is None else _line(measurement))
    output.print(f"{kernels.cache.folder}: {counted(kernels.cache.count(), 'kernel')} of `ef.einsum`")
    if built := len(c_libraries()):
        output.print(f"{kept.folder.parent / 'c'}: {_libraries(built)}")
    if tables := len(parsers()):
        output.print(f"{parsers_folder()}: {counted(tables, 'parser')}")
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
    output = Output()
    for path in gone:
        output.print(f"{path}: removed")
    for path in used:
        output.print(f"{path}: left, another process uses it")
    if not gone and not used:
        output.print("there is nothing to remove")
    return 0


def _line(measurement: Measurement) -> Text:
    return Text.assemble("  ", (measurement.kernel, "bold"), f": `{measurement.taken}` on {measurement.device}")
