"""Several devices on the same kernels, in turns: `python -m benchmarks.devices --device auto --device c`."""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from math import nan
from statistics import median

from benchmarks.arguments import batch_of, random
from benchmarks.case import Case
from benchmarks.measure import take_turns
from benchmarks.ours import Ours, translate
from benchmarks.sets import SETS
from einsum_front.runtime import find_device

TURNS = 7


def main() -> None:
    """A line for each kernel: nanoseconds an element on each device, and the times over that of the first one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.devices", description=main.__doc__)
    parser.add_argument("--set", default="ader_dg", choices=tuple(SETS))
    parser.add_argument("--device", action="append", required=True, help="two or more, `auto` and `c` for example")
    parser.add_argument("--kernel", action="append", default=[], help="only kernels with all of these in their name")
    parser.add_argument("--real", choices=("f32", "f64"), help="instead of the type of the set")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    for name in given.device:
        print(f"{name}: {find_device(name).facts.description}")
    ratios: dict[str, list[float]] = {name: [] for name in given.device}
    for each in SETS[given.set](given.quick):
        case = replace(each, real=given.real or each.real)
        if all(part in f"{case.title} {case.real}" for part in given.kernel):
            found = dict(_measured(case, given.device))
            first = found[given.device[0]]
            for name, seconds in found.items():
                ratios[name].append(seconds / first)
            texts = [f"{name} {seconds:7.1f} ns ({seconds / first:.2f})" for name, seconds in found.items()]
            print(f"{case.title} {case.real}: {', '.join(texts)}", flush=True)
    for name, own in ratios.items():
        print(f"{name}: median {median(own or [nan]):.2f}, {min(own, default=nan):.2f} to {max(own, default=nan):.2f}")


def _measured(case: Case, devices: list[str]) -> Iterator[tuple[str, float]]:
    """The median of the turns, in nanoseconds an element."""
    kernels = {name: translate(case.source, case.real, name) for name in devices}
    first = next(iter(kernels.values()))
    batch = first.batch or batch_of(first.kernel.artifact, case.working_set, find_device(devices[0]).facts)
    arguments = random(first.kernel, batch, is_single=first.is_single)
    runners = {name: Ours([each.kernel], arguments.with_own_outputs()) for name, each in kernels.items()}
    for name, timing in take_turns(runners, TURNS).items():
        yield name, timing.median / batch * 1e9


if __name__ == "__main__":
    main()
