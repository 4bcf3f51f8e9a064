"""The commands `devices` and `targets`: what kernels can be made for, here and elsewhere."""

import os
from argparse import Namespace

from einsum_front import runtime
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.terminal import bold, say
from einsum_front.driver.offline import TARGETS
from einsum_front.driver.targets import target_of
from einsum_front.runtime import DeviceFacts


def targets(_arguments: Namespace) -> int:
    """Lists the machines that `compile --target` makes code for."""
    for name, target in TARGETS.items():
        kind = f"vectors of {target.vector_bytes} bytes" if target.is_cpu else f"{target.compute_units} compute units"
        say(f"{name}: {target.name}, {kind}, machine: {target.machine.name}")
    return 0


def devices(_arguments: Namespace) -> int:
    """The devices, which one `auto` takes, and what decides how kernels are made for them."""
    chosen = runtime.find_device("auto").facts.selector
    source = f", from {runtime.DEVICE_VARIABLE}" if os.environ.get(runtime.DEVICE_VARIABLE, "auto") != "auto" else ""
    for facts in (*runtime.available_devices(), *_device_c(chosen)):
        mark = f" (auto{source})" if facts.selector == chosen else ""
        say(f"{bold(f'device {facts.selector}{mark}')}: {facts.description}")
        say(f"  {', '.join(facts.abilities)}")
        say(f"  costs are those of: {target_of(facts).machine.name}")
        if facts.driver.remarks:
            say(f"  known: {'; '.join(facts.driver.remarks)}")
    return 0


def _device_c(chosen: str) -> tuple[DeviceFacts, ...]:
    """Device `c`, as it is chosen or by itself; nothing without a compiler."""
    try:
        return (runtime.c_facts(chosen if chosen.startswith("c:") else "c"),)
    except CompileError:
        return ()
