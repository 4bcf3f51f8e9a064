typedef float8 float8_u __attribute__((aligned(4)));
typedef float4 float4_u __attribute__((aligned(4)));
typedef float2 float2_u __attribute__((aligned(4)));

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void product(
    global const float *restrict A,
    long A_size2,
    global const float *restrict B,
    long B_size2,
    global float *restrict C,
    long C_size2,
    long elements)
{
    long first = 32 * get_group_id(2);
    long stop = min(first + 32, elements);
    for (long element = first; element < stop; ++element) {
        // %e = group_id
        // paired_columns.tl:3:3
        long e = element;
        // %a = subview %A[:, :, %e] : memref<f32x19x6x?>
        // paired_columns.tl:4:3
        global const float *a = A + 114 * e;
        // %b = subview %B[:, :, %e] : memref<f32x6x3x?>
        // paired_columns.tl:5:3
        global const float *b = B + 18 * e;
        // %c = subview %C[:, :, %e] : memref<f32x19x3x?>
        // paired_columns.tl:6:3
        global float *c = C + 57 * e;
        // gemm.n.n 1.0, %a, %b, 1.0, %c : f32, memref<f32x19x6>, memref<f32x6x3>, f32, memref<f32x19x3>
        // paired_columns.tl:7:3
        {
            float8 sum[8];
            sum[0] = 0.0f;
            sum[1] = 0.0f;
            sum[2] = 0.0f;
            sum[3] = 0.0f;
            sum[4] = 0.0f;
            sum[5] = 0.0f;
            sum[6] = 0.0f;
            sum[7] = 0.0f;
            for (int k = 0; k < 6; ++k) {
                float8 a0 = *(global const float8_u *)(a + 19 * k);
                float8 a1 = *(global const float8_u *)(a + (8 + 19 * k));
                float8 a2 = (*(global const float4_u *)(a + (15 + 19 * k))).s01230123;
                float b0 = b[k];
                float b1 = b[k + 6];
                sum[6] += a2 * (float8)(b0, b0, b0, b0, b1, b1, b1, b1);
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                sum[2] += a0 * b1;
                sum[3] += a1 * b1;
                float b2 = b[k + 12];
                sum[7] += a2 * b2;
                sum[4] += a0 * b2;
                sum[5] += a1 * b2;
            }
            *(global float8_u *)c = *(global float8_u *)c + sum[0];
            *(global float8_u *)(c + 8) = *(global float8_u *)(c + 8) + sum[1];
            *(global float2_u *)(c + 16) = *(global float2_u *)(c + 16) + sum[6].s12;
            c[18] = c[18] + sum[6].s3;
            *(global float8_u *)(c + 19) = *(global float8_u *)(c + 19) + sum[2];
            *(global float8_u *)(c + 27) = *(global float8_u *)(c + 27) + sum[3];
            *(global float2_u *)(c + 35) = *(global float2_u *)(c + 35) + sum[6].s56;
            c[37] = c[37] + sum[6].s7;
            *(global float8_u *)(c + 38) = *(global float8_u *)(c + 38) + sum[4];
            *(global float8_u *)(c + 46) = *(global float8_u *)(c + 46) + sum[5];
            *(global float2_u *)(c + 54) = *(global float2_u *)(c + 54) + sum[7].s12;
            c[56] = c[56] + sum[7].s3;
        }
    }
}
