"""Released compilers of the tensor language compute what our interpreter says, from the text that is printed for them.

`make tinytc` runs these on a device with sub-groups. Targets that a kernel only writes hold NaN before, and guards lie
around every tensor. Texts that are refused are counted: by the edition, which says so instead of printing something
else, or by the compiler.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.prologues import with_prologues
from einsum_front.driver import Session, translate_program
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse_file
from einsum_front.options import Options
from einsum_front.tl_backend.analysis.effects import argument_access
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Batched, Edition, Function
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType
from examples.ader_dg import matrices
from tests.examples.test_examples_run import FILES, REALS
from tests.tinytc.released import SUBGROUP_SIZES, Compiler, RefusedError, agree, variable
from tests.tl_backend.opencl.harness import DEVICE, OWN, Array, expect
from tests.tl_backend.strategies import Case, cases
from tests.tl_backend.test_manual import EXAMPLES as MANUAL

KERNELS = Path(__file__).parents[1]
GROUPS, SIZE, GENERATED, ORDER = 3, 4, 40, 3
ROUNDINGS = {4: 1e-4, 8: 1e-12}
"""Part of the largest entry: sums have some hundred terms of one size, and are taken in another order."""

pytestmark = [
    pytest.mark.skipif(
        not set(DEVICE.facts.subgroup_sizes) >= SUBGROUP_SIZES or not DEVICE.facts.shares_host_memory,
        reason="needs a CPU device with sub-groups of 16 and 32: EINSUM_FRONT_DEVICE=Intel",
    )
]


@pytest.fixture(scope="module", params=[edition for edition in Edition if edition.is_released])
def compiler(request: pytest.FixtureRequest) -> Compiler:
    found = Compiler.find(request.param)
    if found is None:
        pytest.skip(f"no compiler of {request.param.value}: {variable(request.param)} names none, PATH has none")
    return found


def examples() -> Iterator[Function]:
    """One kernel of each family in `examples/`, as it is printed with `--emit tl`."""
    matrices.write(ORDER)
    for path in FILES:
        text = parse_file(path)
        has_order = re.search(r"^param\s+O\b", path.read_text(encoding="utf-8"), re.M)
        defines = {"O": ORDER} if has_order else {}
        names = [kernel.name for kernel in check(text, defines, path.parent).kernels]
        chosen = {re.sub(r"(_\d+)+$", "", name): name for name in names}
        for number, name in enumerate(chosen.values()):
            options = Options(defines=defines, real=REALS[number % 2], kernel=name)
            for translation in translate_program(Session(OWN, options), text, path.parent):
                yield from with_prologues((translation.tensor_language,))


def written() -> Iterator[Function]:
    """The kernels that other tests have as files, and the examples of the manual."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(KERNELS.glob("oclgrind/kernels/*.tl"))}
    texts |= {
        f"{path.parent.name}/{path.name}": before(path) for path in sorted(KERNELS.glob("tl_backend/passes/*/*.tl"))
    }
    for name, text in (*texts.items(), *MANUAL):
        yield from with_prologues(parse(Source(name, text)).functions)


def before(path: Path) -> str:
    return path.read_text(encoding="utf-8").partition("\n; becomes\n\n")[0]


def arguments_of(function: Function) -> dict[str, Any]:
    """Random numbers; NaN in floating-point tensors that are written and not read."""
    random, access = np.random.default_rng(0), argument_access(function)

    def tensor(memref: MemrefType, name: str, batch: tuple[int, ...]) -> Array:
        sizes = [SIZE if size is None else size for size in memref.shape[: len(memref.shape) - len(batch)]]
        shape = (*sizes, *batch)
        if not memref.element.is_floating:
            return np.array(random.integers(0, 2, shape), DTYPES[memref.element], order="F")
        is_empty = not access[name].is_read
        numbers = np.full(shape, np.nan) if is_empty else random.uniform(-1, 1, shape)
        return np.array(numbers, DTYPES[memref.element], order="F")

    found: dict[str, Any] = {}
    for argument in function.arguments:
        name = argument.name.name
        match argument.type:
            case ScalarType() as scalar:
                found[name] = random.uniform(-1, 1) if scalar.is_floating else 1
            case MemrefType() as memref:
                found[name] = tensor(memref, name, (GROUPS,) if Batched(name) in function.facts else ())
            case GroupType(memref=memref):
                found[name] = [tensor(memref, name, ()) for _ in range(GROUPS)]
    return found


def outcome(compiler: Compiler, case: Case, tolerance: float) -> str:
    """Who refused the function, nobody if its numbers agree; fails if they do not."""
    try:
        expect(case.function, case.arguments, case.groups)
    except CompileError as error:
        return f"interpreter: {error.diagnostics[0].message}"
    try:
        agree(compiler, case.function, case.arguments, case.groups, tolerance)
    except RefusedError as error:
        return str(error).replace("\n", " ")
    except AssertionError as error:
        error.add_note(compiler.text(case.function))
        raise
    return "agreed"


def case_of(function: Function) -> Case:
    """The function alone, with arguments for several groups if each has its own."""
    types = (argument.type for argument in function.arguments)
    has_own = any(isinstance(each, GroupType) for each in types) or any(
        isinstance(fact, Batched) for fact in function.facts
    )
    return Case(replace(function, prologue=None), arguments_of(function), GROUPS if has_own else 1)


def report(name: str, compiler: Compiler, outcomes: Counter[str]) -> None:
    """Shown by `pytest -rP`, and by `make tinytc`."""
    print(f"{name}, {compiler.edition.value}: {outcomes.total()} texts, {outcomes['agreed']} agreed")  # noqa: T201
    for refused, number in (outcomes - Counter(agreed=outcomes["agreed"])).most_common():
        print(f"  {number} refused by the {refused[:300]}")  # noqa: T201


def tolerance_of(function: Function) -> float:
    memrefs = [argument.type for argument in function.arguments if isinstance(argument.type, MemrefType | GroupType)]
    elements = [each.memref.element if isinstance(each, GroupType) else each.element for each in memrefs]
    return max((ROUNDINGS.get(element.size, 0.0) for element in elements if element.is_floating), default=0.0)


def test_all_examples_are_taken_and_agree(compiler: Compiler) -> None:
    outcomes = Counter(outcome(compiler, case_of(each), tolerance_of(each)) for each in examples())
    report("examples", compiler, outcomes)
    assert all("changes address space" in each for each in outcomes if each != "agreed")


def test_written_kernels_agree(compiler: Compiler) -> None:
    outcomes = Counter(outcome(compiler, case_of(each), tolerance_of(each)) for each in written())
    report("written kernels", compiler, outcomes)
    assert outcomes["agreed"] > outcomes.total() // 2


def test_generated_programs_agree(compiler: Compiler) -> None:
    outcomes: Counter[str] = Counter()

    @seeded(0)
    @settings(max_examples=GENERATED, phases=[Phase.generate], database=None, suppress_health_check=list(HealthCheck))
    @given(cases())
    def collect(case: Case) -> None:
        outcomes[outcome(compiler, case, tolerance=0.0)] += 1

    collect()
    report("generated programs", compiler, outcomes)
    assert outcomes["agreed"] > GENERATED // 4
