"""The command line of the benchmarks."""

import json
import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from rich.console import Console

from benchmarks.call_cost import SETS as CALLS
from benchmarks.call_cost import call_cases, measure_call
from benchmarks.compile_cost import NAME as COMPILE
from benchmarks.compile_cost import examples, measure_example
from benchmarks.ours import BuildTimes
from benchmarks.peaks import Peaks
from benchmarks.peers import ON_CPU, ON_GPU
from benchmarks.peers.peer import Peer
from benchmarks.plot import draw
from benchmarks.report import call_table, compile_table, table
from benchmarks.row import CallRow, CompileRow, Row
from benchmarks.run_case import Machine, WrongResultError, run_case
from benchmarks.sets import SETS
from einsum_front.core.diagnostics import CompileError, CompilerBug, render_all
from einsum_front.runtime.devices.device import Device, available_devices, find_device

TURNS = 7
QUICK_TURNS = 3
BUSY = 0.7
"""Processes that want to run, on average over a minute, from which on a measurement is disturbed."""
FILE_WIDTH = 200
"""Columns of a table that goes into a file."""

NAMES = (COMPILE, *SETS, *CALLS)

AnyRow = Row | CallRow | CompileRow
R = TypeVar("R", Row, CallRow, CompileRow)


def main(given: Sequence[str] | None = None) -> int:
    """Measures the sets that are asked for; 1 if a result was wrong or a kernel could not be measured."""
    parser = _parser()
    options = parser.parse_args(given)
    if options.plot is not None and find_spec("matplotlib") is None:
        parser.error("--plot needs matplotlib: `pip install einsum-front[bench]`")
    if options.list:
        print("\n".join(NAMES))
        return 0
    try:
        return _Run(options).measure()
    except CompileError as error:
        print(render_all(error.diagnostics), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m benchmarks",
        description="Measure our kernels, other libraries and the limits of the machine in one run.",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--set", action="append", choices=NAMES, help="may be given more than once (default: all)")
    parser.add_argument("--list", action="store_true", help="print the names of the sets")
    parser.add_argument("--kernel", default="", metavar="TEXT", help="only kernels with this in their name")
    parser.add_argument("--peer", default="", metavar="TEXT", help="only libraries with this in their name")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows as JSON")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw roofline and ratios (needs matplotlib)")
    parser.add_argument("--device", default="auto", help="OpenCL device, see `einsum-front devices`")
    parser.add_argument("--quick", action="store_true", help="fewer sizes and fewer repetitions")
    return parser


class _Run:
    """One run: its machine, the rows so far, and what went wrong."""

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self._console = Console(highlight=False, width=None if sys.stdout.isatty() else FILE_WIDTH)
        device = find_device(options.device)
        self._machine = Machine(
            device=device,
            device_name=options.device,
            options=_repeated(options),
            peers=_present(ON_CPU if device.facts.is_cpu else ON_GPU, options.peer, self._console),
            peaks=Peaks(_of_limits(device)),
            builds=BuildTimes(),
            threads=device.facts.compute_units if device.facts.is_cpu else os.cpu_count() or 1,
            turns=QUICK_TURNS if options.quick else TURNS,
            wanted=options.peer,
        )
        self._rows: list[AnyRow] = []
        self._failures: list[str] = []

    def measure(self) -> int:
        """Measures set by set; the rows so far are kept in the file, so that an interrupted run leaves some."""
        load = os.getloadavg()[0]
        if load > BUSY:
            self._console.print(f"other programs keep this machine busy (load {load:.1f}): times will not be right")
        for name in NAMES:
            if name in (self._options.set or NAMES):
                self._measure_set(name)
                self._plot()
        for failure in self._failures:
            print(failure, file=sys.stderr)
        return int(bool(self._failures))

    def _measure_set(self, name: str) -> None:
        before = len(self._rows)
        for row in self._rows_of(name):
            self._rows.append(row)
            self._console.print(row.line)
            self._write()
        new = self._rows[before:]
        if compiled := _of_kind(CompileRow, new):
            self._console.print(compile_table(compiled))
        if called := _of_kind(CallRow, new):
            self._console.print(call_table(called))
        if measured := _of_kind(Row, new):
            self._console.print(table(name, measured))

    def _rows_of(self, name: str) -> Iterator[AnyRow]:
        if name == COMPILE:
            return self._compile_rows()
        return self._call_rows(name) if name in CALLS else self._case_rows(name)

    def _compile_rows(self) -> Iterator[CompileRow]:
        for example in examples(quick=self._options.quick):
            if self._options.kernel in example.title:
                with self._attempt(example.title):
                    yield measure_example(example, self._machine)

    def _case_rows(self, name: str) -> Iterator[Row]:
        for case in SETS[name](self._options.quick):
            if self._options.kernel in case.title:
                with self._attempt(f"{name}: {case.title}"):
                    yield run_case(name, case, self._machine)

    def _call_rows(self, name: str) -> Iterator[CallRow]:
        for case in call_cases(name, self._machine, quick=self._options.quick):
            if self._options.kernel in case.title:
                with self._attempt(f"{name}: {case.title}"):
                    yield measure_call(name, case, self._machine)

    @contextmanager
    def _attempt(self, what: str) -> Iterator[None]:
        """Says what is measured, and goes on if that does not work: the other rows are still worth having."""
        with self._console.status(what):
            try:
                yield
            except WrongResultError as error:
                self._failures.append(f"{what}: {error}")
            except CompileError as error:
                self._failures.append(f"{what}:\n{render_all(error.diagnostics)}")
            except CompilerBug as error:
                self._failures.append(f"{what}: {error}")

    def _write(self) -> None:
        if self._options.json is not None:
            self._options.json.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps([row.as_data() for row in self._rows], indent=1)
            self._options.json.write_text(f"{text}\n", encoding="utf-8")

    def _plot(self) -> None:
        measured = _of_kind(Row, self._rows)
        if self._options.plot is not None and measured:
            draw(measured, self._options.plot)


def _of_kind(kind: type[R], rows: Sequence[AnyRow]) -> list[R]:
    return [row for row in rows if isinstance(row, kind)]


def _of_limits(device: Device) -> Device:
    """The device whose limits are measured, by kernels in OpenCL C: for device `c` a driver of the same processor."""
    if device.opencl is not None:
        return device
    return find_device(next((each.selector for each in available_devices() if each.is_cpu), "cpu"))


def _repeated(options: Namespace) -> tuple[str, ...]:
    """The options that change what is measured."""
    device = () if options.device == "auto" else ("--device", options.device)
    peers = ("--peer", options.peer) if options.peer else ()
    return (*device, *peers, *(("--quick",) if options.quick else ()))


def _present(peers: tuple[Peer, ...], wanted: str, console: Console) -> tuple[Peer, ...]:
    """The peers that are wanted and that this machine has; says which are missing."""
    peers = tuple(peer for peer in peers if wanted.lower() in peer.name.lower())
    reasons = {peer.name: peer.why_missing() for peer in peers}
    for name, reason in reasons.items():
        if reason is not None:
            console.print(f"without {name}: {reason}", markup=False)
    return tuple(peer for peer in peers if reasons[peer.name] is None)
