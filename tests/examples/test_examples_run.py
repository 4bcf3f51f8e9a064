"""Every example runs: on random data, each level and the device compute what the text means, twice the same bits.

By default one member of each family of kernels runs, at orders 2 and, in f64, 4, with few positions where a text has
tensors of many; `-m slow` runs all members at all orders, as the texts are.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.compiled import CompiledKernel
from einsum_front.data import random_arguments
from einsum_front.driver.verification import arrays, groups, largest_error, levels
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse_file
from einsum_front.runtime.devices.device import Device, find_device
from examples.ader_dg import matrices

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(EXAMPLES.glob("*.ein")) + sorted(matrices.HERE.glob("*.ein"))
REALS = ("f64", "f32")
BATCHES = (0, 1, 3)
REPEATED = 67
"""Elements that are launched twice: more than any work-group has side by side."""


FEW = {"broadcast": {"N": 3}}
"""Values of params: all levels are interpreted, entry by entry."""


def cases(orders: Mapping[str, Iterable[int]]) -> list[object]:
    """Every file in each type, at the orders of that type if it has one."""
    has_order = {path: bool(re.search(r"^param\s+O\b", path.read_text(encoding="utf-8"), re.M)) for path in FILES}
    return [
        pytest.param(path, order, real, id=f"{path.stem}-{real}" if order is None else f"{path.stem}-O{order}-{real}")
        for path in FILES
        for real in REALS
        for order in (orders[real] if has_order[path] else (None,))
    ]


@pytest.fixture(autouse=True)
def kernel_trees_of_few_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their interpreter takes minutes for all; `tests/tl_backend/kernel` has kernels of all schedules."""
    monkeypatch.setattr("einsum_front.driver.verification.MOST_STATEMENTS", 2000)


@pytest.fixture(scope="module")
def device() -> Device:
    return find_device()


@pytest.mark.parametrize(("path", "order", "real"), cases({"f64": (2, 4), "f32": (2,)}))
def test_one_of_each_family_means_the_same_at_every_level(
    path: Path, order: int | None, real: str, device: Device, request: pytest.FixtureRequest
) -> None:
    """A compiler for processors optimizes those of f64 at order 2 only, which have the same loops."""
    if real == "f64" and order == 2:
        request.getfixturevalue("optimized_builds")
    write_matrices(path, order)
    defines = {**FEW.get(path.stem, {}), **({} if order is None else {"O": order})}
    names = families(kernel.name for kernel in check(parse_file(path), defines, path.parent).kernels)
    chosen = [members[(order or 0) % len(members)] for members in names.values()]
    kernels = [ef.compile(ef.parse(path), real=real, defines=defines, kernel=name)[name] for name in chosen]
    assert [text for kernel in kernels for text in differences(kernel, device)] == []


@pytest.mark.slow
@pytest.mark.parametrize(("path", "order", "real"), cases(dict.fromkeys(REALS, matrices.ORDERS)))
def test_every_kernel_means_the_same_at_every_level(path: Path, order: int | None, real: str, device: Device) -> None:
    write_matrices(path, order)
    program = ef.compile(ef.parse(path), real=real, defines={} if order is None else {"O": order})
    assert [text for kernel in program.values() for text in differences(kernel, device)] == []


def write_matrices(path: Path, order: int | None) -> None:
    if path.is_relative_to(matrices.HERE):
        matrices.write(order or min(matrices.ORDERS))


def families(kernels: Iterable[str]) -> dict[str, list[str]]:
    """The names of kernels by that of their family."""
    found: dict[str, list[str]] = {}
    for name in kernels:
        found.setdefault(re.sub(r"(_\d+)+$", "", name), []).append(name)
    return found


def differences(kernel: CompiledKernel, device: Device) -> Iterator[str]:
    """What does not agree: levels with the one before, and the device with the meaning of the text."""
    comparisons = kernel.verify()
    own = [each.level for each in comparisons if not each.layout and each.level != "loops"]
    assert own == ["graph", "yir", "tl", "kernel", "device"]
    yield from (f"{kernel.name}: {comparison}" for comparison in comparisons if not comparison.agrees)
    for batch in BATCHES:
        (_, interpret), *_, (_, launch) = levels(kernel.translation, device, groups(kernel.artifact, batch))
        error = largest_error(results(kernel, launch, batch), results(kernel, interpret, batch))
        if not error <= comparisons[-1].tolerance:
            yield f"{kernel.name}: the device differs by {error} from the text for {batch} elements"
    *_, (_, launch) = levels(kernel.translation, device, groups(kernel.artifact, REPEATED))
    first, second = (results(kernel, launch, REPEATED) for _ in range(2))
    yield from (
        f"{kernel.name}: two launches differ in `{name}`"
        for name, array in first.items()
        if array.tobytes() != second[name].tobytes()
    )


def results(kernel: CompiledKernel, run: Callable[[dict[str, object]], None], batch: int) -> dict[str, np.ndarray]:
    """What is written, for random arguments."""
    arguments = random_arguments(kernel.artifact, batch, seed=batch)
    run(arguments)
    return {
        parameter.name: np.asarray(arguments[parameter.name])
        for parameter in arrays(kernel.artifact)
        if parameter.is_written
    }
