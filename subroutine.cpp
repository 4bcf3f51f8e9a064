#include <memory>
// words of C that C++ spells otherwise; arguments may share memory, since statements run in their order
#define restrict
#define _Bool bool
#pragma GCC diagnostic ignored "-Wpedantic"
#include <stdint.h>

#define MINIMUM(left, right) ((left) < (right) ? (left) : (right))
#define CHOOSE(type, mask, then, otherwise) \
    ((type)(((mask) & (__typeof__(mask))(then)) | (~(mask) & (__typeof__(mask))(otherwise))))
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#define NEVER_UNROLLED _Pragma("clang loop unroll(disable)")
#define WITHOUT_VECTORS _Pragma("clang loop vectorize(disable)")
#else
#define UNROLLED _Pragma("GCC unroll 65534")
#define NEVER_UNROLLED _Pragma("GCC unroll 1")
#define WITHOUT_VECTORS
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* these are found in loops that never run */
#pragma GCC diagnostic ignored "-Waggressive-loop-optimizations"
#pragma GCC diagnostic ignored "-Warray-bounds"
#endif
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#include "subroutine.h"
namespace {
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x2 __attribute__((vector_size(16)));
typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));

static __attribute__((noinline)) void product_0b8f8ce65827_avx2(double *C, const double *restrict A, double *B)
{
    {
        f64x2 sum[9];
        sum[0] = (f64x2){0};
        sum[1] = (f64x2){0};
        sum[2] = (f64x2){0};
        sum[3] = (f64x2){0};
        sum[4] = (f64x2){0};
        sum[5] = (f64x2){0};
        sum[6] = (f64x2){0};
        sum[7] = (f64x2){0};
        sum[8] = (f64x2){0};
        UNROLLED
        for (int32_t k = 0; k < 1; ++k) {
            f64x2 a0 = *(const f64x2_u *)(A + 3 * k);
            double b0 = B[9 * k];
            sum[0] += a0 * b0;
            double b1 = B[1 + 9 * k];
            sum[1] += a0 * b1;
            double b2 = B[2 + 9 * k];
            sum[2] += a0 * b2;
            double b3 = B[3 + 9 * k];
            sum[3] += a0 * b3;
            double b4 = B[4 + 9 * k];
            sum[4] += a0 * b4;
            double b5 = B[5 + 9 * k];
            sum[5] += a0 * b5;
            double b6 = B[6 + 9 * k];
            sum[6] += a0 * b6;
            double b7 = B[7 + 9 * k];
            sum[7] += a0 * b7;
            double b8 = B[8 + 9 * k];
            sum[8] += a0 * b8;
        }
        *(f64x2_u *)C = *(f64x2_u *)C + sum[0];
        *(f64x2_u *)(C + 4) = *(f64x2_u *)(C + 4) + sum[1];
        *(f64x2_u *)(C + 8) = *(f64x2_u *)(C + 8) + sum[2];
        *(f64x2_u *)(C + 12) = *(f64x2_u *)(C + 12) + sum[3];
        *(f64x2_u *)(C + 16) = *(f64x2_u *)(C + 16) + sum[4];
        *(f64x2_u *)(C + 20) = *(f64x2_u *)(C + 20) + sum[5];
        *(f64x2_u *)(C + 24) = *(f64x2_u *)(C + 24) + sum[6];
        *(f64x2_u *)(C + 28) = *(f64x2_u *)(C + 28) + sum[7];
        *(f64x2_u *)(C + 32) = *(f64x2_u *)(C + 32) + sum[8];
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x2 __attribute__((vector_size(16)));
typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));

static __attribute__((noinline)) void product_b573c131b80c_avx2(double *C, const double *restrict A, double *B)
{
    {
        {
            f64x2 sum[10];
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
            UNROLLED
            for (int32_t k = 0; k < 1; ++k) {
                f64x2 a0 = *(const f64x2_u *)(A + 3 * k);
                f64x2 a1 = *(const f64x2_u *)(A + (1 + 3 * k));
                double b0 = B[9 * k];
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                double b1 = B[1 + 9 * k];
                sum[2] += a0 * b1;
                sum[3] += a1 * b1;
                double b2 = B[2 + 9 * k];
                sum[4] += a0 * b2;
                sum[5] += a1 * b2;
                double b3 = B[3 + 9 * k];
                sum[6] += a0 * b3;
                sum[7] += a1 * b3;
                double b4 = B[4 + 9 * k];
                sum[8] += a0 * b4;
                sum[9] += a1 * b4;
            }
            *(f64x2_u *)C = *(f64x2_u *)C + sum[0];
            C[2] = C[2] + sum[1][1];
            *(f64x2_u *)(C + 4) = *(f64x2_u *)(C + 4) + sum[2];
            C[6] = C[6] + sum[3][1];
            *(f64x2_u *)(C + 8) = *(f64x2_u *)(C + 8) + sum[4];
            C[10] = C[10] + sum[5][1];
            *(f64x2_u *)(C + 12) = *(f64x2_u *)(C + 12) + sum[6];
            C[14] = C[14] + sum[7][1];
            *(f64x2_u *)(C + 16) = *(f64x2_u *)(C + 16) + sum[8];
            C[18] = C[18] + sum[9][1];
        }
        {
            f64x2 sum[8];
            sum[0] = (f64x2){0};
            sum[1] = (f64x2){0};
            sum[2] = (f64x2){0};
            sum[3] = (f64x2){0};
            sum[4] = (f64x2){0};
            sum[5] = (f64x2){0};
            sum[6] = (f64x2){0};
            sum[7] = (f64x2){0};
            UNROLLED
            for (int32_t k = 0; k < 1; ++k) {
                f64x2 a0 = *(const f64x2_u *)(A + 3 * k);
                f64x2 a1 = *(const f64x2_u *)(A + (1 + 3 * k));
                double b0 = B[5 + 9 * k];
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                double b1 = B[6 + 9 * k];
                sum[2] += a0 * b1;
                sum[3] += a1 * b1;
                double b2 = B[7 + 9 * k];
                sum[4] += a0 * b2;
                sum[5] += a1 * b2;
                double b3 = B[8 + 9 * k];
                sum[6] += a0 * b3;
                sum[7] += a1 * b3;
            }
            *(f64x2_u *)(C + 20) = *(f64x2_u *)(C + 20) + sum[0];
            C[22] = C[22] + sum[1][1];
            *(f64x2_u *)(C + 24) = *(f64x2_u *)(C + 24) + sum[2];
            C[26] = C[26] + sum[3][1];
            *(f64x2_u *)(C + 28) = *(f64x2_u *)(C + 28) + sum[4];
            C[30] = C[30] + sum[5][1];
            *(f64x2_u *)(C + 32) = *(f64x2_u *)(C + 32) + sum[6];
            C[34] = C[34] + sum[7][1];
        }
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x4 __attribute__((vector_size(32)));
typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));

static __attribute__((noinline)) void product_c310fbfc514c_avx2(
    double *C,
    const double *restrict A,
    const double *restrict B)
{
    {
        f64x4 sum[9];
        sum[0] = (f64x4){0};
        sum[1] = (f64x4){0};
        sum[2] = (f64x4){0};
        sum[3] = (f64x4){0};
        sum[4] = (f64x4){0};
        sum[5] = (f64x4){0};
        sum[6] = (f64x4){0};
        sum[7] = (f64x4){0};
        sum[8] = (f64x4){0};
        UNROLLED
        for (int32_t k = 0; k < 4; ++k) {
            f64x4 a0 = *(const f64x4_u *)(A + 4 * k);
            double b0 = B[k];
            sum[0] += a0 * b0;
            double b1 = B[k + 4];
            sum[1] += a0 * b1;
            double b2 = B[k + 8];
            sum[2] += a0 * b2;
            double b3 = B[k + 12];
            sum[3] += a0 * b3;
            double b4 = B[k + 16];
            sum[4] += a0 * b4;
            double b5 = B[k + 20];
            sum[5] += a0 * b5;
            double b6 = B[k + 24];
            sum[6] += a0 * b6;
            double b7 = B[k + 28];
            sum[7] += a0 * b7;
            double b8 = B[k + 32];
            sum[8] += a0 * b8;
        }
        *(f64x4_u *)C = sum[0];
        *(f64x4_u *)(C + 4) = sum[1];
        *(f64x4_u *)(C + 8) = sum[2];
        *(f64x4_u *)(C + 12) = sum[3];
        *(f64x4_u *)(C + 16) = sum[4];
        *(f64x4_u *)(C + 20) = sum[5];
        *(f64x4_u *)(C + 24) = sum[6];
        *(f64x4_u *)(C + 28) = sum[7];
        *(f64x4_u *)(C + 32) = sum[8];
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x4 __attribute__((vector_size(32)));
typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));

static __attribute__((noinline)) void product_b5d3adce9692_avx2(
    double *C,
    const double *restrict A,
    const double *restrict B)
{
    {
        f64x4 sum[9];
        sum[0] = (f64x4){0};
        sum[1] = (f64x4){0};
        sum[2] = (f64x4){0};
        sum[3] = (f64x4){0};
        sum[4] = (f64x4){0};
        sum[5] = (f64x4){0};
        sum[6] = (f64x4){0};
        sum[7] = (f64x4){0};
        sum[8] = (f64x4){0};
        UNROLLED
        for (int32_t k = 0; k < 4; ++k) {
            f64x4 a0 = *(const f64x4_u *)(A + 4 * k);
            double b0 = B[k];
            sum[0] += a0 * b0;
            double b1 = B[k + 4];
            sum[1] += a0 * b1;
            double b2 = B[k + 8];
            sum[2] += a0 * b2;
            double b3 = B[k + 12];
            sum[3] += a0 * b3;
            double b4 = B[k + 16];
            sum[4] += a0 * b4;
            double b5 = B[k + 20];
            sum[5] += a0 * b5;
            double b6 = B[k + 24];
            sum[6] += a0 * b6;
            double b7 = B[k + 28];
            sum[7] += a0 * b7;
            double b8 = B[k + 32];
            sum[8] += a0 * b8;
        }
        *(f64x4_u *)C = *(f64x4_u *)C + sum[0];
        *(f64x4_u *)(C + 4) = *(f64x4_u *)(C + 4) + sum[1];
        *(f64x4_u *)(C + 8) = *(f64x4_u *)(C + 8) + sum[2];
        *(f64x4_u *)(C + 12) = *(f64x4_u *)(C + 12) + sum[3];
        *(f64x4_u *)(C + 16) = *(f64x4_u *)(C + 16) + sum[4];
        *(f64x4_u *)(C + 20) = *(f64x4_u *)(C + 20) + sum[5];
        *(f64x4_u *)(C + 24) = *(f64x4_u *)(C + 24) + sum[6];
        *(f64x4_u *)(C + 28) = *(f64x4_u *)(C + 28) + sum[7];
        *(f64x4_u *)(C + 32) = *(f64x4_u *)(C + 32) + sum[8];
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x4 __attribute__((vector_size(32)));
typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));

static __attribute__((noinline)) void product_7e21278dbefe_avx2(double *restrict C, double *A, const double *restrict B)
{
    {
        f64x4 sum[9];
        sum[0] = (f64x4){0};
        sum[1] = (f64x4){0};
        sum[2] = (f64x4){0};
        sum[3] = (f64x4){0};
        sum[4] = (f64x4){0};
        sum[5] = (f64x4){0};
        sum[6] = (f64x4){0};
        sum[7] = (f64x4){0};
        sum[8] = (f64x4){0};
        for (int32_t k = 0; k < 9; ++k) {
            f64x4 a0 = *(f64x4_u *)(A + 4 * k);
            double b0 = B[k];
            sum[0] += a0 * b0;
            double b1 = B[k + 9];
            sum[1] += a0 * b1;
            double b2 = B[k + 18];
            sum[2] += a0 * b2;
            double b3 = B[k + 27];
            sum[3] += a0 * b3;
            double b4 = B[k + 36];
            sum[4] += a0 * b4;
            double b5 = B[k + 45];
            sum[5] += a0 * b5;
            double b6 = B[k + 54];
            sum[6] += a0 * b6;
            double b7 = B[k + 63];
            sum[7] += a0 * b7;
            double b8 = B[k + 72];
            sum[8] += a0 * b8;
        }
        *(f64x4_u *)C = *(f64x4_u *)C + sum[0];
        *(f64x4_u *)(C + 4) = *(f64x4_u *)(C + 4) + sum[1];
        *(f64x4_u *)(C + 8) = *(f64x4_u *)(C + 8) + sum[2];
        *(f64x4_u *)(C + 12) = *(f64x4_u *)(C + 12) + sum[3];
        *(f64x4_u *)(C + 16) = *(f64x4_u *)(C + 16) + sum[4];
        *(f64x4_u *)(C + 20) = *(f64x4_u *)(C + 20) + sum[5];
        *(f64x4_u *)(C + 24) = *(f64x4_u *)(C + 24) + sum[6];
        *(f64x4_u *)(C + 28) = *(f64x4_u *)(C + 28) + sum[7];
        *(f64x4_u *)(C + 32) = *(f64x4_u *)(C + 32) + sum[8];
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x4 __attribute__((vector_size(32)));
typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));

static __attribute__((noinline)) void product_b22a3b5d4f57_avx2(double *C, double *restrict A, const double *restrict B)
{
    {
        {
            f64x4 sum[8];
            sum[0] = (f64x4){0};
            sum[1] = (f64x4){0};
            sum[2] = (f64x4){0};
            sum[3] = (f64x4){0};
            sum[4] = (f64x4){0};
            sum[5] = (f64x4){0};
            sum[6] = (f64x4){0};
            sum[7] = (f64x4){0};
            for (int32_t k = 0; k < 8; ++k) {
                f64x4 a0 = *(f64x4_u *)(A + 4 * k);
                double b0 = B[k];
                sum[0] += a0 * b0;
                double b1 = B[k + 9];
                sum[1] += a0 * b1;
                double b2 = B[k + 18];
                sum[2] += a0 * b2;
                double b3 = B[k + 27];
                sum[3] += a0 * b3;
                double b4 = B[k + 36];
                sum[4] += a0 * b4;
                double b5 = B[k + 45];
                sum[5] += a0 * b5;
                double b6 = B[k + 54];
                sum[6] += a0 * b6;
                double b7 = B[k + 63];
                sum[7] += a0 * b7;
            }
            *(f64x4_u *)C = sum[0];
            *(f64x4_u *)(C + 4) = sum[1];
            *(f64x4_u *)(C + 8) = sum[2];
            *(f64x4_u *)(C + 12) = sum[3];
            *(f64x4_u *)(C + 16) = sum[4];
            *(f64x4_u *)(C + 20) = sum[5];
            *(f64x4_u *)(C + 24) = sum[6];
            *(f64x4_u *)(C + 28) = sum[7];
        }
        {
            f64x4 sum[7];
            sum[0] = (f64x4){0};
            sum[1] = (f64x4){0};
            sum[2] = (f64x4){0};
            sum[3] = (f64x4){0};
            sum[4] = (f64x4){0};
            sum[5] = (f64x4){0};
            sum[6] = (f64x4){0};
            for (int32_t k = 0; k < 8; ++k) {
                f64x4 a0 = *(f64x4_u *)(A + 4 * k);
                double b0 = B[k + 72];
                sum[0] += a0 * b0;
                double b1 = B[k + 81];
                sum[1] += a0 * b1;
                double b2 = B[k + 90];
                sum[2] += a0 * b2;
                double b3 = B[k + 99];
                sum[3] += a0 * b3;
                double b4 = B[k + 108];
                sum[4] += a0 * b4;
                double b5 = B[k + 117];
                sum[5] += a0 * b5;
                double b6 = B[k + 126];
                sum[6] += a0 * b6;
            }
            *(f64x4_u *)(C + 32) = sum[0];
            *(f64x4_u *)(C + 36) = sum[1];
            *(f64x4_u *)(C + 40) = sum[2];
            *(f64x4_u *)(C + 44) = sum[3];
            *(f64x4_u *)(C + 48) = sum[4];
            *(f64x4_u *)(C + 52) = sum[5];
            *(f64x4_u *)(C + 56) = sum[6];
        }
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x4 __attribute__((vector_size(32)));
typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));

