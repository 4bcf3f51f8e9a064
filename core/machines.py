"""The machines that ship, and which one a processor is; `core.machine` says what the numbers mean.

A machine can be taken for a processor that it was not measured on: results are the same, times may be longer.
"""

from dataclasses import replace

from einsum_front.core.machine import (
    BatchPrefetch,
    BatchSimdTimes,
    Cache,
    GemmModel,
    GemmWork,
    GroupPrefetch,
    LaunchCosts,
    Machine,
    Memory,
    PackedTimes,
    RegisterBlocks,
    RowTables,
    SharedWork,
    Unrolling,
    WorkGroupTimes,
)
from einsum_front.core.matrices import MatrixInstruction
from einsum_front.core.storage import ElementType

H200 = SharedWork(
    subgroup=32,
    items=256,
    side=8,
    smallest=2,
    block=64,
    deviation=0.2,
    narrow=0.1,
    rows=16,
    columns_each=4,
    rows_each=(4, 2),
    alone=16,
    together=128,
    slices=(8, 16),
    readers=4,
    private=16,
    constants=32 * 1024,
)

_MATRICES_OF_8, _MATRICES_OF_16 = (MatrixInstruction(rows, 8, 4, 32, ElementType.F64) for rows in (8, 16))

MATRICES = {"sm_80": _MATRICES_OF_8, "sm_90": _MATRICES_OF_16, "sm_100": _MATRICES_OF_16}
"""Of NVIDIA's GPUs whose tensor cores are the faster way in f64. An H200 does 36 TFLOP/s with 16 rows, 25 with 8."""

ZEN4 = Machine(
    name="AMD Zen 4",
    memory=Memory(
        pages=Cache(unit=4096, sets=1, ways=64),
        lines=Cache(unit=64, sets=64, ways=8),
        second=1024 * 1024,
    ),
    gemm=GemmModel(
        cycles=GemmWork(
            vectors=0.5, entries=0.9, calls=2.0, blocks=8.0, transposed=0.28, gathered=1.05, pages=2.0, lines=1.45
        ),
        vector_bytes=32,
        block_columns=(8, 6, 4),
        deepest_copy=128,
        vector_moved=2.0,
        entry_moved=1.0,
    ),
    launch=LaunchCosts(kernel=2**18, constant=2, group=2**16, element=2**22, elements=2**12),
    work_group=WorkGroupTimes(
        in_vectors=0.85,
        two_steps=1.25,
        few_columns=16,
        cycle=1.37,
        waiting=25,
        in_loops=1.1,
        starting=150,
        blocks=RegisterBlocks(
            registers=16,
            latency=4.0,
            a_cycle=2.0,
            load=0.05,
            start=12.0,
            loop=8.0,
            left=0.9,
            panel=64 * 1024,
            unrolled=4,
        ),
        prefetch=GroupPrefetch(smallest=2400, large=8 * 1024, burst=16),
    ),
    batch_simd=BatchSimdTimes(
        transposed=1.2,
        fused=1.0,
        broadcast=0.75,
        blocks=((2**12, 16), (2**14, 8)),
        fewest_blocks=4,
        unrolling=Unrolling(
            always=64, most=192, body=200, held=10, cycles=0.6, spread=64, spread_lines=28, transfers=2.1
        ),
        tables=RowTables(
            registers=16,
            outlined=32,
            columns=12,
            rows=4,
            loop=10,
            waste=1.15,
            worthwhile=0.9,
            worthwhile_wide=0.95,
            similar=1.2,
            most=8,
        ),
        prefetch=BatchPrefetch(blocks=2, all_lines=0.75, least=0.1),
    ),
    packed=PackedTimes(
        in_panels=1.05,
        fewest=2**13,
        copied=20,
        stored_alone=6,
        depth=256,
        rows=384,
        columns=96,
        panels=12,
        line=4,
        short_run=128,
        long_run=256,
        rows_to_depths=16,
        fewer_tiles=0.88,
    ),
    shared=H200,
)
"""All numbers were measured on it, with PoCL 3.0 on AVX2 where nothing else is said."""

ZEN5 = replace(
    ZEN4,
    name="AMD Zen 5",
    memory=Memory(
        pages=Cache(unit=4096, sets=1, ways=96),
        lines=Cache(unit=64, sets=64, ways=12),
        second=1024 * 1024,
    ),
    work_group=replace(
        ZEN4.work_group,
        waiting=10,
        blocks=replace(ZEN4.work_group.blocks, narrow=4),
        prefetch=replace(ZEN4.work_group.prefetch, shallow=16, burst=24),
    ),
    batch_simd=replace(
        ZEN4.batch_simd,
        transposed=1.35,
        fused=1.5,
        broadcast=0.93,
        tables=replace(ZEN4.batch_simd.tables, wide=32),
        least_wide=190,
        narrow=2.0,
    ),
)
"""Two cores of an EPYC of family 26 (Turin), whose vectors of 64 bytes take one step; PoCL 3.0 for `skylake-avx512`.

Cycles, limits and sizes of blocks are those of Zen 4, but that blocks of up to four columns have all 32 registers:
seven vectors of rows times three columns take 0.75 to 0.85 of the time. With nine columns there are fewer blocks to
prefetch in: kernels of ADER-DG take 0.9 to 1.1 of the time in a cache and up to 1.4 from memory. A block asks for up to
24 lines of the next element, not 16: fluxes of ADER-DG at order 6 take 0.45 to 0.52 of the time from memory, and
squares of 20 to 35 rows 0.8 to 1.05. The TLB is that of the data sheet. `benchmarks.weights` measured the caches and
fitted 98 kernels: entries that are transposed take 2.05 and 2.28, the start of a product 9.4. What is here lies between
that and Zen 4. Of 126 kernels that were measured in both schedules with vectors of both widths, the choice takes 1.014
times as long as the best in f64 and 1.026 in f32, 1.27 times at most.
"""

