#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x4 __attribute__((vector_size(32)));
typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));
typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));
typedef double f64x2 __attribute__((vector_size(16)));

static void product_avx2(
    int64_t group,
    int64_t groups,
    const double *restrict A,
    const double *restrict B,
    int64_t B_size2,
    double *restrict C,
    int64_t C_size2,
    int64_t elements)
{
    int64_t first = 32 * group;
    int64_t stop = MINIMUM(first + 32, elements);
    for (int64_t element = first; element < stop; ++element) {
        // %g = group_id
        // test.tl:3:3
        int64_t g = element;
        // %b = subview %B[:, :, %g] : memref<f64x3x4x?>
        // test.tl:4:3
        const double *b = B + 12 * g;
        // %c = subview %C[:, :, %g] : memref<f64x5x4x?>
        // test.tl:5:3
        double *c = C + 20 * g;
        // gemm.n.n 2.0, %A, %b, 1.0, %c : f64, memref<f64x5x3>, memref<f64x3x4>, f64, memref<f64x5x4>
        // test.tl:6:3
        {
            f64x4 sum[6];
            sum[0] = (f64x4){0};
            sum[1] = (f64x4){0};
            sum[2] = (f64x4){0};
            sum[3] = (f64x4){0};
            sum[4] = (f64x4){0};
            sum[5] = (f64x4){0};
            UNROLLED
            for (int32_t k = 0; k < 3; ++k) {
                f64x4 a0 = *(const f64x4_u *)(A + 5 * k);
                f64x4 a1 = __builtin_shufflevector(*(const f64x2_u *)(A + (3 + 5 * k)), *(const f64x2_u *)(A + (3 + 5 * k)), 0, 1, 0, 1);
                double b0 = b[k];
                double b1 = b[k + 3];
                sum[4] += a1 * (f64x4){b0, b0, b1, b1};
                sum[0] += a0 * b0;
                sum[1] += a0 * b1;
                double b2 = b[k + 6];
                double b3 = b[k + 9];
                sum[5] += a1 * (f64x4){b2, b2, b3, b3};
                sum[2] += a0 * b2;
                sum[3] += a0 * b3;
            }
            *(f64x4_u *)c = *(f64x4_u *)c + 2.0 * sum[0];
            c[4] = c[4] + 2.0 * sum[4][1];
            *(f64x4_u *)(c + 5) = *(f64x4_u *)(c + 5) + 2.0 * sum[1];
            c[9] = c[9] + 2.0 * sum[4][3];
            *(f64x4_u *)(c + 10) = *(f64x4_u *)(c + 10) + 2.0 * sum[2];
            c[14] = c[14] + 2.0 * sum[5][1];
            *(f64x4_u *)(c + 15) = *(f64x4_u *)(c + 15) + 2.0 * sum[3];
            c[19] = c[19] + 2.0 * sum[5][3];
        }
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
