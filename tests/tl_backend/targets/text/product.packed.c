#if !defined(__aarch64__)
typedef double f64x2 __attribute__((vector_size(16)));
typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));

static inline void transpose_basic(f64x2 *rows)
{
    f64x2 row0_1 = __builtin_shufflevector(rows[0], rows[1], 0, 2);
    rows[1] = __builtin_shufflevector(rows[0], rows[1], 1, 3);
    rows[0] = row0_1;
}

static void product_basic(
    int64_t group,
    int64_t groups,
    const double *restrict A,
    const double *restrict B,
    int64_t B_size2,
    double *restrict C,
    int64_t C_size2)
{
    // %g = group_id
    // test.tl:3:3
    int64_t g = group;
    // gemm.n.n 2.0, %A, %b, 1.0, %c : f64, memref<f64x5x3>, memref<f64x3x4>, f64, memref<f64x5x4>
    // test.tl:6:3
    // with the loops around it: 5 rows, 4 columns, 3 depths
    const double *restrict left = A;
    const double *restrict right = B + 12 * g;
    double *restrict target = C + 20 * g;
    double left_panel[36] __attribute__((aligned(16)));
    double right_panel[24] __attribute__((aligned(16)));
    for (int32_t k = 0; k < 3; ++k) {
        for (int32_t i = 0; i < 5; i += 6) {
            UNROLLED
            for (int32_t ii = 0; ii < 6; ++ii) {
                left_panel[6 * i + 6 * k + ii] = left[5 * k + MINIMUM(i + ii, 4)];
            }
        }
    }
    for (int32_t j = 0; j < 4; j += 4) {
        for (int32_t line = 0; line < 3; line += 2) {
            int32_t first = MINIMUM(line, 1);
            f64x2 lines[2];
            lines[0] = *(const f64x2_u *)(right + (first + 3 * j));
            lines[1] = *(const f64x2_u *)(right + (first + 3 * (j + 1)));
            transpose_basic(lines);
            *(f64x2 *)(right_panel + (6 * j + 4 * first)) = lines[0];
            *(f64x2 *)(right_panel + (6 * j + 4 * (first + 1))) = lines[1];
            lines[0] = *(const f64x2_u *)(right + (first + 3 * (j + 2)));
            lines[1] = *(const f64x2_u *)(right + (first + 3 * (j + 3)));
            transpose_basic(lines);
            *(f64x2 *)(right_panel + (6 * j + 4 * first + 2)) = lines[0];
            *(f64x2 *)(right_panel + (6 * j + 4 * (first + 1) + 2)) = lines[1];
        }
    }
    for (int32_t j = 0; j < 4; j += 4) {
        for (int32_t i = 0; i < 5; i += 6) {
            f64x2 sum[12];
            sum[0] = (f64x2){0};
            sum[1] = (f64x2){0};
            sum[2] = (f64x2){0};
            sum[3] = (f64x2){0};
            sum[4] = (f64x2){0};
            sum[5] = (f64x2){0};
            sum[6] = (f64x2){0};
            sum[7] = (f64x2){0};
            sum[8] = (f64x2){0};
            sum[9] = (f64x2){0};
            sum[10] = (f64x2){0};
            sum[11] = (f64x2){0};
            for (int32_t k = 0; k < 3; ++k) {
                f64x2 a0 = *(f64x2 *)(left_panel + (6 * i + 6 * k));
                f64x2 a1 = *(f64x2 *)(left_panel + (6 * i + 6 * k + 2));
                f64x2 a2 = *(f64x2 *)(left_panel + (6 * i + 6 * k + 4));
                double b0 = right_panel[6 * j + 4 * k];
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                sum[2] += a2 * b0;
                double b1 = right_panel[6 * j + 4 * k + 1];
                sum[3] += a0 * b1;
                sum[4] += a1 * b1;
                sum[5] += a2 * b1;
                double b2 = right_panel[6 * j + 4 * k + 2];
                sum[6] += a0 * b2;
                sum[7] += a1 * b2;
                sum[8] += a2 * b2;
                double b3 = right_panel[6 * j + 4 * k + 3];
                sum[9] += a0 * b3;
                sum[10] += a1 * b3;
                sum[11] += a2 * b3;
            }
            if (i + 6 <= 5) {
                *(f64x2_u *)(target + (i + 5 * j)) = *(f64x2_u *)(target + (i + 5 * j)) + 2.0 * sum[0];
                *(f64x2_u *)(target + (i + 2 + 5 * j)) = *(f64x2_u *)(target + (i + 2 + 5 * j)) + 2.0 * sum[1];
                *(f64x2_u *)(target + (i + 4 + 5 * j)) = *(f64x2_u *)(target + (i + 4 + 5 * j)) + 2.0 * sum[2];
                *(f64x2_u *)(target + (i + 5 * (j + 1))) = *(f64x2_u *)(target + (i + 5 * (j + 1))) + 2.0 * sum[3];
                *(f64x2_u *)(target + (i + 2 + 5 * (j + 1))) = *(f64x2_u *)(target + (i + 2 + 5 * (j + 1))) + 2.0 * sum[4];
                *(f64x2_u *)(target + (i + 4 + 5 * (j + 1))) = *(f64x2_u *)(target + (i + 4 + 5 * (j + 1))) + 2.0 * sum[5];
                *(f64x2_u *)(target + (i + 5 * (j + 2))) = *(f64x2_u *)(target + (i + 5 * (j + 2))) + 2.0 * sum[6];
                *(f64x2_u *)(target + (i + 2 + 5 * (j + 2))) = *(f64x2_u *)(target + (i + 2 + 5 * (j + 2))) + 2.0 * sum[7];
                *(f64x2_u *)(target + (i + 4 + 5 * (j + 2))) = *(f64x2_u *)(target + (i + 4 + 5 * (j + 2))) + 2.0 * sum[8];
                *(f64x2_u *)(target + (i + 5 * (j + 3))) = *(f64x2_u *)(target + (i + 5 * (j + 3))) + 2.0 * sum[9];
                *(f64x2_u *)(target + (i + 2 + 5 * (j + 3))) = *(f64x2_u *)(target + (i + 2 + 5 * (j + 3))) + 2.0 * sum[10];
                *(f64x2_u *)(target + (i + 4 + 5 * (j + 3))) = *(f64x2_u *)(target + (i + 4 + 5 * (j + 3))) + 2.0 * sum[11];
            } else {
                double entries[24] __attribute__((aligned(16)));
                ((f64x2 *)entries)[0] = sum[0];
                ((f64x2 *)entries)[1] = sum[1];
                ((f64x2 *)entries)[2] = sum[2];
                ((f64x2 *)entries)[3] = sum[3];
                ((f64x2 *)entries)[4] = sum[4];
                ((f64x2 *)entries)[5] = sum[5];
                ((f64x2 *)entries)[6] = sum[6];
                ((f64x2 *)entries)[7] = sum[7];
                ((f64x2 *)entries)[8] = sum[8];
                ((f64x2 *)entries)[9] = sum[9];
                ((f64x2 *)entries)[10] = sum[10];
                ((f64x2 *)entries)[11] = sum[11];
                for (int32_t jj = 0; jj < MINIMUM(4, 4 - j); ++jj) {
                    for (int32_t ii = 0; ii < MINIMUM(6, 5 - i); ++ii) {
                        target[i + ii + 5 * (j + jj)] = target[i + ii + 5 * (j + jj)] + 2.0 * entries[ii + 6 * jj];
                    }
                }
            }
        }
    }
}
#endif
