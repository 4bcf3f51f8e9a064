#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")
#endif
typedef double f64x8 __attribute__((vector_size(64)));
typedef double f64x8_u __attribute__((vector_size(64), aligned(8)));

static inline void transpose_avx512(f64x8 *rows)
{
    f64x8 row0_1 = __builtin_shufflevector(rows[0], rows[1], 0, 8, 2, 10, 4, 12, 6, 14);
    rows[1] = __builtin_shufflevector(rows[0], rows[1], 1, 9, 3, 11, 5, 13, 7, 15);
    rows[0] = row0_1;
    f64x8 row2_1 = __builtin_shufflevector(rows[2], rows[3], 0, 8, 2, 10, 4, 12, 6, 14);
    rows[3] = __builtin_shufflevector(rows[2], rows[3], 1, 9, 3, 11, 5, 13, 7, 15);
    rows[2] = row2_1;
    f64x8 row4_1 = __builtin_shufflevector(rows[4], rows[5], 0, 8, 2, 10, 4, 12, 6, 14);
    rows[5] = __builtin_shufflevector(rows[4], rows[5], 1, 9, 3, 11, 5, 13, 7, 15);
    rows[4] = row4_1;
    f64x8 row6_1 = __builtin_shufflevector(rows[6], rows[7], 0, 8, 2, 10, 4, 12, 6, 14);
    rows[7] = __builtin_shufflevector(rows[6], rows[7], 1, 9, 3, 11, 5, 13, 7, 15);
    rows[6] = row6_1;
    f64x8 row0_2 = __builtin_shufflevector(rows[0], rows[2], 0, 1, 4, 5, 8, 9, 12, 13);
    rows[2] = __builtin_shufflevector(rows[0], rows[2], 2, 3, 6, 7, 10, 11, 14, 15);
    rows[0] = row0_2;
    f64x8 row1_2 = __builtin_shufflevector(rows[1], rows[3], 0, 1, 4, 5, 8, 9, 12, 13);
    rows[3] = __builtin_shufflevector(rows[1], rows[3], 2, 3, 6, 7, 10, 11, 14, 15);
    rows[1] = row1_2;
    f64x8 row4_2 = __builtin_shufflevector(rows[4], rows[6], 0, 1, 4, 5, 8, 9, 12, 13);
    rows[6] = __builtin_shufflevector(rows[4], rows[6], 2, 3, 6, 7, 10, 11, 14, 15);
    rows[4] = row4_2;
    f64x8 row5_2 = __builtin_shufflevector(rows[5], rows[7], 0, 1, 4, 5, 8, 9, 12, 13);
    rows[7] = __builtin_shufflevector(rows[5], rows[7], 2, 3, 6, 7, 10, 11, 14, 15);
    rows[5] = row5_2;
    f64x8 row0_4 = __builtin_shufflevector(rows[0], rows[4], 0, 1, 4, 5, 8, 9, 12, 13);
    rows[4] = __builtin_shufflevector(rows[0], rows[4], 2, 3, 6, 7, 10, 11, 14, 15);
    rows[0] = row0_4;
    f64x8 row1_4 = __builtin_shufflevector(rows[1], rows[5], 0, 1, 4, 5, 8, 9, 12, 13);
    rows[5] = __builtin_shufflevector(rows[1], rows[5], 2, 3, 6, 7, 10, 11, 14, 15);
    rows[1] = row1_4;
    f64x8 row2_4 = __builtin_shufflevector(rows[2], rows[6], 0, 1, 4, 5, 8, 9, 12, 13);
    rows[6] = __builtin_shufflevector(rows[2], rows[6], 2, 3, 6, 7, 10, 11, 14, 15);
    rows[2] = row2_4;
    f64x8 row3_4 = __builtin_shufflevector(rows[3], rows[7], 0, 1, 4, 5, 8, 9, 12, 13);
    rows[7] = __builtin_shufflevector(rows[3], rows[7], 2, 3, 6, 7, 10, 11, 14, 15);
    rows[3] = row3_4;
}

