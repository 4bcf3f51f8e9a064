kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void fused_kernel(
    float alpha,
    global const ulong *restrict A,
    global const float *restrict B,
    global const float *restrict C,
    global float *restrict D,
    long D_size2)
{
    // %0 = group_id
    // one_work_item.tl:6:3
    long v0 = get_group_id(2);
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
    for (int j = 0; j < 6; j += 3) {
        float sum[48];
        #pragma unroll
        for (int jj = 0; jj < 3; ++jj) {
            #pragma unroll
            for (int ii = 0; ii < 16; ++ii) {
                sum[ii + 16 * jj] = 0.0f;
            }
        }
        for (int k = 0; k < 8; ++k) {
            #pragma unroll
            for (int jj = 0; jj < 3; ++jj) {
                #pragma unroll
                for (int ii = 0; ii < 16; ++ii) {
                    sum[ii + 16 * jj] += v1[ii + 16 * k] * B[j + jj + 8 * k];
                }
            }
        }
        #pragma unroll
        for (int jj = 0; jj < 3; ++jj) {
            #pragma unroll
            for (int ii = 0; ii < 16; ++ii) {
                tmp0[ii + 16 * (j + jj)] = sum[ii + 16 * jj];
            }
        }
    }
    {
        float sum[32];
        #pragma unroll
        for (int jj = 0; jj < 2; ++jj) {
            #pragma unroll
            for (int ii = 0; ii < 16; ++ii) {
                sum[ii + 16 * jj] = 0.0f;
            }
        }
        for (int k = 0; k < 8; ++k) {
            #pragma unroll
            for (int jj = 0; jj < 2; ++jj) {
                #pragma unroll
                for (int ii = 0; ii < 16; ++ii) {
                    sum[ii + 16 * jj] += v1[ii + 16 * k] * B[6 + jj + 8 * k];
                }
            }
        }
        #pragma unroll
        for (int jj = 0; jj < 2; ++jj) {
            #pragma unroll
            for (int ii = 0; ii < 16; ++ii) {
                tmp0[ii + 16 * (6 + jj)] = sum[ii + 16 * jj];
            }
        }
    }
    // gemm.n.n %alpha, %tmp0, %C, 1.0, %2 : f32, memref<f32x16x8>, memref<f32x8x16>, f32, memref<f32x16x16>
    // one_work_item.tl:12:3
    for (int j = 0; j < 15; j += 3) {
        float sum[48];
        #pragma unroll
        for (int jj = 0; jj < 3; ++jj) {
            #pragma unroll
            for (int ii = 0; ii < 16; ++ii) {
                sum[ii + 16 * jj] = 0.0f;
            }
        }
        for (int k = 0; k < 8; ++k) {
            #pragma unroll
            for (int jj = 0; jj < 3; ++jj) {
                #pragma unroll
                for (int ii = 0; ii < 16; ++ii) {
                    sum[ii + 16 * jj] += tmp0[ii + 16 * k] * C[k + 8 * (j + jj)];
                }
            }
        }
        #pragma unroll
        for (int jj = 0; jj < 3; ++jj) {
            #pragma unroll
            for (int ii = 0; ii < 16; ++ii) {
                v2[ii + 16 * (j + jj)] = v2[ii + 16 * (j + jj)] + alpha * sum[ii + 16 * jj];
            }
        }
    }
    {
        float sum[16];
        #pragma unroll
        for (int ii = 0; ii < 16; ++ii) {
            sum[ii] = 0.0f;
        }
        for (int k = 0; k < 8; ++k) {
            #pragma unroll
            for (int ii = 0; ii < 16; ++ii) {
                sum[ii] += tmp0[ii + 16 * k] * C[k + 120];
            }
        }
        #pragma unroll
        for (int ii = 0; ii < 16; ++ii) {
            v2[ii + 240] = v2[ii + 240] + alpha * sum[ii];
        }
    }
}