static __attribute__((noinline)) void product_3a7a71f49ad3_avx2(
    double *restrict C,
    double *restrict A,
    const double *restrict B)
{
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
            f64x4 a0 = *(f64x4_u *)(A + 4 * k);
            double b0 = B[k];
            sum[0] += a0 * b0;
            double b1 = B[k + 12];
            sum[1] += a0 * b1;
            double b2 = B[k + 24];
            sum[2] += a0 * b2;
            double b3 = B[k + 36];
            sum[3] += a0 * b3;
            double b4 = B[k + 48];
            sum[4] += a0 * b4;
            double b5 = B[k + 60];
            sum[5] += a0 * b5;
        }
        UNROLLED
        for (int32_t k = 9; k < 12; ++k) {
            f64x4 a0 = *(f64x4_u *)(A + 4 * k);
            double b0 = B[k];
            sum[0] += a0 * b0;
            double b1 = B[k + 12];
            sum[1] += a0 * b1;
            double b2 = B[k + 24];
            sum[2] += a0 * b2;
            double b3 = B[k + 36];
            sum[3] += a0 * b3;
            double b4 = B[k + 48];
            sum[4] += a0 * b4;
            double b5 = B[k + 60];
            sum[5] += a0 * b5;
        }
        *(f64x4_u *)C = *(f64x4_u *)C + -1.0 * sum[0];
        *(f64x4_u *)(C + 4) = *(f64x4_u *)(C + 4) + -1.0 * sum[1];
        *(f64x4_u *)(C + 8) = *(f64x4_u *)(C + 8) + -1.0 * sum[2];
        *(f64x4_u *)(C + 12) = *(f64x4_u *)(C + 12) + -1.0 * sum[3];
        *(f64x4_u *)(C + 16) = *(f64x4_u *)(C + 16) + -1.0 * sum[4];
        *(f64x4_u *)(C + 20) = *(f64x4_u *)(C + 20) + -1.0 * sum[5];
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x2 __attribute__((vector_size(16)));
typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));

static __attribute__((noinline)) void product_034c666c7618_avx2(double *restrict C, double *A, const double *restrict B)
{
    {
        {
            f64x2 sum[10];
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
            UNROLLED
            for (int32_t k = 0; k < 4; ++k) {
                f64x2 a0 = *(f64x2_u *)(A + 3 * k);
                f64x2 a1 = *(f64x2_u *)(A + (1 + 3 * k));
                double b0 = B[k];
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                double b1 = B[k + 4];
                sum[2] += a0 * b1;
                sum[3] += a1 * b1;
                double b2 = B[k + 8];
                sum[4] += a0 * b2;
                sum[5] += a1 * b2;
                double b3 = B[k + 12];
                sum[6] += a0 * b3;
                sum[7] += a1 * b3;
                double b4 = B[k + 16];
                sum[8] += a0 * b4;
                sum[9] += a1 * b4;
            }
            *(f64x2_u *)C = sum[0];
            *(f64x2_u *)(C + 1) = sum[1];
            *(f64x2_u *)(C + 4) = sum[2];
            *(f64x2_u *)(C + 5) = sum[3];
            *(f64x2_u *)(C + 8) = sum[4];
            *(f64x2_u *)(C + 9) = sum[5];
            *(f64x2_u *)(C + 12) = sum[6];
            *(f64x2_u *)(C + 13) = sum[7];
            *(f64x2_u *)(C + 16) = sum[8];
            *(f64x2_u *)(C + 17) = sum[9];
        }
        {
            f64x2 sum[8];
            sum[0] = (f64x2){0};
            sum[1] = (f64x2){0};
            sum[2] = (f64x2){0};
            sum[3] = (f64x2){0};
            sum[4] = (f64x2){0};
            sum[5] = (f64x2){0};
            sum[6] = (f64x2){0};
            sum[7] = (f64x2){0};
            UNROLLED
            for (int32_t k = 0; k < 4; ++k) {
                f64x2 a0 = *(f64x2_u *)(A + 3 * k);
                f64x2 a1 = *(f64x2_u *)(A + (1 + 3 * k));
                double b0 = B[k + 20];
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                double b1 = B[k + 24];
                sum[2] += a0 * b1;
                sum[3] += a1 * b1;
                double b2 = B[k + 28];
                sum[4] += a0 * b2;
                sum[5] += a1 * b2;
                double b3 = B[k + 32];
                sum[6] += a0 * b3;
                sum[7] += a1 * b3;
            }
            *(f64x2_u *)(C + 20) = sum[0];
            *(f64x2_u *)(C + 21) = sum[1];
            *(f64x2_u *)(C + 24) = sum[2];
            *(f64x2_u *)(C + 25) = sum[3];
            *(f64x2_u *)(C + 28) = sum[4];
            *(f64x2_u *)(C + 29) = sum[5];
            *(f64x2_u *)(C + 32) = sum[6];
            *(f64x2_u *)(C + 33) = sum[7];
        }
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x2 __attribute__((vector_size(16)));
typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));

static __attribute__((noinline)) void product_13ea4ce5e41a_avx2(double *C, double *A, const double *restrict B)
{
    {
        f64x2 sum[2];
        sum[0] = (f64x2){0};
        sum[1] = (f64x2){0};
        for (int32_t k = 0; k < 9; ++k) {
            f64x2 a0 = *(f64x2_u *)(A + 3 * k);
            f64x2 a1 = *(f64x2_u *)(A + (1 + 3 * k));
            double b0 = B[k];
            sum[0] += a0 * b0;
            sum[1] += a1 * b0;
        }
        *(f64x2_u *)C = sum[0];
        *(f64x2_u *)(C + 1) = sum[1];
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x2 __attribute__((vector_size(16)));
typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));

static __attribute__((noinline)) void product_d7636d8ecee6_avx2(
    double *C,
    const double *restrict A,
    const double *restrict B)
{
    {
        {
            f64x2 sum[10];
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
            UNROLLED
            for (int32_t k = 0; k < 4; ++k) {
                f64x2 a0 = *(const f64x2_u *)(A + 3 * k);
                f64x2 a1 = *(const f64x2_u *)(A + (1 + 3 * k));
                double b0 = B[k];
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                double b1 = B[k + 4];
                sum[2] += a0 * b1;
                sum[3] += a1 * b1;
                double b2 = B[k + 8];
                sum[4] += a0 * b2;
                sum[5] += a1 * b2;
                double b3 = B[k + 12];
                sum[6] += a0 * b3;
                sum[7] += a1 * b3;
                double b4 = B[k + 16];
                sum[8] += a0 * b4;
                sum[9] += a1 * b4;
            }
            *(f64x2_u *)C = sum[0];
            *(f64x2_u *)(C + 1) = sum[1];
            *(f64x2_u *)(C + 3) = sum[2];
            *(f64x2_u *)(C + 4) = sum[3];
            *(f64x2_u *)(C + 6) = sum[4];
            *(f64x2_u *)(C + 7) = sum[5];
            *(f64x2_u *)(C + 9) = sum[6];
            *(f64x2_u *)(C + 10) = sum[7];
            *(f64x2_u *)(C + 12) = sum[8];
            *(f64x2_u *)(C + 13) = sum[9];
        }
        {
            f64x2 sum[8];
            sum[0] = (f64x2){0};
            sum[1] = (f64x2){0};
            sum[2] = (f64x2){0};
            sum[3] = (f64x2){0};
            sum[4] = (f64x2){0};
            sum[5] = (f64x2){0};
            sum[6] = (f64x2){0};
            sum[7] = (f64x2){0};
            UNROLLED
            for (int32_t k = 0; k < 4; ++k) {
                f64x2 a0 = *(const f64x2_u *)(A + 3 * k);
                f64x2 a1 = *(const f64x2_u *)(A + (1 + 3 * k));
                double b0 = B[k + 20];
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                double b1 = B[k + 24];
                sum[2] += a0 * b1;
                sum[3] += a1 * b1;
                double b2 = B[k + 28];
                sum[4] += a0 * b2;
                sum[5] += a1 * b2;
                double b3 = B[k + 32];
                sum[6] += a0 * b3;
                sum[7] += a1 * b3;
            }
            *(f64x2_u *)(C + 15) = sum[0];
            *(f64x2_u *)(C + 16) = sum[1];
            *(f64x2_u *)(C + 18) = sum[2];
            *(f64x2_u *)(C + 19) = sum[3];
            *(f64x2_u *)(C + 21) = sum[4];
            *(f64x2_u *)(C + 22) = sum[5];
            *(f64x2_u *)(C + 24) = sum[6];
            *(f64x2_u *)(C + 25) = sum[7];
        }
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x2 __attribute__((vector_size(16)));
typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));

static __attribute__((noinline)) void product_7b00605510c9_avx2(double *C, double *A, const double *restrict B)
{
    {
        {
            f64x2 sum[10];
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
            for (int32_t k = 0; k < 9; ++k) {
                f64x2 a0 = *(f64x2_u *)(A + 3 * k);
                f64x2 a1 = *(f64x2_u *)(A + (1 + 3 * k));
                double b0 = B[k];
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                double b1 = B[k + 9];
                sum[2] += a0 * b1;
                sum[3] += a1 * b1;
                double b2 = B[k + 18];
                sum[4] += a0 * b2;
                sum[5] += a1 * b2;
                double b3 = B[k + 27];
                sum[6] += a0 * b3;
                sum[7] += a1 * b3;
                double b4 = B[k + 36];
                sum[8] += a0 * b4;
                sum[9] += a1 * b4;
            }
            *(f64x2_u *)C = sum[0];
            *(f64x2_u *)(C + 1) = sum[1];
            *(f64x2_u *)(C + 3) = sum[2];
            *(f64x2_u *)(C + 4) = sum[3];
            *(f64x2_u *)(C + 6) = sum[4];
            *(f64x2_u *)(C + 7) = sum[5];
            *(f64x2_u *)(C + 9) = sum[6];
            *(f64x2_u *)(C + 10) = sum[7];
            *(f64x2_u *)(C + 12) = sum[8];
            *(f64x2_u *)(C + 13) = sum[9];
        }
        {
            f64x2 sum[8];
            sum[0] = (f64x2){0};
            sum[1] = (f64x2){0};
            sum[2] = (f64x2){0};
            sum[3] = (f64x2){0};
            sum[4] = (f64x2){0};
            sum[5] = (f64x2){0};
            sum[6] = (f64x2){0};
            sum[7] = (f64x2){0};
            for (int32_t k = 0; k < 9; ++k) {
                f64x2 a0 = *(f64x2_u *)(A + 3 * k);
                f64x2 a1 = *(f64x2_u *)(A + (1 + 3 * k));
                double b0 = B[k + 45];
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                double b1 = B[k + 54];
                sum[2] += a0 * b1;
                sum[3] += a1 * b1;
                double b2 = B[k + 63];
                sum[4] += a0 * b2;
                sum[5] += a1 * b2;
                double b3 = B[k + 72];
                sum[6] += a0 * b3;
                sum[7] += a1 * b3;
            }
            *(f64x2_u *)(C + 15) = sum[0];
            *(f64x2_u *)(C + 16) = sum[1];
            *(f64x2_u *)(C + 18) = sum[2];
            *(f64x2_u *)(C + 19) = sum[3];
            *(f64x2_u *)(C + 21) = sum[4];
            *(f64x2_u *)(C + 22) = sum[5];
            *(f64x2_u *)(C + 24) = sum[6];
            *(f64x2_u *)(C + 25) = sum[7];
        }
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x4 __attribute__((vector_size(32)));
typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));

static __attribute__((noinline)) void product_3b91b2569422_avx2(double *restrict C, const double *restrict A, double *B)
{
    {
        f64x4 sum[9];
        sum[0] = (f64x4){0};
        sum[1] = (f64x4){0};
        sum[2] = (f64x4){0};
        sum[3] = (f64x4){0};
        sum[4] = (f64x4){0};
        sum[5] = (f64x4){0};
        sum[6] = (f64x4){0};
        sum[7] = (f64x4){0};
        sum[8] = (f64x4){0};
        UNROLLED
        for (int32_t k = 0; k < 3; ++k) {
            f64x4 a0 = *(const f64x4_u *)(A + 4 * k);
            double b0 = B[k];
            sum[0] += a0 * b0;
            double b1 = B[k + 3];
            sum[1] += a0 * b1;
            double b2 = B[k + 6];
            sum[2] += a0 * b2;
            double b3 = B[k + 9];
            sum[3] += a0 * b3;
            double b4 = B[k + 12];
            sum[4] += a0 * b4;
            double b5 = B[k + 15];
            sum[5] += a0 * b5;
            double b6 = B[k + 18];
            sum[6] += a0 * b6;
            double b7 = B[k + 21];
            sum[7] += a0 * b7;
            double b8 = B[k + 24];
            sum[8] += a0 * b8;
        }
        *(f64x4_u *)C = *(f64x4_u *)C + sum[0];
        *(f64x4_u *)(C + 4) = *(f64x4_u *)(C + 4) + sum[1];
        *(f64x4_u *)(C + 8) = *(f64x4_u *)(C + 8) + sum[2];
        *(f64x4_u *)(C + 12) = *(f64x4_u *)(C + 12) + sum[3];
        *(f64x4_u *)(C + 16) = *(f64x4_u *)(C + 16) + sum[4];
        *(f64x4_u *)(C + 20) = *(f64x4_u *)(C + 20) + sum[5];
        *(f64x4_u *)(C + 24) = *(f64x4_u *)(C + 24) + sum[6];
        *(f64x4_u *)(C + 28) = *(f64x4_u *)(C + 28) + sum[7];
        *(f64x4_u *)(C + 32) = *(f64x4_u *)(C + 32) + sum[8];
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x4 __attribute__((vector_size(32)));
typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));

