#if defined(__aarch64__)
typedef double f64x2 __attribute__((vector_size(16)));
typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));

static inline void transpose_neon(f64x2 *rows)
{
    f64x2 row0_1 = __builtin_shufflevector(rows[0], rows[1], 0, 2);
    rows[1] = __builtin_shufflevector(rows[0], rows[1], 1, 3);
    rows[0] = row0_1;
}

static void product_neon(
    int64_t group,
    int64_t groups,
    const double *restrict A,
    const double *restrict B,
    int64_t B_size2,
    double *restrict C,
    int64_t C_size2,
    int64_t elements)
{
    int64_t first = group * 32;
    int64_t stop = MINIMUM(first + 32, elements);
    for (int64_t element = first; element < stop; element += 2) {
        int64_t lane0 = element;
        int64_t lane1 = MINIMUM(element + 1, elements - 1);
        const double *B_0 = B + lane0 * 12;
        const double *B_1 = B + lane1 * 12;
        double *C_0 = C + lane0 * 20;
        double *C_1 = C + lane1 * 20;
        // gemm.n.n 2.0, %A, %b, 1.0, %c : f64, memref<f64x5x3>, memref<f64x3x4>, f64, memref<f64x5x4>
        // test.tl:6:3
        for (int32_t turn = 0; turn < 4; ++turn) {
            __builtin_prefetch((const char *)((uintptr_t)B_0 + (384 + turn * 64)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)C_0 + (640 + turn * 128)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)C_0 + (704 + turn * 128)), 0, 2);
            // load %B
            f64x2 B_lanes[3];
            B_lanes[0] = *(const f64x2_u *)(B_0 + turn * 3);
            B_lanes[1] = *(const f64x2_u *)(B_1 + turn * 3);
            transpose_neon(B_lanes);
            B_lanes[2] = (f64x2){B_0[turn * 3 + 2], B_1[turn * 3 + 2]};
            f64x2 C_lanes[5];
            C_lanes[0] = 2.0 * (A[0] * B_lanes[0] + A[5] * B_lanes[1] + A[10] * B_lanes[2]);
            C_lanes[1] = 2.0 * (A[1] * B_lanes[0] + A[6] * B_lanes[1] + A[11] * B_lanes[2]);
            // store %C
            transpose_neon(C_lanes);
            C_lanes[0] = *(const f64x2_u *)(C_0 + turn * 5) + C_lanes[0];
            C_lanes[1] = *(const f64x2_u *)(C_1 + turn * 5) + C_lanes[1];
            *(f64x2_u *)(C_0 + turn * 5) = C_lanes[0];
            *(f64x2_u *)(C_1 + turn * 5) = C_lanes[1];
            C_lanes[2] = 2.0 * (A[2] * B_lanes[0] + A[7] * B_lanes[1] + A[12] * B_lanes[2]);
            C_lanes[3] = 2.0 * (A[3] * B_lanes[0] + A[8] * B_lanes[1] + A[13] * B_lanes[2]);
            // store %C
            transpose_neon(C_lanes + 2);
            C_lanes[2] = *(const f64x2_u *)(C_0 + (turn * 5 + 2)) + C_lanes[2];
            C_lanes[3] = *(const f64x2_u *)(C_1 + (turn * 5 + 2)) + C_lanes[3];
            *(f64x2_u *)(C_0 + (turn * 5 + 2)) = C_lanes[2];
            *(f64x2_u *)(C_1 + (turn * 5 + 2)) = C_lanes[3];
            C_lanes[4] = 2.0 * (A[4] * B_lanes[0] + A[9] * B_lanes[1] + A[14] * B_lanes[2]);
            // store %C
            {
                f64x2 entry = (f64x2){C_0[turn * 5 + 4], C_1[turn * 5 + 4]} + C_lanes[4];
                C_0[turn * 5 + 4] = entry[0];
                C_1[turn * 5 + 4] = entry[1];
            }
        }
    }
}
#endif