SAPPHIRE_RAPIDS = replace(
    ZEN4,
    name="Intel Sapphire Rapids",
    memory=Memory(
        pages=Cache(unit=4096, sets=1, ways=96),
        lines=Cache(unit=64, sets=64, ways=12),
        second=2 * 1024 * 1024,
    ),
    gemm=replace(
        ZEN4.gemm,
        cycles=GemmWork(
            vectors=0.5, entries=0.46, calls=2.0, blocks=9.1, transposed=0.25, gathered=1.57, pages=1.71, lines=0.59
        ),
    ),
    batch_simd=replace(ZEN4.batch_simd, fewest_wide=7.25),
)
"""Two cores of a Xeon with 48 KiB and 2 MiB beside each; PoCL 3.0 with vectors of 32 bytes.

`benchmarks.weights` measured the caches and the cycles of loops over matrix products there. They were fitted to 405
products, of which nine tenths are predicted at 0.71 to 1.34 times what was measured (0.63 to 2.02 with those of Zen 4).
The start of a product could not be told from its blocks: `calls` is that of Zen 4. The TLB is that of the data sheet.

Times of schedules are those of Zen 4, but for `fewest_wide`. Fitted ones predict better (nine tenths of 186 kernels at
0.64 to 1.16 times what was measured, for 0.56 to 1.26) but choose worse: `derive` of spectral elements took 1.24 times
as long. With those of Zen 4, the choice among 90 kernels that were measured in several schedules takes 1.005 times as
long as the best, 1.15 times at most.
"""

_GROUP = SAPPHIRE_RAPIDS.work_group

AVX512 = replace(
    SAPPHIRE_RAPIDS,
    name="a processor with AVX-512, in C",
    work_group=replace(_GROUP, blocks=replace(_GROUP.blocks, registers=32, sharing=1, short=True, sparse=128)),
)
"""C for AVX-512, where shuffles and half of the multiply-adds share a port.

On Sapphire Rapids with GCC 12, blocks for 32 registers without shared vectors take 0.8 of the time of ADER-DG kernels
of one element at order 4.
"""

ZEN4_C = replace(ZEN4, name="AMD Zen 4, in C", work_group=AVX512.work_group)
"""C for AVX-512 on Zen 4, where vectors of 64 bytes take two steps and shorter ones one.

With a last vector of 2 of 10 rows and of 4 of 20, products of them with 9 columns take 0.8 of the time, by hand.
"""

ZEN5_C = replace(
    ZEN5,
    name="AMD Zen 5, in C",
    work_group=replace(AVX512.work_group, blocks=replace(AVX512.work_group.blocks, sharing=8)),
)
"""C for AVX-512 on Zen 5, which blends two vectors while two others are multiplied and added."""

GENERIC = replace(
    ZEN4,
    name="an unknown processor",
    memory=Memory(pages=ZEN4.memory.pages, lines=ZEN4.memory.lines, second=512 * 1024),
    gemm=replace(
        ZEN4.gemm,
        cycles=GemmWork(
            vectors=0.5, entries=0.64, calls=2.0, blocks=8.5, transposed=0.26, gathered=1.28, pages=1.85, lines=0.92
        ),
    ),
)
"""A processor that is not recognised. It was measured nowhere.

Cycles are geometric means of those of the machines above. Caches are small ones that are common, 32 KiB and 512 KiB
(Zen 2 and 3, many cores of Arm), because blocks that do not fit cost more than blocks that could be larger. Times of
schedules, limits and sizes of blocks are those of Zen 4.
"""

SKYLAKE = replace(GENERIC, name="Intel with AVX-512", memory=ZEN4.memory, batch_simd=SAPPHIRE_RAPIDS.batch_simd)
"""Processors of Intel before Sapphire Rapids that have AVX-512: nothing was measured on them."""

GPU = replace(ZEN4, name="GPU", splits_matrices=False)
"""Any GPU. Its `shared` are those of an H200; the planner's model of a core was never measured on one."""


def recognised(instructions: frozenset[str]) -> Machine:
    """The machine of a processor with these sets of instructions, as Linux writes them.

    Only AMD has SSE4a; its cores before Zen 4 have no numbers of AVX-512 in 16 bits, those after it intersect vectors.
    """
    if {"amx_tile", "avx512_fp16"} <= instructions:
        return SAPPHIRE_RAPIDS
    if "avx512f" in instructions and "sse4a" not in instructions:
        return SKYLAKE
    if {"sse4a", "avx512_bf16"} <= instructions:
        return ZEN5 if "avx512_vp2intersect" in instructions else ZEN4
    return GENERIC
