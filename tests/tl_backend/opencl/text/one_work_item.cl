typedef float8 float8_u __attribute__((aligned(4)));

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void fused_kernel(
    float alpha,
    global const ulong *restrict A,
    global const float *restrict B,
    global const float *restrict C,
    global float *restrict D,
    long D_size2,
    long elements)
{
    long first = 11 * get_group_id(2);
    long stop = min(first + 11, elements);
    for (long element = first; element < stop; ++element) {
        // %0 = group_id
        // one_work_item.tl:6:3
        long v0 = element;
        // %1 = load %A[%0] : group<memref<f32x16x8>>
        // one_work_item.tl:7:3
        global const float *v1 = (global const float *)A[v0];
        // %2 = subview %D[:, :, %0] : memref<f32x16x16x?>
        // one_work_item.tl:8:3
        global float *v2 = D + 256 * v0;
        // %tmp0 = alloca -> memref<f32x16x8>
        // one_work_item.tl:9:3
        float tmp0[128] __attribute__((aligned(32)));
        // gemm.n.t 1.0, %1, %B, 0.0, %tmp0 : f32, memref<f32x16x8>, memref<f32x8x8>, f32, memref<f32x16x8>
        // one_work_item.tl:10:3
        for (int j = 0; j < 8; j += 4) {
            float8 sum[8];
            sum[0] = 0.0f;
            sum[1] = 0.0f;
            sum[2] = 0.0f;
            sum[3] = 0.0f;
            sum[4] = 0.0f;
            sum[5] = 0.0f;
            sum[6] = 0.0f;
            sum[7] = 0.0f;
            for (int k = 0; k < 8; ++k) {
                float8 a0 = *(global const float8_u *)(v1 + 16 * k);
                float8 a1 = *(global const float8_u *)(v1 + (8 + 16 * k));
                float b0 = B[j + 8 * k];
                sum[0] += a0 * b0;
                sum[1] += a1 * b0;
                float b1 = B[j + 1 + 8 * k];
                sum[2] += a0 * b1;
                sum[3] += a1 * b1;
                float b2 = B[j + 2 + 8 * k];
                sum[4] += a0 * b2;
                sum[5] += a1 * b2;
                float b3 = B[j + 3 + 8 * k];
                sum[6] += a0 * b3;
                sum[7] += a1 * b3;
            }
            *(float8_u *)(tmp0 + 16 * j) = sum[0];
            *(float8_u *)(tmp0 + (8 + 16 * j)) = sum[1];
            *(float8_u *)(tmp0 + 16 * (j + 1)) = sum[2];
            *(float8_u *)(tmp0 + (8 + 16 * (j + 1))) = sum[3];
            *(float8_u *)(tmp0 + 16 * (j + 2)) = sum[4];
            *(float8_u *)(tmp0 + (8 + 16 * (j + 2))) = sum[5];
            *(float8_u *)(tmp0 + 16 * (j + 3)) = sum[6];
            *(float8_u *)(tmp0 + (8 + 16 * (j + 3))) = sum[7];
        }
        // gemm.n.n %alpha, %tmp0, %C, 1.0, %2 : f32, memref<f32x16x8>, memref<f32x8x16>, f32, memref<f32x16x16>
        // one_work_item.tl:12:3
        {
            {
                float8 sum[12];
                sum[0] = 0.0f;
                sum[1] = 0.0f;
                sum[2] = 0.0f;
                sum[3] = 0.0f;
                sum[4] = 0.0f;
                sum[5] = 0.0f;
                sum[6] = 0.0f;
                sum[7] = 0.0f;
                sum[8] = 0.0f;
                sum[9] = 0.0f;
                sum[10] = 0.0f;
                sum[11] = 0.0f;
                for (int k = 0; k < 8; ++k) {
                    float8 a0 = *(float8_u *)(tmp0 + 16 * k);
                    float8 a1 = *(float8_u *)(tmp0 + (8 + 16 * k));
                    float b0 = C[k];
                    sum[0] += a0 * b0;
                    sum[1] += a1 * b0;
                    float b1 = C[k + 8];
                    sum[2] += a0 * b1;
                    sum[3] += a1 * b1;
                    float b2 = C[k + 16];
                    sum[4] += a0 * b2;
                    sum[5] += a1 * b2;
                    float b3 = C[k + 24];
                    sum[6] += a0 * b3;
                    sum[7] += a1 * b3;
                    float b4 = C[k + 32];
                    sum[8] += a0 * b4;
                    sum[9] += a1 * b4;
                    float b5 = C[k + 40];
                    sum[10] += a0 * b5;
                    sum[11] += a1 * b5;
                }
                *(global float8_u *)v2 = *(global float8_u *)v2 + alpha * sum[0];
                *(global float8_u *)(v2 + 8) = *(global float8_u *)(v2 + 8) + alpha * sum[1];
                *(global float8_u *)(v2 + 16) = *(global float8_u *)(v2 + 16) + alpha * sum[2];
                *(global float8_u *)(v2 + 24) = *(global float8_u *)(v2 + 24) + alpha * sum[3];
                *(global float8_u *)(v2 + 32) = *(global float8_u *)(v2 + 32) + alpha * sum[4];
                *(global float8_u *)(v2 + 40) = *(global float8_u *)(v2 + 40) + alpha * sum[5];
                *(global float8_u *)(v2 + 48) = *(global float8_u *)(v2 + 48) + alpha * sum[6];
                *(global float8_u *)(v2 + 56) = *(global float8_u *)(v2 + 56) + alpha * sum[7];
                *(global float8_u *)(v2 + 64) = *(global float8_u *)(v2 + 64) + alpha * sum[8];
                *(global float8_u *)(v2 + 72) = *(global float8_u *)(v2 + 72) + alpha * sum[9];
                *(global float8_u *)(v2 + 80) = *(global float8_u *)(v2 + 80) + alpha * sum[10];
                *(global float8_u *)(v2 + 88) = *(global float8_u *)(v2 + 88) + alpha * sum[11];
            }
            for (int j = 6; j < 16; j += 5) {
                float8 sum[10];
                sum[0] = 0.0f;
                sum[1] = 0.0f;
                sum[2] = 0.0f;
                sum[3] = 0.0f;
                sum[4] = 0.0f;
                sum[5] = 0.0f;
                sum[6] = 0.0f;
                sum[7] = 0.0f;
                sum[8] = 0.0f;
                sum[9] = 0.0f;
                for (int k = 0; k < 8; ++k) {
                    float8 a0 = *(float8_u *)(tmp0 + 16 * k);
                    float8 a1 = *(float8_u *)(tmp0 + (8 + 16 * k));
                    float b0 = C[k + 8 * j];
                    sum[0] += a0 * b0;
                    sum[1] += a1 * b0;
                    float b1 = C[k + 8 * (j + 1)];
                    sum[2] += a0 * b1;
                    sum[3] += a1 * b1;
                    float b2 = C[k + 8 * (j + 2)];
                    sum[4] += a0 * b2;
                    sum[5] += a1 * b2;
                    float b3 = C[k + 8 * (j + 3)];
                    sum[6] += a0 * b3;
                    sum[7] += a1 * b3;
                    float b4 = C[k + 8 * (j + 4)];
                    sum[8] += a0 * b4;
                    sum[9] += a1 * b4;
                }
                *(global float8_u *)(v2 + 16 * j) = *(global float8_u *)(v2 + 16 * j) + alpha * sum[0];
                *(global float8_u *)(v2 + (8 + 16 * j)) = *(global float8_u *)(v2 + (8 + 16 * j)) + alpha * sum[1];
                *(global float8_u *)(v2 + 16 * (j + 1)) = *(global float8_u *)(v2 + 16 * (j + 1)) + alpha * sum[2];
                *(global float8_u *)(v2 + (8 + 16 * (j + 1))) = *(global float8_u *)(v2 + (8 + 16 * (j + 1))) + alpha * sum[3];
                *(global float8_u *)(v2 + 16 * (j + 2)) = *(global float8_u *)(v2 + 16 * (j + 2)) + alpha * sum[4];
                *(global float8_u *)(v2 + (8 + 16 * (j + 2))) = *(global float8_u *)(v2 + (8 + 16 * (j + 2))) + alpha * sum[5];
                *(global float8_u *)(v2 + 16 * (j + 3)) = *(global float8_u *)(v2 + 16 * (j + 3)) + alpha * sum[6];
                *(global float8_u *)(v2 + (8 + 16 * (j + 3))) = *(global float8_u *)(v2 + (8 + 16 * (j + 3))) + alpha * sum[7];
                *(global float8_u *)(v2 + 16 * (j + 4)) = *(global float8_u *)(v2 + 16 * (j + 4)) + alpha * sum[8];
                *(global float8_u *)(v2 + (8 + 16 * (j + 4))) = *(global float8_u *)(v2 + (8 + 16 * (j + 4))) + alpha * sum[9];
            }
        }
    }
}