static __attribute__((noinline)) void product_443ad7ec0a39_avx2(
    double *C,
    const double *restrict A,
    const double *restrict B)
{
    {
        f64x4 sum[3];
        sum[0] = (f64x4){0};
        sum[1] = (f64x4){0};
        sum[2] = (f64x4){0};
        UNROLLED
        for (int32_t k = 0; k < 3; ++k) {
            f64x4 a0 = *(const f64x4_u *)(A + 4 * k);
            double b0 = B[k];
            sum[0] += a0 * b0;
            double b1 = B[k + 3];
            sum[1] += a0 * b1;
            double b2 = B[k + 6];
            sum[2] += a0 * b2;
        }
        *(f64x4_u *)C = sum[0];
        *(f64x4_u *)(C + 4) = sum[1];
        *(f64x4_u *)(C + 8) = sum[2];
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x4 __attribute__((vector_size(32)));
typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));

static __attribute__((noinline)) void product_7a940ef1da9f_avx2(double *restrict C, double *A, double *B)
{
    {
        f64x4 sum[9];
        sum[0] = (f64x4){0};
        sum[1] = (f64x4){0};
        sum[2] = (f64x4){0};
        sum[3] = (f64x4){0};
        sum[4] = (f64x4){0};
        sum[5] = (f64x4){0};
        sum[6] = (f64x4){0};
        sum[7] = (f64x4){0};
        sum[8] = (f64x4){0};
        UNROLLED
        for (int32_t k = 0; k < 3; ++k) {
            f64x4 a0 = *(f64x4_u *)(A + 4 * k);
            double b0 = B[k];
            sum[0] += a0 * b0;
            double b1 = B[k + 3];
            sum[1] += a0 * b1;
            double b2 = B[k + 6];
            sum[2] += a0 * b2;
            double b3 = B[k + 9];
            sum[3] += a0 * b3;
            double b4 = B[k + 12];
            sum[4] += a0 * b4;
            double b5 = B[k + 15];
            sum[5] += a0 * b5;
            double b6 = B[k + 18];
            sum[6] += a0 * b6;
            double b7 = B[k + 21];
            sum[7] += a0 * b7;
            double b8 = B[k + 24];
            sum[8] += a0 * b8;
        }
        *(f64x4_u *)C = *(f64x4_u *)C + sum[0];
        *(f64x4_u *)(C + 4) = *(f64x4_u *)(C + 4) + sum[1];
        *(f64x4_u *)(C + 8) = *(f64x4_u *)(C + 8) + sum[2];
        *(f64x4_u *)(C + 12) = *(f64x4_u *)(C + 12) + sum[3];
        *(f64x4_u *)(C + 16) = *(f64x4_u *)(C + 16) + sum[4];
        *(f64x4_u *)(C + 20) = *(f64x4_u *)(C + 20) + sum[5];
        *(f64x4_u *)(C + 24) = *(f64x4_u *)(C + 24) + sum[6];
        *(f64x4_u *)(C + 28) = *(f64x4_u *)(C + 28) + sum[7];
        *(f64x4_u *)(C + 32) = *(f64x4_u *)(C + 32) + sum[8];
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x2 __attribute__((vector_size(16)));
typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));

static __attribute__((noinline)) void product_3611b8f56736_avx2(
    double *C,
    const double *restrict A,
    const double *restrict B)
{
    {
        f64x2 sum[8];
        sum[0] = (f64x2){0};
        sum[1] = (f64x2){0};
        sum[2] = (f64x2){0};
        sum[3] = (f64x2){0};
        sum[4] = (f64x2){0};
        sum[5] = (f64x2){0};
        sum[6] = (f64x2){0};
        sum[7] = (f64x2){0};
        UNROLLED
        for (int32_t k = 0; k < 3; ++k) {
            f64x2 a0 = *(const f64x2_u *)(A + 3 * k);
            f64x2 a1 = *(const f64x2_u *)(A + (1 + 3 * k));
            double b0 = B[k];
            sum[0] += a0 * b0;
            sum[1] += a1 * b0;
            double b1 = B[k + 3];
            sum[2] += a0 * b1;
            sum[3] += a1 * b1;
            double b2 = B[k + 6];
            sum[4] += a0 * b2;
            sum[5] += a1 * b2;
            double b3 = B[k + 9];
            sum[6] += a0 * b3;
            sum[7] += a1 * b3;
        }
        *(f64x2_u *)C = sum[0];
        *(f64x2_u *)(C + 1) = sum[1];
        *(f64x2_u *)(C + 3) = sum[2];
        *(f64x2_u *)(C + 4) = sum[3];
        *(f64x2_u *)(C + 6) = sum[4];
        *(f64x2_u *)(C + 7) = sum[5];
        *(f64x2_u *)(C + 9) = sum[6];
        *(f64x2_u *)(C + 10) = sum[7];
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
typedef double f64x2 __attribute__((vector_size(16)));
typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));

