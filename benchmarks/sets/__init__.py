"""The sets by name; each gives its cases, fewer of them for a quick run."""

from collections.abc import Callable

from benchmarks.case import Case
from benchmarks.sets import ader_dg, batched, chains, contractions, gpu, interpolation, large, spectral, tpp

SETS: dict[str, Callable[[bool], tuple[Case, ...]]] = {
    "batched": batched.cases,
    "ader_dg": ader_dg.cases,
    "ader_dg_patterns": ader_dg.cases_with_patterns,
    "chains": chains.cases,
    "interpolation": interpolation.cases,
    "spectral": spectral.cases,
    "contractions": contractions.cases,
    "large": large.cases,
    "tpp": tpp.cases,
    "gpu": gpu.cases,
}
"""Without the set `compile`, which has no cases: see `benchmarks.compile_cost`."""
