"""Recipes beside the schedules that the model takes: which one could take a schedule's place, and what it would cost.

    python -m benchmarks.recipes [--device DEVICE] [--quick] [SET ...]

For each case of the sets the schedule that the model takes, and the processor time of recipes over that of it, or why
there is none: the recipe that `--tune` begins with, where elements are the lanes of vectors. Without a set it is the
volume integral of ADER-DG at order 4, for elements that fit into caches and ones that do not, and the recipe in the
file beside it.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import einsum_front as ef
from benchmarks.arguments import batch_of
from benchmarks.case import Case, FileSource, WorkingSet
from benchmarks.fastest import report, way
from benchmarks.sets import SETS
from einsum_front.compiled import CompiledKernel
from einsum_front.core.diagnostics import CompileError
from einsum_front.index_string.make import graph_of
from einsum_front.index_string.program import KERNEL, read_einsum
from einsum_front.runtime import find_device
from einsum_front.tl_backend import first_recipe
from examples.ader_dg import matrices

FOLDER = Path(__file__).parents[1] / "examples" / "ader_dg"
VOLUME = FileSource(FOLDER / "volume.ein", "volume", {"O": 4})


def main() -> None:
    """Prints a line for each case, and for each recipe that it cannot have."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recipes")
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--device", default="c")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    matrices.write(4)
    cases = [case for name in given.sets for case in SETS[name](given.quick)]
    volume = [Case("volume", VOLUME, "f64", each, ()) for each in (WorkingSet.CACHE, WorkingSet.MEMORY)]
    for case in cases or volume:
        _report(case, given.device)


def _report(case: Case, device: str) -> None:
    model = _compiled(case, device)
    is_single = case.working_set is WorkingSet.SINGLE
    batch = 1 if is_single else batch_of(model.artifact, case.working_set, find_device(device).facts)
    kernels = {model.translation.scheduled.plan.kind.value: model}
    recipe = _recipe(case, model)
    if recipe is not None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "recipe.sched"
            path.write_text(recipe, encoding="utf-8")
            try:
                kernels["recipe"] = _compiled(case, device, str(path))
            except CompileError as error:
                print(f"{case.title}: {error.diagnostics[0].message}")
    report(f"{case.title}, {case.real}", batch, {name: way(kernel) for name, kernel in kernels.items()})


def _compiled(case: Case, device: str, schedule: str | None = None) -> CompiledKernel:
    if isinstance(case.source, FileSource):
        path, name, defines = case.source.path, case.source.kernel, case.source.defines
        return ef.compile(ef.parse(path), device, defines=defines, real=case.real, kernel=name, schedule=schedule)[name]
    graph = graph_of(read_einsum(case.source.text, case.source.shapes).kernel, case.real)
    return ef.compile(graph, device, schedule=schedule)[KERNEL]


def _recipe(case: Case, model: CompiledKernel) -> str | None:
    if case.source is VOLUME:
        return (FOLDER / "volume.sched").read_text(encoding="utf-8")
    scheduled = model.translation.scheduled
    found = first_recipe(scheduled.function, scheduled.target)
    return None if found is None else f"{found[0]}others by model\n"


if __name__ == "__main__":
    main()
