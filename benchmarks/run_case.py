"""From a case to a row: translate, check the result of everybody, let them take turns, compare with the floor."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.arguments import Arguments, batch_of, line_bytes, moved_bytes, random
from benchmarks.case import Case, WorkingSet
from benchmarks.chain import Array
from benchmarks.measure import Runner, take_turns
from benchmarks.ours import BuildTimes, Ours, Translated, translate
from benchmarks.peaks import Peaks, floor_seconds
from benchmarks.peers.einsum_libraries import OF_NUMPY, numpy_einsum
from benchmarks.peers.peer import Peer
from benchmarks.row import Row
from benchmarks.statements import evaluate
from einsum_front.core.extent import static
from einsum_front.runtime.devices.device import Device

OURS, PEAK, COPY = "ours", "peak", "copy"
PARTS = "ours in parts"
EPSILONS_PER_OPERATION = 100


class WrongResultError(Exception):
    """A library, ours included, does not compute what the case says."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What all cases of a run share. `device_name`, `options` and `wanted` peers are as on the command line."""

    device: Device
    device_name: str
    options: tuple[str, ...]
    peers: tuple[Peer, ...]
    peaks: Peaks
    builds: BuildTimes
    threads: int
    turns: int
    wanted: str = ""

    def command(self, set_name: str) -> str:
        """What measures a set again."""
        return shlex.join(("python", "-m", "benchmarks", "--set", set_name, *self.options))


def run_case(set_name: str, case: Case, machine: Machine) -> Row:
    """Measures a case; raises WrongResultError if a result is not NumPy's."""
    translated = translate(case.source, case.real, machine.device_name)
    kernel = translated.kernel
    facts = machine.device.facts
    batch = translated.batch or batch_of(kernel.artifact, case.working_set, facts)
    arguments = random(kernel, batch, is_single=translated.is_single)
    few = arguments if translated.batch else random(kernel, 1, is_single=False)
    build_s = machine.builds.seconds(kernel, few)
    runners = _runners(case, translated, arguments, machine)
    _check(case, arguments, runners, kernel.operations_per_entry)
    limits = {PEAK: machine.peaks.operations(case.real), COPY: machine.peaks.copying(_bytes(arguments))}
    timings = take_turns({**runners, **limits}, machine.turns)
    elements = 1 if case.working_set is WorkingSet.SINGLE else batch
    operations = static(kernel.operations) * batch / elements
    moved = moved_bytes(kernel.artifact, batch, with_constants=elements == 1) / elements
    peak, bandwidth = (limit.work / timings[name].median for name, limit in limits.items())
    ours_s = timings[OURS].median / elements
    return Row(
        set=set_name,
        kernel=case.title,
        dtype=case.real,
        device=facts.description,
        command=machine.command(set_name),
        working_set=case.working_set.value,
        elements=elements,
        ours_ns=ours_s * 1e9,
        spread=timings[OURS].spread,
        peers={name: timing.median / elements * 1e9 for name, timing in timings.items() if name not in (OURS, *limits)},
        operations=operations,
        bytes=moved,
        line_bytes=moved if elements == 1 else line_bytes(kernel.artifact),
        floor_share=floor_seconds(operations, moved, peak, bandwidth) / ours_s,
        bound="operations" if operations / peak > moved / bandwidth else "bytes",
        peak=peak,
        bandwidth=bandwidth,
        compile_ms=translated.seconds * 1e3,
        build_s=build_s,
        source_bytes=len(kernel.opencl.encode()),
    )


def _runners(case: Case, translated: Translated, arguments: Arguments, machine: Machine) -> dict[str, Runner]:
    """Ours first, then the parts of the case if it has some, then every peer that the case is for."""
    runners: dict[str, Runner] = {OURS: Ours([translated.kernel], arguments.with_own_outputs())}
    if case.parts:
        parts = [translate(part, case.real, machine.device_name).kernel for part in case.parts]
        runners[PARTS] = Ours(parts, arguments.with_own_outputs())
    for peer in machine.peers:
        runner = peer.prepare(case, arguments, machine.threads)
        if runner is not None:
            runners[peer.name] = runner
    return runners


def _check(case: Case, arguments: Arguments, runners: Mapping[str, Runner], operations_per_entry: float) -> None:
    """Runs everybody once and compares a sample of the elements with NumPy's result."""
    expected = evaluate(case.statements, arguments.sample().contiguous(), numpy_einsum(), case.last, OF_NUMPY)
    for name, runner in runners.items():
        runner.run()
        outputs = runner.outputs()
        for tensor, array in expected.items():
            error, epsilon = _error(arguments.sampled(tensor, outputs[tensor]), array), np.finfo(array.dtype).eps
            if not error <= EPSILONS_PER_OPERATION * operations_per_entry * epsilon:
                raise WrongResultError(f"{name} in {case.real}: `{tensor}` differs from NumPy's by {error:.1e}")


def _bytes(arguments: Arguments) -> int:
    return sum(array.nbytes for array in arguments.arrays.values())


def _error(result: Array, expected: Array) -> float:
    """The largest difference over the largest entry."""
    scale = float(np.abs(expected).max(initial=0.0)) or 1.0
    return float(np.abs(result - expected).max(initial=0.0)) / scale
