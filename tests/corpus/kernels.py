"""The kernels of the corpus: examples at several orders, index strings and dynamic extents; types, schedules, targets.

A text does not depend on the machine: matrices of the examples are doubles nearest to exact numbers, and targets are
described here instead of asked for.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path
from random import Random

from einsum_front.core.diagnostics import Source
from einsum_front.core.extent import Polynomial
from einsum_front.core.extent_text import word
from einsum_front.core.machines import MATRICES, SAPPHIRE_RAPIDS, ZEN4
from einsum_front.driver import Session, Stages, ready, translate_program
from einsum_front.driver.targets import DEFAULT, Target
from einsum_front.index_string.make import graph_of
from einsum_front.index_string.program import read_einsum
from einsum_front.notation.parse import parse
from einsum_front.options import Options
from einsum_front.runtime.artifact import Artifact, Parameter
from einsum_front.tl_backend.emit import artifact_of
from einsum_front.tl_backend.schedules.choice import Scheduled, is_possible, schedule
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.corpus.counts import Counts, counts, tree_digest

EXAMPLES = Path(__file__).parents[2] / "examples"

WIDE = replace(
    DEFAULT,
    name="Intel's runtime on a CPU with AVX-512",
    vector_bytes=64,
    vector_registers=32,
    has_shuffles=True,
    has_conditional_barriers=True,
    subgroup_sizes=(4, 8, 16, 32, 64),
)
INTEL = replace(
    DEFAULT,
    name="PoCL on an x86-64 CPU of Intel with AVX-512",
    vector_bytes=64,
    vector_registers=32,
    instructions="avx512f,avx512vl,avx512dq,avx512bw,avx512cd,avx2,fma",
    machine=replace(SAPPHIRE_RAPIDS, memory=replace(ZEN4.memory, second=2 * 1024 * 1024), gemm=ZEN4.gemm),
)
GPU = replace(
    DEFAULT,
    name="a GPU",
    is_cpu=False,
    vector_bytes=16,
    local_memory=48 * 1024,
    private_memory=16 * 1024,
    max_work_group_size=1024,
    has_conditional_barriers=True,
    subgroup_sizes=(32,),
    has_prefetch=False,
    compute_units=132,
)
TENSOR_CORES = replace(GPU, name="a GPU that multiplies matrices", matrices=MATRICES["sm_90"])
TARGETS = {"avx2": DEFAULT, "avx512": WIDE, "intel": INTEL, "gpu": GPU, "matrices": TENSOR_CORES}

STRINGS: dict[str, list[tuple[int, ...]]] = {
    "ij,jk->ik": [(6, 5), (5, 7)],
    "bij,bjk->bik": [(3, 9, 9), (3, 9, 4)],
    "bik,kj->bij": [(3, 20, 20), (20, 9)],
    "bik,kj,bl->bijl": [(3, 4, 3), (3, 2), (3, 6)],
    "ik,kj->ij": [(300, 300), (300, 300)],
    "acd,dbc->ab": [(70, 30, 31), (31, 64, 30)],
    "ijk,jil,kl->l": [(5, 6, 7), (6, 5, 4), (7, 4)],
    "iij->j": [(5, 5, 3)],
    "ij->ji": [(17, 12)],
    "bij->bi": [(4, 13, 6)],
    "bi,bi->b": [(4, 33), (4, 33)],
    "i,j->ij": [(21,), (10,)],
    "bij,bij->bij": [(4, 7, 5), (4, 7, 5)],
    "bnx,bmy,bxy->bnm": [(2, 8, 5), (2, 8, 5), (2, 5, 5)],
}
"""Index strings and the shapes of their operands, by what they exercise: products, batches, traces, sums, copies."""

LARGE_FAMILIES = ("boundary", "dynamic_rupture")
"""Examples of which each kernel has many members that differ in numbers only."""

OPEN_SIZES = """
size n <= 24 ~ 16
size m >= 2
tensor A[n, 9]
tensor B[9, m] constant
tensor C[n, m]
tensor x[m]
tensor y[n]
tensor s[]
kernel product   { C[ij] += A[ik] * B[kj] }
kernel vector    { y[i] = 2.0 * C[ij] * x[j] }
kernel copy      { C[ij] = 3.0 * C[ij] + A[ik] * B[kj] }
kernel outer     { C[ij] = y[i] * x[j] }
kernel total     { s[] += C[ij] }
kernel chain     { y[i] += A[ik] * B[kj] * x[j] }
kernel hadamard  { y[i] = y[i] * y[i] }
"""
"""Kernels of which the sizes are known at the launch only, by one, by a hint and by bounds."""


def numbers(different: int) -> str:
    """240 numbers, three in ten of them not zero, so many of which differ: nothing in them is regular."""
    random = Random(different)
    drawn = (random.choice((-0.5, 0.5)) * random.randint(3, different + 2) for _ in range(240))
    return ", ".join(str(each if random.random() < 0.3 else 0) for each in drawn)


FASTEST = f"""
size cols ~ 65536
tensor K[24, 10] values<{numbers(3)}>
tensor L[24, 10] values<{numbers(50)}>
tensor x[10] batch_fastest
tensor y[24] batch_fastest
tensor X[10, cols] row_major
tensor Y[24, cols] row_major
tensor P[10, 64] row_major
tensor Q[24, 64] row_major
kernel streamed {{ y[i] = K[i,j] * x[j] }}
kernel columns  {{ Y[i,c] = K[i,j] * X[j,c] }}
kernel grouped  {{ Q[i,c] = L[i,j] * P[j,c] }}
kernel entries  {{ y[i] = 2.0 * y[i] }}
"""
"""Elements and columns that are neighbours: results go past the caches, and numbers of constants are in registers."""

TEXTS = {"sizes": OPEN_SIZES, "fastest": FASTEST}


@dataclass(frozen=True, slots=True)
class Made:
    """The text of a kernel; of its tree what stands for it if names do not matter, and what it does."""

    text: str
    tree: str = ""
    counts: Counts = field(default_factory=Counts)


@dataclass(frozen=True, slots=True)
class Case:
    """A text that is translated as a whole: `source` is an example's path, an index string, or of `TEXTS`."""

    source: str
    real: str
    target: str
    order: int | None = None
    kinds: tuple[ScheduleKind, ...] = ()

    def __str__(self) -> str:
        order = "" if self.order is None else f" order {self.order}"
        return f"{self.source}{order} {self.real} {self.target}"


