"""What cost models know of a processor: one value, with the unit of each number and where it was measured.

Times are multiples of that of one multiplication of an element in its SIMD lane. A schedule reads them from its target,
and a test passes a machine of its own.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class WorkGroupTimes:
    """The schedule `work_group`, where a work-item is alone. Measure again: `python -m benchmarks --form group`.

    in_vectors      of a multiplication in vectors along the rows, lanes that belong to no row counted; PoCL 3.0 on
                    AVX2, dense products of 2 to 24 rows; columns that share a vector save 2 to 5% where there are nine
    two_steps       of vectors that take two steps each over that of their steps, with at most `few_columns`; Intel's
                    runtime: fluxes of ADER-DG 1.25 to 1.3, squares of up to 14 rows 1.2 to 1.3, from 17 on 1
    cycle           of a cycle, for each lane; `localFlux`, whose products that leave out vectors take as long as their
                    cycles say, within a tenth
    waiting         of a product in vectors besides: it waits for the results of the one before; friction kernels of
                    ADER-DG, which have five small products one after the other
    in_loops        of a multiplication where the compiler has to find the vectors
    starting        of the start of such an instruction
    """

    in_vectors: float
    two_steps: float
    few_columns: int
    cycle: float
    waiting: float
    in_loops: float
    starting: float


@dataclass(frozen=True, slots=True)
class BatchSimdTimes:
    """The schedule `batch_simd`. Measure again: `python -m benchmarks --form lanes`.

    transposed      of an entry that is transposed, for each doubling of the lanes: a square of entries takes as many
                    steps as its edge can be halved; PoCL 3.0 on AVX2
    fused           of an entry that goes from memory to registers without an array in between, or the other way
    broadcast       of a multiplication by a constant that is spread over the lanes on the way from memory (AVX-512VL);
                    `localFlux` at orders 3 and 4, of which unrolled loops do three quarters
    """

    transposed: float
    fused: float
    broadcast: float


@dataclass(frozen=True, slots=True)
class PackedTimes:
    """The schedule `packed`. Measure again: `python -m benchmarks --set large`.

    in_panels       of a multiplication of packed panels; PoCL 3.0 on AVX2, squares of 56 to 160 rows
    fewest          multiplications of an element, for each pair of lanes of a vector, from which on packing pays:
                    copies cost by the entry, arithmetic by the vector; squares, 51 rows on AVX2 in f64
    """

    in_panels: float
    fewest: int


@dataclass(frozen=True, slots=True)
class Machine:
    """A processor as cost models see it; `second_cache` are bytes of the cache beside a core."""

    name: str
    second_cache: int
    work_group: WorkGroupTimes
    batch_simd: BatchSimdTimes
    packed: PackedTimes


ZEN4 = Machine(
    name="AMD Zen 4",
    second_cache=1024 * 1024,
    work_group=WorkGroupTimes(
        in_vectors=0.85, two_steps=1.25, few_columns=16, cycle=1.37, waiting=25, in_loops=1.1, starting=150
    ),
    batch_simd=BatchSimdTimes(transposed=1.2, fused=1.0, broadcast=0.75),
    packed=PackedTimes(in_panels=1.05, fewest=2**13),
)
"""Where all times were measured; also what is taken for processors that are not recognised, and for GPUs."""

SAPPHIRE_RAPIDS = replace(ZEN4, name="Intel Sapphire Rapids", second_cache=2 * 1024 * 1024)
"""The cache is that of its data sheet; the times are those of Zen 4, nothing was fitted on such a machine."""


def recognised(instructions: frozenset[str]) -> Machine:
    """The machine of a processor with these sets of instructions, as Linux writes them."""
    return SAPPHIRE_RAPIDS if {"amx_tile", "avx512_fp16"} <= instructions else ZEN4