static void product_avx512(
    int64_t group,
    int64_t groups,
    const double *restrict A,
    const double *restrict B,
    int64_t B_size2,
    double *restrict C,
    int64_t C_size2,
    int64_t elements)
{
    f64x8 lanes_1[12];
    f64x8 lanes[20];
    f64x8 *B_lanes = lanes_1;
    f64x8 *C_lanes = lanes;
    int64_t first = group * 128;
    int64_t stop = MINIMUM(first + 128, elements);
    for (int64_t element = first; element < stop; element += 8) {
        int64_t lane0 = element;
        int64_t lane1 = MINIMUM(element + 1, elements - 1);
        int64_t lane2 = MINIMUM(element + 2, elements - 1);
        int64_t lane3 = MINIMUM(element + 3, elements - 1);
        int64_t lane4 = MINIMUM(element + 4, elements - 1);
        int64_t lane5 = MINIMUM(element + 5, elements - 1);
        int64_t lane6 = MINIMUM(element + 6, elements - 1);
        int64_t lane7 = MINIMUM(element + 7, elements - 1);
        const double *B_0 = B + lane0 * 12;
        const double *B_1 = B + lane1 * 12;
        const double *B_2 = B + lane2 * 12;
        const double *B_3 = B + lane3 * 12;
        const double *B_4 = B + lane4 * 12;
        const double *B_5 = B + lane5 * 12;
        const double *B_6 = B + lane6 * 12;
        const double *B_7 = B + lane7 * 12;
        double *C_0 = C + lane0 * 20;
        double *C_1 = C + lane1 * 20;
        double *C_2 = C + lane2 * 20;
        double *C_3 = C + lane3 * 20;
        double *C_4 = C + lane4 * 20;
        double *C_5 = C + lane5 * 20;
        double *C_6 = C + lane6 * 20;
        double *C_7 = C + lane7 * 20;
        // load %B
        for (int32_t turn = 0; turn < 2; ++turn) {  // entries of B_lanes
            int32_t position = turn * 4;
            __builtin_prefetch((const char *)((uintptr_t)B_0 + (1536 + turn * 320)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)B_0 + (1600 + turn * 320)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)B_0 + (1664 + turn * 320)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)B_0 + (1728 + turn * 320)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)B_0 + (1792 + turn * 320)), 0, 2);
            f64x8 rows[8];
            rows[0] = *(const f64x8_u *)(B_0 + position);
            rows[1] = *(const f64x8_u *)(B_1 + position);
            rows[2] = *(const f64x8_u *)(B_2 + position);
            rows[3] = *(const f64x8_u *)(B_3 + position);
            rows[4] = *(const f64x8_u *)(B_4 + position);
            rows[5] = *(const f64x8_u *)(B_5 + position);
            rows[6] = *(const f64x8_u *)(B_6 + position);
            rows[7] = *(const f64x8_u *)(B_7 + position);
            transpose_avx512(rows);
            B_lanes[position] = rows[0];
            B_lanes[position + 1] = rows[1];
            B_lanes[position + 2] = rows[2];
            B_lanes[position + 3] = rows[3];
            B_lanes[position + 4] = rows[4];
            B_lanes[position + 5] = rows[5];
            B_lanes[position + 6] = rows[6];
            B_lanes[position + 7] = rows[7];
        }
        // gemm.n.n 2.0, %A, %b, 1.0, %c : f64, memref<f64x5x3>, memref<f64x3x4>, f64, memref<f64x5x4>
        // test.tl:6:3
        for (int32_t turn = 0; turn < 5; ++turn) {
            __builtin_prefetch((const char *)((uintptr_t)B_0 + (2176 + turn * 64)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)C_0 + (2560 + turn * 128)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)C_0 + (2624 + turn * 128)), 0, 2);
            double held = A[turn];
            double held_1 = A[turn + 5];
            double held_2 = A[turn + 10];
            C_lanes[turn] = 2.0 * (held * B_lanes[0] + held_1 * B_lanes[1] + held_2 * B_lanes[2]);
            C_lanes[turn + 5] = 2.0 * (held * B_lanes[3] + held_1 * B_lanes[4] + held_2 * B_lanes[5]);
            C_lanes[turn + 10] = 2.0 * (held * B_lanes[6] + held_1 * B_lanes[7] + held_2 * B_lanes[8]);
            C_lanes[turn + 15] = 2.0 * (held * B_lanes[9] + held_1 * B_lanes[10] + held_2 * B_lanes[11]);
        }
        // store %C
        for (int32_t turn = 0; turn < 2; ++turn) {  // entries of C_lanes
            int32_t position = turn * 8;
            __builtin_prefetch((const char *)((uintptr_t)C_0 + (3136 + turn * 384)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)C_0 + (3200 + turn * 384)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)C_0 + (3264 + turn * 384)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)C_0 + (3328 + turn * 384)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)C_0 + (3392 + turn * 384)), 0, 2);
            __builtin_prefetch((const char *)((uintptr_t)C_0 + (3456 + turn * 384)), 0, 2);
            f64x8 rows[8];
            rows[0] = C_lanes[position];
            rows[1] = C_lanes[position + 1];
            rows[2] = C_lanes[position + 2];
            rows[3] = C_lanes[position + 3];
            rows[4] = C_lanes[position + 4];
            rows[5] = C_lanes[position + 5];
            rows[6] = C_lanes[position + 6];
            rows[7] = C_lanes[position + 7];
            transpose_avx512(rows);
            rows[0] = *(const f64x8_u *)(C_0 + position) + rows[0];
            rows[1] = *(const f64x8_u *)(C_1 + position) + rows[1];
            rows[2] = *(const f64x8_u *)(C_2 + position) + rows[2];
            rows[3] = *(const f64x8_u *)(C_3 + position) + rows[3];
            rows[4] = *(const f64x8_u *)(C_4 + position) + rows[4];
            rows[5] = *(const f64x8_u *)(C_5 + position) + rows[5];
            rows[6] = *(const f64x8_u *)(C_6 + position) + rows[6];
            rows[7] = *(const f64x8_u *)(C_7 + position) + rows[7];
            *(f64x8_u *)(C_0 + position) = rows[0];
            *(f64x8_u *)(C_1 + position) = rows[1];
            *(f64x8_u *)(C_2 + position) = rows[2];
            *(f64x8_u *)(C_3 + position) = rows[3];
            *(f64x8_u *)(C_4 + position) = rows[4];
            *(f64x8_u *)(C_5 + position) = rows[5];
            *(f64x8_u *)(C_6 + position) = rows[6];
            *(f64x8_u *)(C_7 + position) = rows[7];
        }
        for (int32_t turn = 0; turn < 4; ++turn) {  // entries of C_lanes
            int32_t position = 16 + turn;
            f64x8 entry = (f64x8){C_0[position], C_1[position], C_2[position], C_3[position], C_4[position], C_5[position], C_6[position], C_7[position]} + C_lanes[position];
            C_0[position] = entry[0];
            C_1[position] = entry[1];
            C_2[position] = entry[2];
            C_3[position] = entry[3];
            C_4[position] = entry[4];
            C_5[position] = entry[5];
            C_6[position] = entry[6];
            C_7[position] = entry[7];
        }
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
