"""Regions that are not inside each other may use the same names, and mean what they mean with names of their own."""

from collections import Counter
from dataclasses import dataclass, replace

import pytest
from hypothesis import given

from einsum_front.core.diagnostics import Source
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.effects import argument_access
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.passes.make_names_unique import make_names_unique
from einsum_front.tl_backend.pipeline import passes, run
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import substitute, with_regions
from einsum_front.tl_backend.traverse import defined_locals
from einsum_front.tl_backend.unparse import unparse_function
from tests.profiles import share
from tests.tl_backend.meaning import assert_same_results, results
from tests.tl_backend.opencl.harness import compare
from tests.tl_backend.strategies import Case, cases

pytestmark = pytest.mark.generated

CPU = WorkGroupLimits(is_cpu=True, max_work_group_size=64)
GPU = WorkGroupLimits(is_cpu=False, max_work_group_size=64)


@dataclass
class Sharing:
    """Names every value by the number of values in sight: neighbouring regions share as many names as they can."""

    meant: dict[str, tl.Operand]
    visible: int = 0

    def region(self, region: tl.Region) -> tl.Region:
        before = self.visible
        changed = tuple(map(self.instruction, region))
        self.visible = before
        return changed

    def instruction(self, instruction: tl.Instruction) -> tl.Instruction:
        known = substitute(instruction, self.meant)
        if isinstance(known, tl.For | tl.Foreach):
            variable = self.define(known.variable)
            known = with_regions(replace(known, variable=variable), self.region)
            self.visible -= 1
            return known
        known = with_regions(known, self.region)
        if isinstance(known, tl.If):
            return replace(known, results=tuple(map(self.define, known.results)))
        return replace(known, result=self.define(known.result)) if isinstance(known, tl.ValueInstruction) else known

    def define(self, local: tl.Local) -> tl.Local:
        shared = tl.Local(f"v{self.visible}")
        self.meant[local.name] = shared
        self.visible += 1
        return shared


def share_names(function: Function) -> Function:
    return replace(function, body=Sharing({}).region(function.body))


@given(cases())
def test_shared_names_mean_the_same(case: Case) -> None:
    expected, shared = results(case.function, case), share_names(case.function)
    assert_same_results(shared, case, expected)
    assert argument_access(shared) == argument_access(case.function)
    assert parse(Source("t.tl", unparse_function(shared))).functions == (shared,)
    unique = make_names_unique(shared)
    assert set(Counter(local.name for local in defined_locals(unique)).values()) <= {1}
    assert_same_results(unique, case, expected)
    assert_same_results(run(shared, passes(GPU)), case, expected)


@share(0.1)
@given(cases())
def test_shared_names_mean_the_same_on_the_device(case: Case) -> None:
    compare(run(share_names(case.function), passes(CPU)), case.arguments, case.groups)