def cases() -> tuple[Case, ...]:
    """Every text of the corpus, the longest first, so that several processes end together."""
    return tuple(sorted(_cases(), key=lambda case: -(case.order or 0)))


def _cases() -> Iterator[Case]:
    plain = sorted(path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.glob("*.ein"))
    for source in (*plain, *STRINGS, "sizes"):
        for real in ("f64", "f32"):
            for target in ("avx2", "avx512", "gpu"):
                yield Case(source, real, target, kinds=tuple(ScheduleKind))
    for real in ("f64", "f32"):
        yield from (Case("fastest", real, target) for target in ("avx2", "avx512"))
    for source in ("ik,kj->ij", "acd,dbc->ab", "bij,bjk->bik"):
        yield Case(source, "f64", "matrices", kinds=(ScheduleKind.TILED, ScheduleKind.COLUMNS))
    for path in sorted((EXAMPLES / "ader_dg").glob("*.ein")):
        source, order = path.relative_to(EXAMPLES).as_posix(), None if path.stem == "flux_solver" else 3
        yield Case(
            source,
            "f64",
            "avx2",
            order,
            () if path.stem in LARGE_FAMILIES else (ScheduleKind.WORK_GROUP, ScheduleKind.BATCH_SIMD),
        )
        yield Case(source, "f64", "gpu", order)
        if path.stem not in LARGE_FAMILIES:
            yield Case(source, "f32", "avx512", order)
    for name in ("derivative", "fused", "local_flux", "volume", "plasticity"):
        for order in (4, 5, 6):
            yield Case(f"ader_dg/{name}.ein", "f64", "avx2", order=order)
        yield Case(f"ader_dg/{name}.ein", "f64", "intel", order=4)
        yield Case(f"ader_dg/{name}.ein", "f32", "intel", order=6)
        yield Case(f"ader_dg/{name}.ein", "f32", "gpu", order=5)


