"""What runs on a CPU stays on the stack of its thread, in every schedule that somebody can ask for or measure."""

from dataclasses import replace

import pytest

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.driver import Session, ready, translate_program
from einsum_front.driver.c_functions import INSTRUCTION_SETS, c_target
from einsum_front.driver.choice import chooser
from einsum_front.notation.parse import parse
from einsum_front.options import ScheduleOptions
from einsum_front.tl_backend import DEFAULT, Target, candidates, schedule
from einsum_front.tl_backend.emit import emit

SHAPES = (
    "tensor A[300,300,4] tensor B[300] tensor y[4] kernel k { y[t] = A[u,w,t] * B[u] }",
    "tensor A[500,500] tensor B[500,500] tensor C[500,500] kernel k { C[i,j] = A[i,k] * B[k,j] }",
    "tensor A[40000] tensor y[40000] kernel k { y[i] = 2.0 * A[i] }",
    "tensor A[400,400] constant tensor x[400] tensor y[400] kernel k { y[i] = A[i,j] * x[j] }",
    "tensor A[90,90] tensor B[90,90] tensor D[90,90] tensor C[90,90] kernel k { C[i,l] = A[i,j] * B[j,k] * D[k,l] }",
    "tensor A[2000] tensor B[2000] tensor y[2000,2000] kernel k { y[i,j] += A[i] * B[j] }",
    "tensor A[30,30,30,30] tensor B[30,30] tensor y[30,30] kernel k { y[i,l] = A[i,j,k,l] * B[j,k] }",
    "tensor A[30,30,30] tensor y[] kernel k { y[] = A[i,j,k] }",
)
TARGETS = (DEFAULT, replace(DEFAULT, vector_bytes=64, vector_registers=32), *map(c_target, INSTRUCTION_SETS[:1]))


def program(text: str) -> str:
    """A declaration a line."""
    return text.replace(" tensor", "\ntensor").replace(" kernel", "\nkernel") + "\n"


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: f"{target.name}, {target.vector_bytes}")
@pytest.mark.parametrize("text", SHAPES)
def test_all_that_can_be_asked_for_fits_the_stack(text: str, target: Target) -> None:
    """Or it is refused: what goes beyond the stack ends the process."""
    (stages,) = translate_program(Session(target), parse(Source("k.ein", program(text))))
    kinds = set()
    for tuning in candidates(stages.tensor_language, target):
        try:
            plan = schedule(ready(stages.tensor_language, target, tuning), target, tuning).plan
        except CompileError:
            continue
        kinds.add(tuning.kind)
        assert plan.lower(frozenset()).private_bytes <= target.stack
    assert kinds


def test_whoever_asks_hears_why() -> None:
    session = Session(DEFAULT, decide=chooser(ScheduleOptions("batch_simd"), None))
    with pytest.raises(CompileError, match="`k` cannot have the schedule `batch_simd`") as caught:
        translate_program(session, parse(Source("k.ein", program(SHAPES[0]))))
    (mistake,) = caught.value.diagnostics
    assert (mistake.code, mistake.notes) == ("E0305", ("the elements in the lanes would need 11297 KiB",))


def test_arrays_beside_the_temporaries_count() -> None:
    """Sums and copies of a schedule, which no model asks about: of 512 bytes, a block of sums takes most."""
    (stages,) = translate_program(Session(DEFAULT), parse(Source("k.ein", program(SHAPES[1]))))
    small = replace(DEFAULT, private_memory=64)
    with pytest.raises(CompileError, match="cannot have the schedule") as caught:
        emit(ready(stages.tensor_language, small), small)
    assert [each.code for each in caught.value.diagnostics] == ["E0305"]