static __attribute__((noinline)) void product_4ea2239545db_avx2(double *C, double *A, const double *restrict B)
{
    {
        {
            f64x2 sum[10];
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
            UNROLLED
            for (int32_t k = 0; k < 4; ++k) {
                f64x2 a0 = *(f64x2_u *)(A + 3 * k);
                f64x2 a1 = *(f64x2_u *)(A + (1 + 3 * k));
                double b0 = B[k];
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                double b1 = B[k + 4];
                sum[2] += a0 * b1;
                sum[3] += a1 * b1;
                double b2 = B[k + 8];
                sum[4] += a0 * b2;
                sum[5] += a1 * b2;
                double b3 = B[k + 12];
                sum[6] += a0 * b3;
                sum[7] += a1 * b3;
                double b4 = B[k + 16];
                sum[8] += a0 * b4;
                sum[9] += a1 * b4;
            }
            *(f64x2_u *)C = sum[0];
            *(f64x2_u *)(C + 1) = sum[1];
            *(f64x2_u *)(C + 3) = sum[2];
            *(f64x2_u *)(C + 4) = sum[3];
            *(f64x2_u *)(C + 6) = sum[4];
            *(f64x2_u *)(C + 7) = sum[5];
            *(f64x2_u *)(C + 9) = sum[6];
            *(f64x2_u *)(C + 10) = sum[7];
            *(f64x2_u *)(C + 12) = sum[8];
            *(f64x2_u *)(C + 13) = sum[9];
        }
        {
            f64x2 sum[8];
            sum[0] = (f64x2){0};
            sum[1] = (f64x2){0};
            sum[2] = (f64x2){0};
            sum[3] = (f64x2){0};
            sum[4] = (f64x2){0};
            sum[5] = (f64x2){0};
            sum[6] = (f64x2){0};
            sum[7] = (f64x2){0};
            UNROLLED
            for (int32_t k = 0; k < 4; ++k) {
                f64x2 a0 = *(f64x2_u *)(A + 3 * k);
                f64x2 a1 = *(f64x2_u *)(A + (1 + 3 * k));
                double b0 = B[k + 20];
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                double b1 = B[k + 24];
                sum[2] += a0 * b1;
                sum[3] += a1 * b1;
                double b2 = B[k + 28];
                sum[4] += a0 * b2;
                sum[5] += a1 * b2;
                double b3 = B[k + 32];
                sum[6] += a0 * b3;
                sum[7] += a1 * b3;
            }
            *(f64x2_u *)(C + 15) = sum[0];
            *(f64x2_u *)(C + 16) = sum[1];
            *(f64x2_u *)(C + 18) = sum[2];
            *(f64x2_u *)(C + 19) = sum[3];
            *(f64x2_u *)(C + 21) = sum[4];
            *(f64x2_u *)(C + 22) = sum[5];
            *(f64x2_u *)(C + 24) = sum[6];
            *(f64x2_u *)(C + 25) = sum[7];
        }
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
} // namespace
namespace waves {
namespace subroutine {
    namespace of_volume {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif
      typedef double f64x4 __attribute__((vector_size(32)));
      typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));

      static inline void transpose_f64x4_avx2(f64x4 *rows)
      {
          f64x4 row0_1 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 2, 6);
          rows[1] = __builtin_shufflevector(rows[0], rows[1], 1, 5, 3, 7);
          rows[0] = row0_1;
          f64x4 row2_1 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 2, 6);
          rows[3] = __builtin_shufflevector(rows[2], rows[3], 1, 5, 3, 7);
          rows[2] = row2_1;
          f64x4 row0_2 = __builtin_shufflevector(rows[0], rows[2], 0, 1, 4, 5);
          rows[2] = __builtin_shufflevector(rows[0], rows[2], 2, 3, 6, 7);
          rows[0] = row0_2;
          f64x4 row1_2 = __builtin_shufflevector(rows[1], rows[3], 0, 1, 4, 5);
          rows[3] = __builtin_shufflevector(rows[1], rows[3], 2, 3, 6, 7);
          rows[1] = row1_2;
      }

      static void volume_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict kDivM_0,
          const double *restrict kDivM_1,
          const double *restrict kDivM_2,
          const double *restrict I_1,
          const double *restrict star_0,
          const double *restrict star_1,
          const double *restrict star_2)
      {
          // %tmp0 = alloca -> memref<f64x9x1>
          // kernel.ein:30:5: Q[k,p] = Q[k,p] + kDivM{0}[k,l] * I[l,q] * star{0}[q,p] + kDivM{1}[k,l] * I[l,q] * star{1}[q,p] + kDivM{2}[k,l] * I[l,q] * star{2}[q,p]
          double tmp0[9] __attribute__((aligned(32)));
          // gemm.t.t 1.0, %view1, %view, 0.0, %tmp0
          // kernel.ein:30:23: kDivM{0}[k,l] * I[l,q] * star{0}[q,p]
          {
              double panel[12] __attribute__((aligned(32)));
              {
                  panel[0] = I_1[0];
                  panel[1] = I_1[4];
                  panel[2] = I_1[8];
                  panel[3] = I_1[12];
                  panel[4] = I_1[16];
                  panel[5] = I_1[20];
                  panel[6] = I_1[24];
                  panel[7] = I_1[28];
                  panel[8] = I_1[20];
                  panel[9] = I_1[24];
                  panel[10] = I_1[28];
                  panel[11] = I_1[32];
              }
              {
                  f64x4 sum[3];
                  sum[0] = (f64x4){0};
                  sum[1] = (f64x4){0};
                  sum[2] = (f64x4){0};
                  UNROLLED
                  for (int32_t l = 0; l < 1; ++l) {
                      f64x4 a0 = *(f64x4_u *)(panel + 12 * l);
                      f64x4 a1 = *(f64x4_u *)(panel + (4 + 12 * l));
                      f64x4 a2 = *(f64x4_u *)(panel + (8 + 12 * l));
                      double b0 = kDivM_0[3 * l];
                      sum[0] += a0 * b0;
                      sum[1] += a1 * b0;
                      sum[2] += a2 * b0;
                  }
                  *(f64x4_u *)tmp0 = sum[0];
                  *(f64x4_u *)(tmp0 + 4) = sum[1];
                  *(f64x4_u *)(tmp0 + 5) = sum[2];
              }
          }
          // %view2 = subview %Q[1:1, 0:9] : memref<f64x4x9>
          // kernel.ein:30:23: kDivM{0}[k,l] * I[l,q] * star{0}[q,p]
          double *view2 = Q + 1;
          // gemm.t.n 1.0, %tmp0, %star_0, 1.0, %view2 : f64, memref<f64x9x1>, memref<f64x9x9>, f64, memref<f64x1x9,strided<1,4>>
          // kernel.ein:30:23: kDivM{0}[k,l] * I[l,q] * star{0}[q,p]
          for (int32_t p = 0; p < 9; p += 3) {
              double sum[3];
              UNROLLED
              for (int32_t pp = 0; pp < 3; ++pp) {  // p
                  sum[pp] = 0.0;
              }
              for (int32_t q = 0; q < 9; ++q) {
                  UNROLLED
                  for (int32_t pp = 0; pp < 3; ++pp) {  // p
                      sum[pp] += tmp0[q] * star_0[q + 9 * (p + pp)];
                  }
              }
              UNROLLED
              for (int32_t pp = 0; pp < 3; ++pp) {  // p
                  view2[4 * (p + pp)] = view2[4 * (p + pp)] + sum[pp];
              }
          }
          // %tmp1 = alloca -> memref<f64x9x1>
          // kernel.ein:30:5: Q[k,p] = Q[k,p] + kDivM{0}[k,l] * I[l,q] * star{0}[q,p] + kDivM{1}[k,l] * I[l,q] * star{1}[q,p] + kDivM{2}[k,l] * I[l,q] * star{2}[q,p]
          double tmp1[9] __attribute__((aligned(32)));
          // gemm.t.t 1.0, %star_1, %view1, 0.0, %tmp1 : f64, memref<f64x9x9>, memref<f64x1x9,strided<1,4>>, f64, memref<f64x9x1>
          // kernel.ein:30:63: kDivM{1}[k,l] * I[l,q] * star{1}[q,p]
          {
              double panel[108] __attribute__((aligned(32)));
              for (int32_t q = 0; q < 8; q += 4) {
                  f64x4 lines[4];
                  lines[0] = *(const f64x4_u *)(star_1 + q);
                  lines[1] = *(const f64x4_u *)(star_1 + (q + 9));
                  lines[2] = *(const f64x4_u *)(star_1 + (q + 18));
                  lines[3] = *(const f64x4_u *)(star_1 + (q + 27));
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + 12 * q) = lines[0];
                  *(f64x4_u *)(panel + 12 * (q + 1)) = lines[1];
                  *(f64x4_u *)(panel + 12 * (q + 2)) = lines[2];
                  *(f64x4_u *)(panel + 12 * (q + 3)) = lines[3];
                  lines[0] = *(const f64x4_u *)(star_1 + (q + 36));
                  lines[1] = *(const f64x4_u *)(star_1 + (q + 45));
                  lines[2] = *(const f64x4_u *)(star_1 + (q + 54));
                  lines[3] = *(const f64x4_u *)(star_1 + (q + 63));
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + (4 + 12 * q)) = lines[0];
                  *(f64x4_u *)(panel + (4 + 12 * (q + 1))) = lines[1];
                  *(f64x4_u *)(panel + (4 + 12 * (q + 2))) = lines[2];
                  *(f64x4_u *)(panel + (4 + 12 * (q + 3))) = lines[3];
                  lines[0] = *(const f64x4_u *)(star_1 + (q + 45));
                  lines[1] = *(const f64x4_u *)(star_1 + (q + 54));
                  lines[2] = *(const f64x4_u *)(star_1 + (q + 63));
                  lines[3] = *(const f64x4_u *)(star_1 + (q + 72));
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + (8 + 12 * q)) = lines[0];
                  *(f64x4_u *)(panel + (8 + 12 * (q + 1))) = lines[1];
                  *(f64x4_u *)(panel + (8 + 12 * (q + 2))) = lines[2];
                  *(f64x4_u *)(panel + (8 + 12 * (q + 3))) = lines[3];
              }
              {
                  f64x4 lines[4];
                  lines[0] = *(const f64x4_u *)(star_1 + 5);
                  lines[1] = *(const f64x4_u *)(star_1 + 14);
                  lines[2] = *(const f64x4_u *)(star_1 + 23);
                  lines[3] = *(const f64x4_u *)(star_1 + 32);
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + 60) = lines[0];
                  *(f64x4_u *)(panel + 72) = lines[1];
                  *(f64x4_u *)(panel + 84) = lines[2];
                  *(f64x4_u *)(panel + 96) = lines[3];
                  lines[0] = *(const f64x4_u *)(star_1 + 41);
                  lines[1] = *(const f64x4_u *)(star_1 + 50);
                  lines[2] = *(const f64x4_u *)(star_1 + 59);
                  lines[3] = *(const f64x4_u *)(star_1 + 68);
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + 64) = lines[0];
                  *(f64x4_u *)(panel + 76) = lines[1];
                  *(f64x4_u *)(panel + 88) = lines[2];
                  *(f64x4_u *)(panel + 100) = lines[3];
                  lines[0] = *(const f64x4_u *)(star_1 + 50);
                  lines[1] = *(const f64x4_u *)(star_1 + 59);
                  lines[2] = *(const f64x4_u *)(star_1 + 68);
                  lines[3] = *(const f64x4_u *)(star_1 + 77);
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + 68) = lines[0];
                  *(f64x4_u *)(panel + 80) = lines[1];
                  *(f64x4_u *)(panel + 92) = lines[2];
                  *(f64x4_u *)(panel + 104) = lines[3];
              }
              {
                  f64x4 sum[3];
                  sum[0] = (f64x4){0};
                  sum[1] = (f64x4){0};
                  sum[2] = (f64x4){0};
                  for (int32_t q = 0; q < 9; ++q) {
                      f64x4 a0 = *(f64x4_u *)(panel + 12 * q);
                      f64x4 a1 = *(f64x4_u *)(panel + (4 + 12 * q));
                      f64x4 a2 = *(f64x4_u *)(panel + (8 + 12 * q));
                      double b0 = I_1[4 * q];
                      sum[0] += a0 * b0;
                      sum[1] += a1 * b0;
                      sum[2] += a2 * b0;
                  }
                  *(f64x4_u *)tmp1 = sum[0];
                  *(f64x4_u *)(tmp1 + 4) = sum[1];
                  *(f64x4_u *)(tmp1 + 5) = sum[2];
              }
          }
          // %view4 = subview %Q[1:2, 0:9] : memref<f64x4x9>
          // kernel.ein:30:63: kDivM{1}[k,l] * I[l,q] * star{1}[q,p]
          double *view4 = Q + 1;
          // gemm.n.t 1.0, %view3, %tmp1, 1.0, %view4
          // kernel.ein:30:63: kDivM{1}[k,l] * I[l,q] * star{1}[q,p]
          product_0b8f8ce65827_avx2(view4, kDivM_1, tmp1);
          // %tmp2 = alloca -> memref<f64x9x1>
          // kernel.ein:30:5: Q[k,p] = Q[k,p] + kDivM{0}[k,l] * I[l,q] * star{0}[q,p] + kDivM{1}[k,l] * I[l,q] * star{1}[q,p] + kDivM{2}[k,l] * I[l,q] * star{2}[q,p]
          double tmp2[9] __attribute__((aligned(32)));
          // gemm.t.t 1.0, %star_2, %view1, 0.0, %tmp2 : f64, memref<f64x9x9>, memref<f64x1x9,strided<1,4>>, f64, memref<f64x9x1>
          // kernel.ein:30:103: kDivM{2}[k,l] * I[l,q] * star{2}[q,p]
          {
              double panel[108] __attribute__((aligned(32)));
              for (int32_t q = 0; q < 8; q += 4) {
                  f64x4 lines[4];
                  lines[0] = *(const f64x4_u *)(star_2 + q);
                  lines[1] = *(const f64x4_u *)(star_2 + (q + 9));
                  lines[2] = *(const f64x4_u *)(star_2 + (q + 18));
                  lines[3] = *(const f64x4_u *)(star_2 + (q + 27));
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + 12 * q) = lines[0];
                  *(f64x4_u *)(panel + 12 * (q + 1)) = lines[1];
                  *(f64x4_u *)(panel + 12 * (q + 2)) = lines[2];
                  *(f64x4_u *)(panel + 12 * (q + 3)) = lines[3];
                  lines[0] = *(const f64x4_u *)(star_2 + (q + 36));
                  lines[1] = *(const f64x4_u *)(star_2 + (q + 45));
                  lines[2] = *(const f64x4_u *)(star_2 + (q + 54));
                  lines[3] = *(const f64x4_u *)(star_2 + (q + 63));
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + (4 + 12 * q)) = lines[0];
                  *(f64x4_u *)(panel + (4 + 12 * (q + 1))) = lines[1];
                  *(f64x4_u *)(panel + (4 + 12 * (q + 2))) = lines[2];
                  *(f64x4_u *)(panel + (4 + 12 * (q + 3))) = lines[3];
                  lines[0] = *(const f64x4_u *)(star_2 + (q + 45));
                  lines[1] = *(const f64x4_u *)(star_2 + (q + 54));
                  lines[2] = *(const f64x4_u *)(star_2 + (q + 63));
                  lines[3] = *(const f64x4_u *)(star_2 + (q + 72));
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + (8 + 12 * q)) = lines[0];
                  *(f64x4_u *)(panel + (8 + 12 * (q + 1))) = lines[1];
                  *(f64x4_u *)(panel + (8 + 12 * (q + 2))) = lines[2];
                  *(f64x4_u *)(panel + (8 + 12 * (q + 3))) = lines[3];
              }
              {
                  f64x4 lines[4];
                  lines[0] = *(const f64x4_u *)(star_2 + 5);
                  lines[1] = *(const f64x4_u *)(star_2 + 14);
                  lines[2] = *(const f64x4_u *)(star_2 + 23);
                  lines[3] = *(const f64x4_u *)(star_2 + 32);
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + 60) = lines[0];
                  *(f64x4_u *)(panel + 72) = lines[1];
                  *(f64x4_u *)(panel + 84) = lines[2];
                  *(f64x4_u *)(panel + 96) = lines[3];
                  lines[0] = *(const f64x4_u *)(star_2 + 41);
                  lines[1] = *(const f64x4_u *)(star_2 + 50);
                  lines[2] = *(const f64x4_u *)(star_2 + 59);
                  lines[3] = *(const f64x4_u *)(star_2 + 68);
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + 64) = lines[0];
                  *(f64x4_u *)(panel + 76) = lines[1];
                  *(f64x4_u *)(panel + 88) = lines[2];
                  *(f64x4_u *)(panel + 100) = lines[3];
                  lines[0] = *(const f64x4_u *)(star_2 + 50);
                  lines[1] = *(const f64x4_u *)(star_2 + 59);
                  lines[2] = *(const f64x4_u *)(star_2 + 68);
                  lines[3] = *(const f64x4_u *)(star_2 + 77);
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + 68) = lines[0];
                  *(f64x4_u *)(panel + 80) = lines[1];
                  *(f64x4_u *)(panel + 92) = lines[2];
                  *(f64x4_u *)(panel + 104) = lines[3];
              }
              {
                  f64x4 sum[3];
                  sum[0] = (f64x4){0};
                  sum[1] = (f64x4){0};
                  sum[2] = (f64x4){0};
                  for (int32_t q = 0; q < 9; ++q) {
                      f64x4 a0 = *(f64x4_u *)(panel + 12 * q);
                      f64x4 a1 = *(f64x4_u *)(panel + (4 + 12 * q));
                      f64x4 a2 = *(f64x4_u *)(panel + (8 + 12 * q));
                      double b0 = I_1[4 * q];
                      sum[0] += a0 * b0;
                      sum[1] += a1 * b0;
                      sum[2] += a2 * b0;
                  }
                  *(f64x4_u *)tmp2 = sum[0];
                  *(f64x4_u *)(tmp2 + 4) = sum[1];
                  *(f64x4_u *)(tmp2 + 5) = sum[2];
              }
          }
          // %view5 = subview %Q[1:3, 0:9] : memref<f64x4x9>
          // kernel.ein:30:103: kDivM{2}[k,l] * I[l,q] * star{2}[q,p]
          double *view5 = Q + 1;
          // gemm.n.t 1.0, %kDivM_2, %tmp2, 1.0, %view5 : f64, memref<f64x3x1>, memref<f64x9x1>, f64, memref<f64x3x9,strided<1,4>>
          // kernel.ein:30:103: kDivM{2}[k,l] * I[l,q] * star{2}[q,p]
          product_b573c131b80c_avx2(view5, kDivM_2, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_volume
    void volume(double* Q_, double const* kDivM_0_, double const* kDivM_1_, double const* kDivM_2_, double const* I_, double const* star_0_, double const* star_1_, double const* star_2_) {
      of_volume::volume_avx2(0, 1, Q_, kDivM_0_, kDivM_1_, kDivM_2_, I_, star_0_, star_1_, star_2_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_localFluxAll {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void localFluxAll_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict face_0,
          const double *restrict face_1,
          const double *restrict face_2,
          const double *restrict face_3,
          const double *restrict AplusT)
      {
          // %tmp0 = alloca -> memref<f64x4x9>
          // kernel.ein:38:5: Q[k,p] = Q[k,p] + face{0}[k,l] * I[l,q] * AplusT[q,p] + face{1}[k,l] * I[l,q] * AplusT[q,p] + face{2}[k,l] * I[l,q] * AplusT[q,p] + face{3}[k,l] * I[l,q] * AplusT[q,p]
          double tmp0[36] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %face_0, %I, 0.0, %tmp0 : f64, memref<f64x4x4>, memref<f64x4x9>, f64, memref<f64x4x9>
          // kernel.ein:38:14: Q[k,p] + face{0}[k,l] * I[l,q] * AplusT[q,p] + face{1}[k,l] * I[l,q] * AplusT[q,p] + face{2}[k,l] * I[l,q] * AplusT[q,p] + face{3}[k,l] * I[l,q] * AplusT[q,p]
          product_c310fbfc514c_avx2(tmp0, face_0, I_1);
          // gemm.n.n 1.0, %face_1, %I, 1.0, %tmp0 : f64, memref<f64x4x4>, memref<f64x4x9>, f64, memref<f64x4x9>
          // kernel.ein:38:14: Q[k,p] + face{0}[k,l] * I[l,q] * AplusT[q,p] + face{1}[k,l] * I[l,q] * AplusT[q,p] + face{2}[k,l] * I[l,q] * AplusT[q,p] + face{3}[k,l] * I[l,q] * AplusT[q,p]
          product_b5d3adce9692_avx2(tmp0, face_1, I_1);
          // gemm.n.n 1.0, %face_2, %I, 1.0, %tmp0 : f64, memref<f64x4x4>, memref<f64x4x9>, f64, memref<f64x4x9>
          // kernel.ein:38:14: Q[k,p] + face{0}[k,l] * I[l,q] * AplusT[q,p] + face{1}[k,l] * I[l,q] * AplusT[q,p] + face{2}[k,l] * I[l,q] * AplusT[q,p] + face{3}[k,l] * I[l,q] * AplusT[q,p]
          product_b5d3adce9692_avx2(tmp0, face_2, I_1);
          // gemm.n.n 1.0, %face_3, %I, 1.0, %tmp0 : f64, memref<f64x4x4>, memref<f64x4x9>, f64, memref<f64x4x9>
          // kernel.ein:38:14: Q[k,p] + face{0}[k,l] * I[l,q] * AplusT[q,p] + face{1}[k,l] * I[l,q] * AplusT[q,p] + face{2}[k,l] * I[l,q] * AplusT[q,p] + face{3}[k,l] * I[l,q] * AplusT[q,p]
          product_b5d3adce9692_avx2(tmp0, face_3, I_1);
          // gemm.n.n 1.0, %tmp0, %AplusT, 1.0, %Q : f64, memref<f64x4x9>, memref<f64x9x9>, f64, memref<f64x4x9>
          // kernel.ein:38:14: Q[k,p] + face{0}[k,l] * I[l,q] * AplusT[q,p] + face{1}[k,l] * I[l,q] * AplusT[q,p] + face{2}[k,l] * I[l,q] * AplusT[q,p] + face{3}[k,l] * I[l,q] * AplusT[q,p]
          product_7e21278dbefe_avx2(Q, tmp0, AplusT);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_localFluxAll
    void localFluxAll(double* Q_, double const* I_, double const* face_0_, double const* face_1_, double const* face_2_, double const* face_3_, double const* AplusT_) {
      of_localFluxAll::localFluxAll_avx2(0, 1, Q_, I_, face_0_, face_1_, face_2_, face_3_, AplusT_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_derivative {
      // schedule `work_group`: one element a call
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

      static inline void transpose_f64x4_avx2(f64x4 *rows)
      {
          f64x4 row0_1 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 2, 6);
          rows[1] = __builtin_shufflevector(rows[0], rows[1], 1, 5, 3, 7);
          rows[0] = row0_1;
          f64x4 row2_1 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 2, 6);
          rows[3] = __builtin_shufflevector(rows[2], rows[3], 1, 5, 3, 7);
          rows[2] = row2_1;
          f64x4 row0_2 = __builtin_shufflevector(rows[0], rows[2], 0, 1, 4, 5);
          rows[2] = __builtin_shufflevector(rows[0], rows[2], 2, 3, 6, 7);
          rows[0] = row0_2;
          f64x4 row1_2 = __builtin_shufflevector(rows[1], rows[3], 0, 1, 4, 5);
          rows[3] = __builtin_shufflevector(rows[1], rows[3], 2, 3, 6, 7);
          rows[1] = row1_2;
      }

      static void derivative_avx2(
          int64_t group,
          int64_t groups,
          double *restrict I_1,
          const double *restrict star_0,
          const double *restrict star_1,
          const double *restrict star_2,
          const double *restrict dQ_0,
          double *restrict dQ_1,
          const double *restrict kDivMT_0,
          const double *restrict kDivMT_1,
          const double *restrict kDivMT_2,
          double power_0,
          double power_1)
      {
          // axpby.n %power_0, %dQ_0_fused, 0.0, %I_fused : f64, memref<f64x36>, f64, memref<f64x36>
          // kernel.ein:8:8: dQ
          for (int32_t k_p = 0; k_p < 36; ++k_p) {
              I_1[k_p] = power_0 * dQ_0[k_p];
          }
          // %tmp0 = alloca -> memref<f64x9x1>
          // kernel.ein:43:5: dQ{1}[k,p] = kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p] + kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p] + kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
          double tmp0[9] __attribute__((aligned(32)));
          // %view = subview %dQ_0[1:1, 0:9] : memref<f64x4x9>
          // kernel.ein:43:18: kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p]
          const double *view = dQ_0 + 1;
          // gemm.t.t 1.0, %view, %kDivMT_0, 0.0, %tmp0 : f64, memref<f64x1x9,strided<1,4>>, memref<f64x1x1>, f64, memref<f64x9x1>
          // kernel.ein:43:18: kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p]
          {
              double panel[12] __attribute__((aligned(32)));
              {
                  panel[0] = view[0];
                  panel[1] = view[4];
                  panel[2] = view[8];
                  panel[3] = view[12];
                  panel[4] = view[16];
                  panel[5] = view[20];
                  panel[6] = view[24];
                  panel[7] = view[28];
                  panel[8] = view[20];
                  panel[9] = view[24];
                  panel[10] = view[28];
                  panel[11] = view[32];
              }
              {
                  f64x4 sum[3];
                  sum[0] = (f64x4){0};
                  sum[1] = (f64x4){0};
                  sum[2] = (f64x4){0};
                  UNROLLED
                  for (int32_t l = 0; l < 1; ++l) {
                      f64x4 a0 = *(f64x4_u *)(panel + 12 * l);
                      f64x4 a1 = *(f64x4_u *)(panel + (4 + 12 * l));
                      f64x4 a2 = *(f64x4_u *)(panel + (8 + 12 * l));
                      double b0 = kDivMT_0[l];
                      sum[0] += a0 * b0;
                      sum[1] += a1 * b0;
                      sum[2] += a2 * b0;
                  }
                  *(f64x4_u *)tmp0 = sum[0];
                  *(f64x4_u *)(tmp0 + 4) = sum[1];
                  *(f64x4_u *)(tmp0 + 5) = sum[2];
              }
          }
          // %view1 = subview %dQ_1[1:3, 0:9] : memref<f64x4x9>
          // kernel.ein:43:5: dQ{1}[k,p] = kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p] + kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p] + kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
          double *view1 = dQ_1 + 1;
          // %value = cast 0.0 : f64 -> f64
          // kernel.ein:43:5: dQ{1}[k,p] = kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p] + kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p] + kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
          double value = 0.0;
          // for %i1 = 0, 9 {
          // kernel.ein:43:5: dQ{1}[k,p] = kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p] + kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p] + kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
          for (int64_t i1 = 0; i1 < 9; ++i1) {
              // foreach %i0 = 0, 3 {
              // kernel.ein:43:5: dQ{1}[k,p] = kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p] + kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p] + kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
              for (int64_t i0 = 0; i0 < 2; i0 += 2) {
                  // store %value, %view1[%i0, %i1] : memref<f64x3x9,strided<1,4>>
                  // kernel.ein:43:5: dQ{1}[k,p] = kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p] + kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p] + kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
                  *(f64x2_u *)(view1 + (i0 + 4 * i1)) = value - (f64x2){0};
              }
              {
                  // store %value, %view1[%i0, %i1] : memref<f64x3x9,strided<1,4>>
                  // kernel.ein:43:5: dQ{1}[k,p] = kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p] + kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p] + kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
                  *(f64x2_u *)(view1 + (1 + 4 * i1)) = value - (f64x2){0};
              }
          }
          // gemm.t.n 1.0, %tmp0, %star_0, 0.0, %view2 : f64, memref<f64x9x1>, memref<f64x9x9>, f64, memref<f64x1x9,strided<1,4>>
          // kernel.ein:43:18: kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p]
          for (int32_t p = 0; p < 9; p += 3) {
              double sum[3];
              UNROLLED
              for (int32_t pp = 0; pp < 3; ++pp) {  // p
                  sum[pp] = 0.0;
              }
              for (int32_t q = 0; q < 9; ++q) {
                  UNROLLED
                  for (int32_t pp = 0; pp < 3; ++pp) {  // p
                      sum[pp] += tmp0[q] * star_0[q + 9 * (p + pp)];
                  }
              }
              UNROLLED
              for (int32_t pp = 0; pp < 3; ++pp) {  // p
                  dQ_1[4 * (p + pp)] = sum[pp];
              }
          }
          // %tmp1 = alloca -> memref<f64x9x1>
          // kernel.ein:43:5: dQ{1}[k,p] = kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p] + kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p] + kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
          double tmp1[9] __attribute__((aligned(32)));
          // %view3 = subview %dQ_0[1:2, 0:9] : memref<f64x4x9>
          // kernel.ein:43:63: kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p]
          const double *view3 = dQ_0 + 1;
          // gemm.t.t 1.0, %view3, %kDivMT_1, 0.0, %tmp1 : f64, memref<f64x2x9,strided<1,4>>, memref<f64x1x2>, f64, memref<f64x9x1>
          // kernel.ein:43:63: kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p]
          {
              double panel[24] __attribute__((aligned(32)));
              for (int32_t l = 0; l < 2; ++l) {
                  panel[12 * l] = view3[l];
                  panel[1 + 12 * l] = view3[l + 4];
                  panel[2 + 12 * l] = view3[l + 8];
                  panel[3 + 12 * l] = view3[l + 12];
                  panel[4 + 12 * l] = view3[l + 16];
                  panel[5 + 12 * l] = view3[l + 20];
                  panel[6 + 12 * l] = view3[l + 24];
                  panel[7 + 12 * l] = view3[l + 28];
                  panel[8 + 12 * l] = view3[l + 20];
                  panel[9 + 12 * l] = view3[l + 24];
                  panel[10 + 12 * l] = view3[l + 28];
                  panel[11 + 12 * l] = view3[l + 32];
              }
              {
                  f64x4 sum[3];
                  sum[0] = (f64x4){0};
                  sum[1] = (f64x4){0};
                  sum[2] = (f64x4){0};
                  UNROLLED
                  for (int32_t l = 0; l < 2; ++l) {
                      f64x4 a0 = *(f64x4_u *)(panel + 12 * l);
                      f64x4 a1 = *(f64x4_u *)(panel + (4 + 12 * l));
                      f64x4 a2 = *(f64x4_u *)(panel + (8 + 12 * l));
                      double b0 = kDivMT_1[l];
                      sum[0] += a0 * b0;
                      sum[1] += a1 * b0;
                      sum[2] += a2 * b0;
                  }
                  *(f64x4_u *)tmp1 = sum[0];
                  *(f64x4_u *)(tmp1 + 4) = sum[1];
                  *(f64x4_u *)(tmp1 + 5) = sum[2];
              }
          }
          // gemm.t.n 1.0, %tmp1, %star_1, 1.0, %view2 : f64, memref<f64x9x1>, memref<f64x9x9>, f64, memref<f64x1x9,strided<1,4>>
          // kernel.ein:43:63: kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p]
          for (int32_t p = 0; p < 9; p += 3) {
              double sum[3];
              UNROLLED
              for (int32_t pp = 0; pp < 3; ++pp) {  // p
                  sum[pp] = 0.0;
              }
              for (int32_t q = 0; q < 9; ++q) {
                  UNROLLED
                  for (int32_t pp = 0; pp < 3; ++pp) {  // p
                      sum[pp] += tmp1[q] * star_1[q + 9 * (p + pp)];
                  }
              }
              UNROLLED
              for (int32_t pp = 0; pp < 3; ++pp) {  // p
                  dQ_1[4 * (p + pp)] = dQ_1[4 * (p + pp)] + sum[pp];
              }
          }
          // %tmp2 = alloca -> memref<f64x9x1>
          // kernel.ein:43:5: dQ{1}[k,p] = kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p] + kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p] + kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
          double tmp2[9] __attribute__((aligned(32)));
          // %view4 = subview %dQ_0[1:3, 0:9] : memref<f64x4x9>
          // kernel.ein:43:108: kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
          const double *view4 = dQ_0 + 1;
          // gemm.t.t 1.0, %view4, %kDivMT_2, 0.0, %tmp2 : f64, memref<f64x3x9,strided<1,4>>, memref<f64x1x3>, f64, memref<f64x9x1>
          // kernel.ein:43:108: kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
          {
              double panel[36] __attribute__((aligned(32)));
              for (int32_t l = 0; l < 3; ++l) {
                  panel[12 * l] = view4[l];
                  panel[1 + 12 * l] = view4[l + 4];
                  panel[2 + 12 * l] = view4[l + 8];
                  panel[3 + 12 * l] = view4[l + 12];
                  panel[4 + 12 * l] = view4[l + 16];
                  panel[5 + 12 * l] = view4[l + 20];
                  panel[6 + 12 * l] = view4[l + 24];
                  panel[7 + 12 * l] = view4[l + 28];
                  panel[8 + 12 * l] = view4[l + 20];
                  panel[9 + 12 * l] = view4[l + 24];
                  panel[10 + 12 * l] = view4[l + 28];
                  panel[11 + 12 * l] = view4[l + 32];
              }
              {
                  f64x4 sum[3];
                  sum[0] = (f64x4){0};
                  sum[1] = (f64x4){0};
                  sum[2] = (f64x4){0};
                  UNROLLED
                  for (int32_t l = 0; l < 3; ++l) {
                      f64x4 a0 = *(f64x4_u *)(panel + 12 * l);
                      f64x4 a1 = *(f64x4_u *)(panel + (4 + 12 * l));
                      f64x4 a2 = *(f64x4_u *)(panel + (8 + 12 * l));
                      double b0 = kDivMT_2[l];
                      sum[0] += a0 * b0;
                      sum[1] += a1 * b0;
                      sum[2] += a2 * b0;
                  }
                  *(f64x4_u *)tmp2 = sum[0];
                  *(f64x4_u *)(tmp2 + 4) = sum[1];
                  *(f64x4_u *)(tmp2 + 5) = sum[2];
              }
          }
          // gemm.t.n 1.0, %tmp2, %star_2, 1.0, %view2 : f64, memref<f64x9x1>, memref<f64x9x9>, f64, memref<f64x1x9,strided<1,4>>
          // kernel.ein:43:108: kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
          for (int32_t p = 0; p < 9; p += 3) {
              double sum[3];
              UNROLLED
              for (int32_t pp = 0; pp < 3; ++pp) {  // p
                  sum[pp] = 0.0;
              }
              for (int32_t q = 0; q < 9; ++q) {
                  UNROLLED
                  for (int32_t pp = 0; pp < 3; ++pp) {  // p
                      sum[pp] += tmp2[q] * star_2[q + 9 * (p + pp)];
                  }
              }
              UNROLLED
              for (int32_t pp = 0; pp < 3; ++pp) {  // p
                  dQ_1[4 * (p + pp)] = dQ_1[4 * (p + pp)] + sum[pp];
              }
          }
          // axpby.n %power_1, %view2, 1.0, %view5 : f64, memref<f64x1x9,strided<1,4>>, f64, memref<f64x1x9,strided<1,4>>
          // kernel.ein:43:5: dQ{1}[k,p] = kDivMT{0}[k,l] * dQ{0}[l,q] * star{0}[q,p] + kDivMT{1}[k,l] * dQ{0}[l,q] * star{1}[q,p] + kDivMT{2}[k,l] * dQ{0}[l,q] * star{2}[q,p]
          for (int32_t p = 0; p < 9; ++p) {
              I_1[4 * p] = I_1[4 * p] + power_1 * dQ_1[4 * p];
          }
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_derivative
    void derivative(double* I_, double const* star_0_, double const* star_1_, double const* star_2_, double const* dQ_0_, double* dQ_1_, double const* kDivMT_0_, double const* kDivMT_1_, double const* kDivMT_2_, double power_0_, double power_1_) {
      of_derivative::derivative_avx2(0, 1, I_, star_0_, star_1_, star_2_, dQ_0_, dQ_1_, kDivMT_0_, kDivMT_1_, kDivMT_2_, power_0_, power_1_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_viscoelastic_attenuate {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif
      typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));
      typedef double f64x4 __attribute__((vector_size(32)));

      static void viscoelastic_attenuate_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict choose,
          double *restrict Qane,
          const double *restrict w,
          const double *restrict attenuation)
      {
          // %Qext = alloca -> memref<f64x4x15>
          // kernel.ein:10:6: Qext
          double Qext[60] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %view, %view1, 0.0, %Qext : f64, memref<f64x4x8>, memref<f64x8x15,strided<1,9>>, f64, memref<f64x4x15>
          // kernel.ein:48:17: Q[k,q] * choose[q,p]
          product_b22a3b5d4f57_avx2(Qext, Q, choose);
          // %view2 = subview %Qext[0:4, 9:6] : memref<f64x4x15>
          // kernel.ein:49:33: w[m] * Qext[k,p=9:15]
          double *view2 = Qext + 36;
          // ger 1.0, %view2_fused, %w, 1.0, %Qane_fused : f64, memref<f64x24>, memref<f64x2>, f64, memref<f64x24x2>
          // kernel.ein:49:33: w[m] * Qext[k,p=9:15]
          for (int32_t m = 0; m < 2; ++m) {
              for (int32_t k_p = 0; k_p < 24; ++k_p) {
                  Qane[k_p + 24 * m] = Qane[k_p + 24 * m] + view2[k_p] * w[m];
              }
          }
          // %view3 = subview %Q[0:4, 8:1] : memref<f64x4x9>
          // kernel.ein:50:5: Q[k,p] = Qext[k,p=0:9] - Qane[k,q,m] * attenuation[q,m,p]
          double *view3 = Q + 32;
          // %value = cast 0.0 : f64 -> f64
          // kernel.ein:50:5: Q[k,p] = Qext[k,p=0:9] - Qane[k,q,m] * attenuation[q,m,p]
          double value = 0.0;
          // foreach %i0 = 0, 4 {
          // kernel.ein:50:5: Q[k,p] = Qext[k,p=0:9] - Qane[k,q,m] * attenuation[q,m,p]
          for (int64_t i0 = 0; i0 < 4; i0 += 4) {
              // store %value, %view3_fused[%i0] : memref<f64x4>
              // kernel.ein:50:5: Q[k,p] = Qext[k,p=0:9] - Qane[k,q,m] * attenuation[q,m,p]
              *(f64x4_u *)(view3 + i0) = value - (f64x4){0};
          }
          // axpby.n 1.0, %view4_fused, 0.0, %view_fused : f64, memref<f64x32>, f64, memref<f64x32>
          // kernel.ein:50:14: Qext[k,p=0:9]
          for (int32_t k_p = 0; k_p < 32; ++k_p) {
              Q[k_p] = Qext[k_p];
          }
          // gemm.n.n -1.0, %Qane_fused_1, %attenuation_fused, 1.0, %view5
          // kernel.ein:50:30: Qane[k,q,m] * attenuation[q,m,p]
          product_3a7a71f49ad3_avx2(Q, Qane, attenuation);
          // axpby.n -0.5, %view6_fused, 0.0, %view3_fused_1 : f64, memref<f64x4>, f64, memref<f64x4>
          // kernel.ein:51:25: Q[k,p=0:1]
          for (int32_t k_p = 0; k_p < 4; ++k_p) {
              view3[k_p] = -0.5 * Q[k_p];
          }
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_viscoelastic_attenuate
    void viscoelastic_attenuate(double* Q_, double const* choose_, double* Qane_, double const* w_, double const* attenuation_) {
      of_viscoelastic_attenuate::viscoelastic_attenuate_avx2(0, 1, Q_, choose_, Qane_, w_, attenuation_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_output_evaluate {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void output_evaluate_avx2(
          int64_t group,
          int64_t groups,
          const double *restrict Q,
          double *restrict atPoints,
          const double *restrict scale,
          const double *restrict evalAtPoints)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:55:5: atPoints[i,p] = scale[] * evalAtPoints[i,k] * Q[k,p]
          double tmp0[12] __attribute__((aligned(32)));
          // %scale_entry = load %scale[] : memref<f64>
          // kernel.ein:55:21: scale[] * evalAtPoints[i,k] * Q[k,p]
          double scale_entry = scale[0];
          // axpby.n %scale_entry, %evalAtPoints, 0.0, %tmp0 : f64, memref<f64x3x4,strided<1,4>>, f64, memref<f64x3x4>
          // kernel.ein:55:21: scale[] * evalAtPoints[i,k] * Q[k,p]
          for (int32_t k = 0; k < 4; ++k) {
              for (int32_t i = 0; i < 3; ++i) {
                  tmp0[i + 3 * k] = scale_entry * evalAtPoints[i + 4 * k];
              }
          }
          // gemm.n.n 1.0, %tmp0, %Q, 0.0, %atPoints : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9,strided<1,4>>
          // kernel.ein:55:21: scale[] * evalAtPoints[i,k] * Q[k,p]
          product_034c666c7618_avx2(atPoints, tmp0, Q);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_output_evaluate
    void output_evaluate(double const* Q_, double* atPoints_, double const* scale_, double const* evalAtPoints_) {
      of_output_evaluate::output_evaluate_avx2(0, 1, Q_, atPoints_, scale_, evalAtPoints_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_output_flatten {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif
      typedef double f64x4 __attribute__((vector_size(32)));
      typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));
      typedef double f64x2 __attribute__((vector_size(16)));
      typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));

      static inline void transpose_f64x4_avx2(f64x4 *rows)
      {
          f64x4 row0_1 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 2, 6);
          rows[1] = __builtin_shufflevector(rows[0], rows[1], 1, 5, 3, 7);
          rows[0] = row0_1;
          f64x4 row2_1 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 2, 6);
          rows[3] = __builtin_shufflevector(rows[2], rows[3], 1, 5, 3, 7);
          rows[2] = row2_1;
          f64x4 row0_2 = __builtin_shufflevector(rows[0], rows[2], 0, 1, 4, 5);
          rows[2] = __builtin_shufflevector(rows[0], rows[2], 2, 3, 6, 7);
          rows[0] = row0_2;
          f64x4 row1_2 = __builtin_shufflevector(rows[1], rows[3], 0, 1, 4, 5);
          rows[3] = __builtin_shufflevector(rows[1], rows[3], 2, 3, 6, 7);
          rows[1] = row1_2;
      }

      static void output_flatten_avx2(
          int64_t group,
          int64_t groups,
          const double *restrict Q,
          double *restrict atPoints,
          const double *restrict mean)
      {
          // %tmp0 = alloca -> memref<f64x9>
          // kernel.ein:59:5: atPoints[i,p] = (mean[k] * Q[k,p]) * 1[i]
          double tmp0[9] __attribute__((aligned(32)));
          // gemv.t 1.0, %Q, %mean, 0.0, %tmp0 : f64, memref<f64x4x9>, memref<f64x4>, f64, memref<f64x9>
          // kernel.ein:59:22: mean[k] * Q[k,p]
          {
              double panel[48] __attribute__((aligned(32)));
              {
                  f64x4 lines[4];
                  lines[0] = *(const f64x4_u *)Q;
                  lines[1] = *(const f64x4_u *)(Q + 4);
                  lines[2] = *(const f64x4_u *)(Q + 8);
                  lines[3] = *(const f64x4_u *)(Q + 12);
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)panel = lines[0];
                  *(f64x4_u *)(panel + 12) = lines[1];
                  *(f64x4_u *)(panel + 24) = lines[2];
                  *(f64x4_u *)(panel + 36) = lines[3];
                  lines[0] = *(const f64x4_u *)(Q + 16);
                  lines[1] = *(const f64x4_u *)(Q + 20);
                  lines[2] = *(const f64x4_u *)(Q + 24);
                  lines[3] = *(const f64x4_u *)(Q + 28);
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + 4) = lines[0];
                  *(f64x4_u *)(panel + 16) = lines[1];
                  *(f64x4_u *)(panel + 28) = lines[2];
                  *(f64x4_u *)(panel + 40) = lines[3];
                  lines[0] = *(const f64x4_u *)(Q + 20);
                  lines[1] = *(const f64x4_u *)(Q + 24);
                  lines[2] = *(const f64x4_u *)(Q + 28);
                  lines[3] = *(const f64x4_u *)(Q + 32);
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + 8) = lines[0];
                  *(f64x4_u *)(panel + 20) = lines[1];
                  *(f64x4_u *)(panel + 32) = lines[2];
                  *(f64x4_u *)(panel + 44) = lines[3];
              }
              {
                  f64x4 sum[3];
                  sum[0] = (f64x4){0};
                  sum[1] = (f64x4){0};
                  sum[2] = (f64x4){0};
                  UNROLLED
                  for (int32_t k = 0; k < 4; ++k) {
                      f64x4 a0 = *(f64x4_u *)(panel + 12 * k);
                      f64x4 a1 = *(f64x4_u *)(panel + (4 + 12 * k));
                      f64x4 a2 = *(f64x4_u *)(panel + (8 + 12 * k));
                      double b0 = mean[k];
                      sum[0] += a0 * b0;
                      sum[1] += a1 * b0;
                      sum[2] += a2 * b0;
                  }
                  *(f64x4_u *)tmp0 = sum[0];
                  *(f64x4_u *)(tmp0 + 4) = sum[1];
                  *(f64x4_u *)(tmp0 + 5) = sum[2];
              }
          }
          // for %p = 0, 9 {
          // kernel.ein:59:5: atPoints[i,p] = (mean[k] * Q[k,p]) * 1[i]
          for (int64_t p = 0; p < 9; ++p) {
              // foreach %i = 0, 3 {
              // kernel.ein:59:5: atPoints[i,p] = (mean[k] * Q[k,p]) * 1[i]
              for (int64_t i = 0; i < 2; i += 2) {
                  // %tmp0_entry = load %tmp0[%p] : memref<f64x9>
                  // kernel.ein:59:5: atPoints[i,p] = (mean[k] * Q[k,p]) * 1[i]
                  f64x2 tmp0_entry = tmp0[p] - (f64x2){0};
                  // store %tmp0_entry, %atPoints[%i, %p] : memref<f64x3x9,strided<1,4>>
                  // kernel.ein:59:5: atPoints[i,p] = (mean[k] * Q[k,p]) * 1[i]
                  *(f64x2_u *)(atPoints + (i + 4 * p)) = tmp0_entry;
              }
              {
                  // %tmp0_entry = load %tmp0[%p] : memref<f64x9>
                  // kernel.ein:59:5: atPoints[i,p] = (mean[k] * Q[k,p]) * 1[i]
                  f64x2 tmp0_entry = tmp0[p] - (f64x2){0};
                  // store %tmp0_entry, %atPoints[%i, %p] : memref<f64x3x9,strided<1,4>>
                  // kernel.ein:59:5: atPoints[i,p] = (mean[k] * Q[k,p]) * 1[i]
                  *(f64x2_u *)(atPoints + (1 + 4 * p)) = tmp0_entry;
              }
          }
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_output_flatten
    void output_flatten(double const* Q_, double* atPoints_, double const* mean_) {
      of_output_flatten::output_flatten_avx2(0, 1, Q_, atPoints_, mean_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_output_sum {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif
      typedef double f64x4 __attribute__((vector_size(32)));
      typedef double f64x4_u __attribute__((vector_size(32), aligned(8)));
      typedef double f64x2 __attribute__((vector_size(16)));
      typedef double f64x2_u __attribute__((vector_size(16), aligned(8)));

      static inline void transpose_f64x4_avx2(f64x4 *rows)
      {
          f64x4 row0_1 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 2, 6);
          rows[1] = __builtin_shufflevector(rows[0], rows[1], 1, 5, 3, 7);
          rows[0] = row0_1;
          f64x4 row2_1 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 2, 6);
          rows[3] = __builtin_shufflevector(rows[2], rows[3], 1, 5, 3, 7);
          rows[2] = row2_1;
          f64x4 row0_2 = __builtin_shufflevector(rows[0], rows[2], 0, 1, 4, 5);
          rows[2] = __builtin_shufflevector(rows[0], rows[2], 2, 3, 6, 7);
          rows[0] = row0_2;
          f64x4 row1_2 = __builtin_shufflevector(rows[1], rows[3], 0, 1, 4, 5);
          rows[3] = __builtin_shufflevector(rows[1], rows[3], 2, 3, 6, 7);
          rows[1] = row1_2;
      }

      static void output_sum_avx2(
          int64_t group,
          int64_t groups,
          const double *restrict Q,
          const double *restrict atPoints,
          const double *restrict mean,
          double *restrict total,
          const double *restrict weights,
          const double *restrict unit)
      {
          // %tmp0 = alloca -> memref<f64x3x9>
          // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
          double tmp0[27] __attribute__((aligned(32)));
          // axpby.n 1.0, %atPoints, 0.0, %tmp0 : f64, memref<f64x3x9,strided<1,4>>, f64, memref<f64x3x9>
          // kernel.ein:15:8: atPoints
          for (int32_t p = 0; p < 9; ++p) {
              for (int32_t i = 0; i < 3; ++i) {
                  tmp0[i + 3 * p] = atPoints[i + 4 * p];
              }
          }
          // %tmp1 = alloca -> memref<f64x9>
          // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
          double tmp1[9] __attribute__((aligned(32)));
          // gemv.t 1.0, %Q, %mean, 0.0, %tmp1 : f64, memref<f64x4x9>, memref<f64x4>, f64, memref<f64x9>
          // kernel.ein:63:45: mean[k] * Q[k,p]
          {
              double panel[48] __attribute__((aligned(32)));
              {
                  f64x4 lines[4];
                  lines[0] = *(const f64x4_u *)Q;
                  lines[1] = *(const f64x4_u *)(Q + 4);
                  lines[2] = *(const f64x4_u *)(Q + 8);
                  lines[3] = *(const f64x4_u *)(Q + 12);
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)panel = lines[0];
                  *(f64x4_u *)(panel + 12) = lines[1];
                  *(f64x4_u *)(panel + 24) = lines[2];
                  *(f64x4_u *)(panel + 36) = lines[3];
                  lines[0] = *(const f64x4_u *)(Q + 16);
                  lines[1] = *(const f64x4_u *)(Q + 20);
                  lines[2] = *(const f64x4_u *)(Q + 24);
                  lines[3] = *(const f64x4_u *)(Q + 28);
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + 4) = lines[0];
                  *(f64x4_u *)(panel + 16) = lines[1];
                  *(f64x4_u *)(panel + 28) = lines[2];
                  *(f64x4_u *)(panel + 40) = lines[3];
                  lines[0] = *(const f64x4_u *)(Q + 20);
                  lines[1] = *(const f64x4_u *)(Q + 24);
                  lines[2] = *(const f64x4_u *)(Q + 28);
                  lines[3] = *(const f64x4_u *)(Q + 32);
                  transpose_f64x4_avx2(lines);
                  *(f64x4_u *)(panel + 8) = lines[0];
                  *(f64x4_u *)(panel + 20) = lines[1];
                  *(f64x4_u *)(panel + 32) = lines[2];
                  *(f64x4_u *)(panel + 44) = lines[3];
              }
              {
                  f64x4 sum[3];
                  sum[0] = (f64x4){0};
                  sum[1] = (f64x4){0};
                  sum[2] = (f64x4){0};
                  UNROLLED
                  for (int32_t k = 0; k < 4; ++k) {
                      f64x4 a0 = *(f64x4_u *)(panel + 12 * k);
                      f64x4 a1 = *(f64x4_u *)(panel + (4 + 12 * k));
                      f64x4 a2 = *(f64x4_u *)(panel + (8 + 12 * k));
                      double b0 = mean[k];
                      sum[0] += a0 * b0;
                      sum[1] += a1 * b0;
                      sum[2] += a2 * b0;
                  }
                  *(f64x4_u *)tmp1 = sum[0];
                  *(f64x4_u *)(tmp1 + 4) = sum[1];
                  *(f64x4_u *)(tmp1 + 5) = sum[2];
              }
          }
          // for %p = 0, 9 {
          // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
          for (int64_t p = 0; p < 9; ++p) {
              // foreach %i = 0, 3 {
              // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
              for (int64_t i = 0; i < 2; i += 2) {
                  // %tmp1_entry = load %tmp1[%p] : memref<f64x9>
                  // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
                  f64x2 tmp1_entry = tmp1[p] - (f64x2){0};
                  // %tmp0_entry = load %tmp0[%i, %p] : memref<f64x3x9>
                  // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
                  f64x2 tmp0_entry = *(f64x2_u *)(tmp0 + (i + 3 * p));
                  // %updated = arith.add %tmp1_entry, %tmp0_entry : f64
                  // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
                  f64x2 updated = tmp1_entry + tmp0_entry;
                  // store %updated, %tmp0[%i, %p] : memref<f64x3x9>
                  // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
                  *(f64x2_u *)(tmp0 + (i + 3 * p)) = updated;
              }
              {
                  // %tmp1_entry = load %tmp1[%p] : memref<f64x9>
                  // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
                  double tmp1_entry = tmp1[p];
                  // %tmp0_entry = load %tmp0[%i, %p] : memref<f64x3x9>
                  // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
                  double tmp0_entry = tmp0[2 + 3 * p];
                  // %updated = arith.add %tmp1_entry, %tmp0_entry : f64
                  // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
                  double updated = tmp1_entry + tmp0_entry;
                  // store %updated, %tmp0[%i, %p] : memref<f64x3x9>
                  // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
                  tmp0[2 + 3 * p] = updated;
              }
          }
          // %tmp2 = alloca -> memref<f64x3>
          // kernel.ein:63:5: total[] = weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
          double tmp2[3] __attribute__((aligned(32)));
          // gemv.n 1.0, %tmp0, %unit, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9>, f64, memref<f64x3>
          // kernel.ein:63:15: weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
          product_13ea4ce5e41a_avx2(tmp2, tmp0, unit);
          // %products = alloca -> memref<f64x3>
          // kernel.ein:63:15: weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
          double products[3] __attribute__((aligned(32)));
          // hadamard_product 1.0, %weights, %tmp2, 0.0, %products : f64, memref<f64x3>, memref<f64x3>, f64, memref<f64x3>
          // kernel.ein:63:15: weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
          for (int32_t i = 0; i < 3; ++i) {
              products[i] = weights[i] * tmp2[i];
          }
          // sum.n 1.0, %products, 0.0, %total : f64, memref<f64x3>, f64, memref<f64>
          // kernel.ein:63:15: weights[i] * (atPoints[i,p] + mean[k] * Q[k,p]) * unit[p]
          {
              double sum = 0.0;
              for (int32_t i_1 = 0; i_1 < 3; ++i_1) {  // i
                  sum += products[i_1];
              }
              total[0] = sum;
          }
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_output_sum
    void output_sum(double const* Q_, double const* atPoints_, double const* mean_, double* total_, double const* weights_, double const* unit_) {
      of_output_sum::output_sum_avx2(0, 1, Q_, atPoints_, mean_, total_, weights_, unit_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_localFlux_0 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void localFlux_0_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict AplusT,
          const double *restrict rDivM_0,
          const double *restrict fMrT_0,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x9>
          // kernel.ein:67:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fMrT{0}[m,l] * I[l,q] * AplusT[q,p]
          double tmp0[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fMrT_0, %I, 0.0, %tmp0 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:67:23: rDivM{0}[k,m] * fMrT{0}[m,l] * I[l,q] * AplusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_d7636d8ecee6_avx2(tmp0, fMrT_0, I_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:67:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fMrT{0}[m,l] * I[l,q] * AplusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %AplusT, 0.0, %tmp1 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:67:23: rDivM{0}[k,m] * fMrT{0}[m,l] * I[l,q] * AplusT[q,p]
          product_7b00605510c9_avx2(tmp1, tmp0, AplusT);
          // gemm.n.n 1.0, %rDivM_0, %tmp1, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:67:23: rDivM{0}[k,m] * fMrT{0}[m,l] * I[l,q] * AplusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_0, tmp1);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_localFlux_0
    void localFlux_0(double* Q_, double const* I_, double const* AplusT_, double const* rDivM_0_, double const* fMrT_0_, double const* prefetch_I_) {
      of_localFlux_0::localFlux_0_avx2(0, 1, Q_, I_, AplusT_, rDivM_0_, fMrT_0_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_localFlux_1 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void localFlux_1_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict AplusT,
          const double *restrict rDivM_1,
          const double *restrict fMrT_1,
          const double *restrict prefetch_Q)
      {
          // %tmp0 = alloca -> memref<f64x3x9>
          // kernel.ein:71:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fMrT{1}[m,l] * I[l,q] * AplusT[q,p]
          double tmp0[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fMrT_1, %I, 0.0, %tmp0 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:71:23: rDivM{1}[k,m] * fMrT{1}[m,l] * I[l,q] * AplusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_Q + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_Q + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_Q + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_Q + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_Q + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_Q + 287), 0, 2);
          product_d7636d8ecee6_avx2(tmp0, fMrT_1, I_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:71:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fMrT{1}[m,l] * I[l,q] * AplusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %AplusT, 0.0, %tmp1 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:71:23: rDivM{1}[k,m] * fMrT{1}[m,l] * I[l,q] * AplusT[q,p]
          product_7b00605510c9_avx2(tmp1, tmp0, AplusT);
          // gemm.n.n 1.0, %rDivM_1, %tmp1, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:71:23: rDivM{1}[k,m] * fMrT{1}[m,l] * I[l,q] * AplusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_1, tmp1);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_localFlux_1
    void localFlux_1(double* Q_, double const* I_, double const* AplusT_, double const* rDivM_1_, double const* fMrT_1_, double const* prefetch_Q_) {
      of_localFlux_1::localFlux_1_avx2(0, 1, Q_, I_, AplusT_, rDivM_1_, fMrT_1_, prefetch_Q_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_localFlux_2 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void localFlux_2_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict AplusT,
          const double *restrict rDivM_2,
          const double *restrict fMrT_2)
      {
          // %tmp0 = alloca -> memref<f64x3x9>
          // kernel.ein:75:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fMrT{2}[m,l] * I[l,q] * AplusT[q,p]
          double tmp0[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fMrT_2, %I, 0.0, %tmp0 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:75:23: rDivM{2}[k,m] * fMrT{2}[m,l] * I[l,q] * AplusT[q,p]
          product_d7636d8ecee6_avx2(tmp0, fMrT_2, I_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:75:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fMrT{2}[m,l] * I[l,q] * AplusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %AplusT, 0.0, %tmp1 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:75:23: rDivM{2}[k,m] * fMrT{2}[m,l] * I[l,q] * AplusT[q,p]
          product_7b00605510c9_avx2(tmp1, tmp0, AplusT);
          // gemm.n.n 1.0, %rDivM_2, %tmp1, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:75:23: rDivM{2}[k,m] * fMrT{2}[m,l] * I[l,q] * AplusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_2, tmp1);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_localFlux_2
    void localFlux_2(double* Q_, double const* I_, double const* AplusT_, double const* rDivM_2_, double const* fMrT_2_) {
      of_localFlux_2::localFlux_2_avx2(0, 1, Q_, I_, AplusT_, rDivM_2_, fMrT_2_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_localFlux_3 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void localFlux_3_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict AplusT,
          const double *restrict rDivM_3,
          const double *restrict fMrT_3)
      {
          // %tmp0 = alloca -> memref<f64x3x9>
          // kernel.ein:79:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fMrT{3}[m,l] * I[l,q] * AplusT[q,p]
          double tmp0[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fMrT_3, %I, 0.0, %tmp0 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:79:23: rDivM{3}[k,m] * fMrT{3}[m,l] * I[l,q] * AplusT[q,p]
          product_d7636d8ecee6_avx2(tmp0, fMrT_3, I_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:79:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fMrT{3}[m,l] * I[l,q] * AplusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %AplusT, 0.0, %tmp1 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:79:23: rDivM{3}[k,m] * fMrT{3}[m,l] * I[l,q] * AplusT[q,p]
          product_7b00605510c9_avx2(tmp1, tmp0, AplusT);
          // gemm.n.n 1.0, %rDivM_3, %tmp1, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:79:23: rDivM{3}[k,m] * fMrT{3}[m,l] * I[l,q] * AplusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_3, tmp1);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_localFlux_3
    void localFlux_3(double* Q_, double const* I_, double const* AplusT_, double const* rDivM_3_, double const* fMrT_3_) {
      of_localFlux_3::localFlux_3_avx2(0, 1, Q_, I_, AplusT_, rDivM_3_, fMrT_3_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_0 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_0_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_0,
          const double *restrict fP_0,
          const double *restrict rT_0,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:99:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_0, %fP_0, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:99:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_0, fP_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:99:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:99:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:99:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:99:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:99:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_0
    void neighboringFlux_0(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_0_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_0::neighboringFlux_0_avx2(0, 1, Q_, I_, rDivM_0_, fP_0_, rT_0_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_1 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_1_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_0,
          const double *restrict fP_1,
          const double *restrict rT_0,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:103:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_0, %fP_1, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:103:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_0, fP_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:103:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:103:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:103:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:103:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:103:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_1
    void neighboringFlux_1(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_1_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_1::neighboringFlux_1_avx2(0, 1, Q_, I_, rDivM_0_, fP_1_, rT_0_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_2 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_2_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_0,
          const double *restrict fP_2,
          const double *restrict rT_0,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:107:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_0, %fP_2, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:107:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_0, fP_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:107:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:107:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:107:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:107:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:107:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_2
    void neighboringFlux_2(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_2_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_2::neighboringFlux_2_avx2(0, 1, Q_, I_, rDivM_0_, fP_2_, rT_0_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_3 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_3_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_0,
          const double *restrict fP_0,
          const double *restrict rT_1,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:111:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_0, %fP_0, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:111:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_0, fP_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:111:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_1, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:111:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_1, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:111:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:111:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:111:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_3
    void neighboringFlux_3(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_0_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_3::neighboringFlux_3_avx2(0, 1, Q_, I_, rDivM_0_, fP_0_, rT_1_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_4 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_4_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_0,
          const double *restrict fP_1,
          const double *restrict rT_1,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:115:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_0, %fP_1, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:115:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_0, fP_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:115:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_1, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:115:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_1, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:115:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:115:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:115:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_4
    void neighboringFlux_4(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_1_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_4::neighboringFlux_4_avx2(0, 1, Q_, I_, rDivM_0_, fP_1_, rT_1_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_5 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_5_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_0,
          const double *restrict fP_2,
          const double *restrict rT_1,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:119:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_0, %fP_2, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:119:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_0, fP_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:119:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_1, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:119:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_1, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:119:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:119:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:119:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_5
    void neighboringFlux_5(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_2_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_5::neighboringFlux_5_avx2(0, 1, Q_, I_, rDivM_0_, fP_2_, rT_1_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_6 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_6_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_0,
          const double *restrict fP_0,
          const double *restrict rT_2,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:123:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_0, %fP_0, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:123:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_0, fP_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:123:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_2, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:123:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_2, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:123:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:123:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:123:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_6
    void neighboringFlux_6(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_0_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_6::neighboringFlux_6_avx2(0, 1, Q_, I_, rDivM_0_, fP_0_, rT_2_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_7 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_7_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_0,
          const double *restrict fP_1,
          const double *restrict rT_2,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:127:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_0, %fP_1, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:127:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_0, fP_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:127:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_2, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:127:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_2, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:127:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:127:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:127:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_7
    void neighboringFlux_7(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_1_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_7::neighboringFlux_7_avx2(0, 1, Q_, I_, rDivM_0_, fP_1_, rT_2_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_8 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_8_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_0,
          const double *restrict fP_2,
          const double *restrict rT_2,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:131:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_0, %fP_2, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:131:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_0, fP_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:131:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_2, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:131:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_2, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:131:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:131:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:131:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_8
    void neighboringFlux_8(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_2_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_8::neighboringFlux_8_avx2(0, 1, Q_, I_, rDivM_0_, fP_2_, rT_2_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_9 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_9_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_0,
          const double *restrict fP_0,
          const double *restrict rT_3,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:135:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_0, %fP_0, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:135:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_0, fP_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:135:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_3, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:135:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_3, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:135:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:135:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:135:23: rDivM{0}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_9
    void neighboringFlux_9(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_0_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_9::neighboringFlux_9_avx2(0, 1, Q_, I_, rDivM_0_, fP_0_, rT_3_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_10 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_10_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_0,
          const double *restrict fP_1,
          const double *restrict rT_3,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:139:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_0, %fP_1, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:139:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_0, fP_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:139:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_3, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:139:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_3, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:139:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:139:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:139:23: rDivM{0}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_10
    void neighboringFlux_10(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_1_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_10::neighboringFlux_10_avx2(0, 1, Q_, I_, rDivM_0_, fP_1_, rT_3_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_11 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_11_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_0,
          const double *restrict fP_2,
          const double *restrict rT_3,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:143:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_0, %fP_2, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:143:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_0, fP_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:143:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_3, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:143:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_3, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:143:5: Q[k,p] = Q[k,p] + rDivM{0}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:143:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:143:23: rDivM{0}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_11
    void neighboringFlux_11(double* Q_, double const* I_, double const* rDivM_0_, double const* fP_2_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_11::neighboringFlux_11_avx2(0, 1, Q_, I_, rDivM_0_, fP_2_, rT_3_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_12 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_12_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_1,
          const double *restrict fP_0,
          const double *restrict rT_0,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:147:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_0, %rT_0, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:147:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_0, rT_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:147:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:147:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:147:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:147:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_1, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:147:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_1, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_12
    void neighboringFlux_12(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_0_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_12::neighboringFlux_12_avx2(0, 1, Q_, I_, rDivM_1_, fP_0_, rT_0_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_13 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_13_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_1,
          const double *restrict fP_1,
          const double *restrict rT_0,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:151:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_1, %fP_1, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:151:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_1, fP_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:151:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:151:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:151:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:151:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:151:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_13
    void neighboringFlux_13(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_1_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_13::neighboringFlux_13_avx2(0, 1, Q_, I_, rDivM_1_, fP_1_, rT_0_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_14 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_14_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_1,
          const double *restrict fP_2,
          const double *restrict rT_0,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:155:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_2, %rT_0, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:155:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_2, rT_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:155:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:155:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:155:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:155:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_1, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:155:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_1, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_14
    void neighboringFlux_14(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_2_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_14::neighboringFlux_14_avx2(0, 1, Q_, I_, rDivM_1_, fP_2_, rT_0_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_15 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_15_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_1,
          const double *restrict fP_0,
          const double *restrict rT_1,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:159:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_1, %fP_0, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:159:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_1, fP_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:159:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_1, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:159:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_1, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:159:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:159:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:159:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_15
    void neighboringFlux_15(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_0_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_15::neighboringFlux_15_avx2(0, 1, Q_, I_, rDivM_1_, fP_0_, rT_1_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_16 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_16_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_1,
          const double *restrict fP_1,
          const double *restrict rT_1,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:163:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_1, %fP_1, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:163:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_1, fP_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:163:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_1, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:163:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_1, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:163:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:163:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:163:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_16
    void neighboringFlux_16(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_1_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_16::neighboringFlux_16_avx2(0, 1, Q_, I_, rDivM_1_, fP_1_, rT_1_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_17 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_17_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_1,
          const double *restrict fP_2,
          const double *restrict rT_1,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:167:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_1, %fP_2, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:167:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_1, fP_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:167:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_1, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:167:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_1, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:167:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:167:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:167:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_17
    void neighboringFlux_17(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_2_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_17::neighboringFlux_17_avx2(0, 1, Q_, I_, rDivM_1_, fP_2_, rT_1_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_18 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_18_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_1,
          const double *restrict fP_0,
          const double *restrict rT_2,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:171:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_0, %rT_2, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:171:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_0, rT_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:171:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:171:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:171:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:171:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_1, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:171:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_1, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_18
    void neighboringFlux_18(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_0_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_18::neighboringFlux_18_avx2(0, 1, Q_, I_, rDivM_1_, fP_0_, rT_2_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_19 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_19_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_1,
          const double *restrict fP_1,
          const double *restrict rT_2,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:175:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_1, %fP_1, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:175:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_1, fP_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:175:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_2, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:175:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_2, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:175:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:175:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:175:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_19
    void neighboringFlux_19(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_1_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_19::neighboringFlux_19_avx2(0, 1, Q_, I_, rDivM_1_, fP_1_, rT_2_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_20 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_20_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_1,
          const double *restrict fP_2,
          const double *restrict rT_2,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:179:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_2, %rT_2, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:179:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_2, rT_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:179:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:179:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:179:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:179:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_1, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:179:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_1, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_20
    void neighboringFlux_20(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_2_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_20::neighboringFlux_20_avx2(0, 1, Q_, I_, rDivM_1_, fP_2_, rT_2_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_21 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_21_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_1,
          const double *restrict fP_0,
          const double *restrict rT_3,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:183:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_0, %rT_3, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:183:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_0, rT_3);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:183:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:183:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:183:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:183:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_1, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:183:23: rDivM{1}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_1, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_21
    void neighboringFlux_21(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_0_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_21::neighboringFlux_21_avx2(0, 1, Q_, I_, rDivM_1_, fP_0_, rT_3_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_22 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_22_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_1,
          const double *restrict fP_1,
          const double *restrict rT_3,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:187:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_1, %fP_1, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:187:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_1, fP_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:187:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_3, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:187:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_3, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:187:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:187:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:187:23: rDivM{1}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_22
    void neighboringFlux_22(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_1_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_22::neighboringFlux_22_avx2(0, 1, Q_, I_, rDivM_1_, fP_1_, rT_3_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_23 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_23_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_1,
          const double *restrict fP_2,
          const double *restrict rT_3,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:191:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_2, %rT_3, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:191:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_2, rT_3);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:191:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:191:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:191:5: Q[k,p] = Q[k,p] + rDivM{1}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:191:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_1, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:191:23: rDivM{1}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_1, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_23
    void neighboringFlux_23(double* Q_, double const* I_, double const* rDivM_1_, double const* fP_2_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_23::neighboringFlux_23_avx2(0, 1, Q_, I_, rDivM_1_, fP_2_, rT_3_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_24 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_24_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_2,
          const double *restrict fP_0,
          const double *restrict rT_0,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:195:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_0, %rT_0, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:195:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_0, rT_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:195:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:195:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:195:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:195:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_2, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:195:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_2, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_24
    void neighboringFlux_24(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_0_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_24::neighboringFlux_24_avx2(0, 1, Q_, I_, rDivM_2_, fP_0_, rT_0_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_25 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_25_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_2,
          const double *restrict fP_1,
          const double *restrict rT_0,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:199:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_1, %rT_0, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:199:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_1, rT_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:199:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:199:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:199:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:199:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_2, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:199:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_2, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_25
    void neighboringFlux_25(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_1_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_25::neighboringFlux_25_avx2(0, 1, Q_, I_, rDivM_2_, fP_1_, rT_0_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_26 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_26_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_2,
          const double *restrict fP_2,
          const double *restrict rT_0,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:203:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_2, %rT_0, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:203:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_2, rT_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:203:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:203:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:203:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:203:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_2, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:203:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_2, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_26
    void neighboringFlux_26(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_2_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_26::neighboringFlux_26_avx2(0, 1, Q_, I_, rDivM_2_, fP_2_, rT_0_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_27 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_27_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_2,
          const double *restrict fP_0,
          const double *restrict rT_1,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:207:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_2, %fP_0, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:207:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_2, fP_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:207:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_1, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:207:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_1, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:207:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:207:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:207:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_27
    void neighboringFlux_27(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_0_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_27::neighboringFlux_27_avx2(0, 1, Q_, I_, rDivM_2_, fP_0_, rT_1_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_28 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_28_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_2,
          const double *restrict fP_1,
          const double *restrict rT_1,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:211:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_1, %rT_1, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:211:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_1, rT_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:211:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:211:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:211:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:211:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_2, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:211:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_2, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_28
    void neighboringFlux_28(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_1_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_28::neighboringFlux_28_avx2(0, 1, Q_, I_, rDivM_2_, fP_1_, rT_1_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_29 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_29_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_2,
          const double *restrict fP_2,
          const double *restrict rT_1,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:215:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_2, %fP_2, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:215:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_2, fP_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:215:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_1, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:215:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_1, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:215:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:215:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:215:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_29
    void neighboringFlux_29(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_2_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_29::neighboringFlux_29_avx2(0, 1, Q_, I_, rDivM_2_, fP_2_, rT_1_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_30 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_30_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_2,
          const double *restrict fP_0,
          const double *restrict rT_2,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:219:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_2, %fP_0, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:219:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_2, fP_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:219:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_2, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:219:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_2, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:219:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:219:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:219:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_30
    void neighboringFlux_30(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_0_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_30::neighboringFlux_30_avx2(0, 1, Q_, I_, rDivM_2_, fP_0_, rT_2_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_31 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_31_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_2,
          const double *restrict fP_1,
          const double *restrict rT_2,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:223:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_2, %fP_1, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:223:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_2, fP_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:223:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_2, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:223:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_2, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:223:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:223:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:223:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_31
    void neighboringFlux_31(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_1_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_31::neighboringFlux_31_avx2(0, 1, Q_, I_, rDivM_2_, fP_1_, rT_2_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_32 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_32_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_2,
          const double *restrict fP_2,
          const double *restrict rT_2,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:227:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_2, %fP_2, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:227:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_2, fP_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:227:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_2, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:227:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_2, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:227:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:227:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:227:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_32
    void neighboringFlux_32(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_2_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_32::neighboringFlux_32_avx2(0, 1, Q_, I_, rDivM_2_, fP_2_, rT_2_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_33 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_33_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_2,
          const double *restrict fP_0,
          const double *restrict rT_3,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:231:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_2, %fP_0, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:231:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_2, fP_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:231:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_3, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:231:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_3, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:231:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:231:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:231:23: rDivM{2}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_33
    void neighboringFlux_33(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_0_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_33::neighboringFlux_33_avx2(0, 1, Q_, I_, rDivM_2_, fP_0_, rT_3_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_34 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_34_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_2,
          const double *restrict fP_1,
          const double *restrict rT_3,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:235:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_1, %rT_3, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:235:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_1, rT_3);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:235:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:235:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:235:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:235:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_2, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:235:23: rDivM{2}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_2, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_34
    void neighboringFlux_34(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_1_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_34::neighboringFlux_34_avx2(0, 1, Q_, I_, rDivM_2_, fP_1_, rT_3_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_35 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_35_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_2,
          const double *restrict fP_2,
          const double *restrict rT_3,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:239:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_2, %fP_2, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:239:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_2, fP_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:239:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_3, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:239:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_3, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:239:5: Q[k,p] = Q[k,p] + rDivM{2}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:239:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:239:23: rDivM{2}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_35
    void neighboringFlux_35(double* Q_, double const* I_, double const* rDivM_2_, double const* fP_2_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_35::neighboringFlux_35_avx2(0, 1, Q_, I_, rDivM_2_, fP_2_, rT_3_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_36 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_36_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_3,
          const double *restrict fP_0,
          const double *restrict rT_0,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:243:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_0, %rT_0, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:243:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_0, rT_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:243:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:243:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:243:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:243:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_3, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:243:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_3, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_36
    void neighboringFlux_36(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_0_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_36::neighboringFlux_36_avx2(0, 1, Q_, I_, rDivM_3_, fP_0_, rT_0_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_37 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_37_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_3,
          const double *restrict fP_1,
          const double *restrict rT_0,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:247:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_1, %rT_0, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:247:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_1, rT_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:247:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:247:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:247:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:247:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_3, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:247:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_3, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_37
    void neighboringFlux_37(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_1_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_37::neighboringFlux_37_avx2(0, 1, Q_, I_, rDivM_3_, fP_1_, rT_0_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_38 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_38_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_3,
          const double *restrict fP_2,
          const double *restrict rT_0,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:251:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_2, %rT_0, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:251:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_2, rT_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:251:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:251:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:251:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:251:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_3, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:251:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{0}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_3, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_38
    void neighboringFlux_38(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_2_, double const* rT_0_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_38::neighboringFlux_38_avx2(0, 1, Q_, I_, rDivM_3_, fP_2_, rT_0_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_39 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_39_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_3,
          const double *restrict fP_0,
          const double *restrict rT_1,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:255:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_3, %fP_0, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:255:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_3, fP_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:255:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_1, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:255:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_1, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:255:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:255:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:255:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_39
    void neighboringFlux_39(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_0_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_39::neighboringFlux_39_avx2(0, 1, Q_, I_, rDivM_3_, fP_0_, rT_1_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_40 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_40_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_3,
          const double *restrict fP_1,
          const double *restrict rT_1,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:259:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_1, %rT_1, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:259:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_1, rT_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:259:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:259:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:259:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:259:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_3, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:259:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_3, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_40
    void neighboringFlux_40(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_1_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_40::neighboringFlux_40_avx2(0, 1, Q_, I_, rDivM_3_, fP_1_, rT_1_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_41 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_41_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_3,
          const double *restrict fP_2,
          const double *restrict rT_1,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:263:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_3, %fP_2, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:263:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_3, fP_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:263:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_1, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:263:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_1, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:263:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:263:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:263:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{1}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_41
    void neighboringFlux_41(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_2_, double const* rT_1_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_41::neighboringFlux_41_avx2(0, 1, Q_, I_, rDivM_3_, fP_2_, rT_1_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_42 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_42_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_3,
          const double *restrict fP_0,
          const double *restrict rT_2,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:267:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_0, %rT_2, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:267:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_0, rT_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:267:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:267:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:267:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:267:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_3, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:267:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_3, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_42
    void neighboringFlux_42(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_0_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_42::neighboringFlux_42_avx2(0, 1, Q_, I_, rDivM_3_, fP_0_, rT_2_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_43 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_43_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_3,
          const double *restrict fP_1,
          const double *restrict rT_2,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:271:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_3, %fP_1, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:271:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_3, fP_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:271:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_2, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:271:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_2, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:271:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:271:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:271:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_43
    void neighboringFlux_43(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_1_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_43::neighboringFlux_43_avx2(0, 1, Q_, I_, rDivM_3_, fP_1_, rT_2_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_44 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_44_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_3,
          const double *restrict fP_2,
          const double *restrict rT_2,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x3x4>
          // kernel.ein:275:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %fP_2, %rT_2, 0.0, %tmp0 : f64, memref<f64x3x3>, memref<f64x3x4>, f64, memref<f64x3x4>
          // kernel.ein:275:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_3611b8f56736_avx2(tmp0, fP_2, rT_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:275:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp0, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:275:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_4ea2239545db_avx2(tmp1, tmp0, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:275:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:275:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %rDivM_3, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:275:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{2}[n,l] * I[l,q] * AminusT[q,p]
          product_3b91b2569422_avx2(Q, rDivM_3, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_44
    void neighboringFlux_44(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_2_, double const* rT_2_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_44::neighboringFlux_44_avx2(0, 1, Q_, I_, rDivM_3_, fP_2_, rT_2_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_45 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_45_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_3,
          const double *restrict fP_0,
          const double *restrict rT_3,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:279:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_3, %fP_0, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:279:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_3, fP_0);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:279:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_3, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:279:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_3, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:279:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:279:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:279:23: rDivM{3}[k,m] * fP{0}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_45
    void neighboringFlux_45(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_0_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_45::neighboringFlux_45_avx2(0, 1, Q_, I_, rDivM_3_, fP_0_, rT_3_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_46 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_46_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_3,
          const double *restrict fP_1,
          const double *restrict rT_3,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:283:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_3, %fP_1, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:283:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_3, fP_1);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:283:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_3, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:283:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_3, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:283:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:283:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:283:23: rDivM{3}[k,m] * fP{1}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_46
    void neighboringFlux_46(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_1_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_46::neighboringFlux_46_avx2(0, 1, Q_, I_, rDivM_3_, fP_1_, rT_3_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
namespace waves {
namespace subroutine {
    namespace of_neighboringFlux_47 {
      // schedule `work_group`: one element a call
      #if defined(__x86_64__)
      #if defined(__clang__)
      #pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
      #else
      #pragma GCC push_options
      #pragma GCC target("avx2,fma")
      #endif

      static void neighboringFlux_47_avx2(
          int64_t group,
          int64_t groups,
          double *restrict Q,
          const double *restrict I_1,
          const double *restrict rDivM_3,
          const double *restrict fP_2,
          const double *restrict rT_3,
          const double *restrict AminusT,
          const double *restrict prefetch_I)
      {
          // %tmp0 = alloca -> memref<f64x4x3>
          // kernel.ein:287:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp0[12] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rDivM_3, %fP_2, 0.0, %tmp0 : f64, memref<f64x4x3>, memref<f64x3x3>, f64, memref<f64x4x3>
          // kernel.ein:287:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 0), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 64), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 128), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 192), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 256), 0, 2);
          __builtin_prefetch((const char *)((uintptr_t)prefetch_I + 287), 0, 2);
          product_443ad7ec0a39_avx2(tmp0, rDivM_3, fP_2);
          // %tmp1 = alloca -> memref<f64x3x9>
          // kernel.ein:287:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp1[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %rT_3, %I, 0.0, %tmp1 : f64, memref<f64x3x4>, memref<f64x4x9>, f64, memref<f64x3x9>
          // kernel.ein:287:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_d7636d8ecee6_avx2(tmp1, rT_3, I_1);
          // %tmp2 = alloca -> memref<f64x3x9>
          // kernel.ein:287:5: Q[k,p] = Q[k,p] + rDivM{3}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          double tmp2[27] __attribute__((aligned(32)));
          // gemm.n.n 1.0, %tmp1, %AminusT, 0.0, %tmp2 : f64, memref<f64x3x9>, memref<f64x9x9>, f64, memref<f64x3x9>
          // kernel.ein:287:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7b00605510c9_avx2(tmp2, tmp1, AminusT);
          // gemm.n.n 1.0, %tmp0, %tmp2, 1.0, %Q : f64, memref<f64x4x3>, memref<f64x3x9>, f64, memref<f64x4x9>
          // kernel.ein:287:23: rDivM{3}[k,m] * fP{2}[m,n] * rT{3}[n,l] * I[l,q] * AminusT[q,p]
          product_7a940ef1da9f_avx2(Q, tmp0, tmp2);
      }

      #if defined(__clang__)
      #pragma clang attribute pop
      #else
      #pragma GCC pop_options
      #endif
      #endif
    } // namespace of_neighboringFlux_47
    void neighboringFlux_47(double* Q_, double const* I_, double const* rDivM_3_, double const* fP_2_, double const* rT_3_, double const* AminusT_, double const* prefetch_I_) {
      of_neighboringFlux_47::neighboringFlux_47_avx2(0, 1, Q_, I_, rDivM_3_, fP_2_, rT_3_, AminusT_, prefetch_I_);
    }
} // namespace subroutine
} // namespace waves