def made(case: Case, known: Mapping[str, str]) -> dict[str, Made]:
    """The kernels of a case by name, each in the schedule that the model chooses, and in those of `case.kinds`.

    Of those whose text has the digest that `known` says, the tree is not looked at.
    """
    target, found = TARGETS[case.target], {}
    for kernel in translations(case, target):
        found[f"{case} {kernel.name}"] = _made(f"{case} {kernel.name}", kernel.artifact, kernel.scheduled, known)
        for kind in case.kinds:
            name, function = f"{case} {kernel.name} {kind.value}", ready(kernel.tensor_language, target, Tuning(kind))
            if is_possible(function, target, Tuning(kind)):
                scheduled = schedule(function, target, Tuning(kind))
                found[name] = _made(name, artifact_of(scheduled), scheduled, known)
    return found


def _made(name: str, artifact: Artifact, scheduled: Scheduled, known: Mapping[str, str]) -> Made:
    text = _text(artifact)
    if known.get(name) == digest(text):
        return Made(text)
    files = [each.lower().file for each in (scheduled.prologue, scheduled) if each is not None]
    geometry = [_geometry(each) for each in (artifact.prologue, artifact) if each is not None]
    return Made(text, digest("".join([*geometry, *map(tree_digest, files)])), sum(map(counts, files), Counts()))


def _geometry(artifact: Artifact) -> str:
    groups = artifact.work_group_size, artifact.elements_per_group, artifact.groups_per_element
    return repr((*groups, artifact.local_memory, artifact.scratch))


def digest(text: str) -> str:
    """What stands for a text in `hashes.txt`."""
    return sha256(text.encode()).hexdigest()[:16]


def translations(case: Case, target: Target) -> tuple[Stages, ...]:
    if case.source in STRINGS:
        string = read_einsum(case.source, STRINGS[case.source])
        return (Session(target).compile_graph(graph_of(string.kernel, case.real)),)
    path = EXAMPLES / case.source
    written = TEXTS.get(case.source) or path.read_text(encoding="utf-8")
    options = Options(real=case.real, defines={} if case.order is None else {"O": case.order})
    return translate_program(Session(target, options), parse(Source(case.source, written)), path.parent)


def _text(artifact: Artifact) -> str:
    """What a launch is made of: geometry and parameters, those of the prologue too, then the source of both."""
    return "\n".join([*_head(artifact), *(_head(artifact.prologue) if artifact.prologue else ()), artifact.source])


def _head(artifact: Artifact) -> Iterator[str]:
    groups = f"{artifact.elements_per_group} elements in a group, {artifact.groups_per_element} groups for an element"
    memory = f"{artifact.local_memory} bytes of local memory, {artifact.scratch} of scratch"
    yield f"// {artifact.entry}: groups of {artifact.work_group_size}, {groups}, {memory}"
    for parameter in artifact.parameters:
        yield f"//   {_shown(parameter)}"


def _shown(parameter: Parameter) -> str:
    """What is said of a parameter, without its values: they are in the source, or the launch's matter."""
    said = [(each.name, _texts(getattr(parameter, each.name)), each.default) for each in fields(parameter)]
    return ", ".join(f"{name}={value}" for name, value, default in said if name != "values" and value != default)


def _texts(value: object) -> object:
    """The value of a field, extents as texts."""
    if isinstance(value, tuple):
        return tuple(map(_texts, value))
    return word(value) if isinstance(value, Polynomial) else value
