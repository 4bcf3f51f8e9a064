kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void f(
    global const float *restrict A,
    long A_size0,
    long A_size2,
    long A_stride1,
    long A_stride2,
    global float *restrict B,
    long B_size0,
    long B_size2,
    long B_stride1,
    long B_stride2,
    long elements,
    global uchar *scratch)
{
    int item_row = get_local_id(0);
    int item_column = get_local_id(1);
    global uchar *own_scratch = scratch + 64 * get_group_id(2);
    long element = get_group_id(2);
    do {
        // %g = group_id
        // open_temporaries.tl:6:3
        long g = element;
        // %a = subview %A[:, :, %g] : memref<f32x?x6x?>
        // open_temporaries.tl:7:3
        global const float *a = A + A_stride2 * g;
        // %b = subview %B[:, :, %g] : memref<f32x?x6x?>
        // open_temporaries.tl:8:3
        global float *b = B + B_stride2 * g;
        // %m = arith.mul %n, 2 : index
        // open_temporaries.tl:10:3
        long m = (long)((ulong)A_size0 * 2UL);
        // %r = alloca.global -> memref<f32x6>
        // open_temporaries.tl:11:3
        global float *r = (global float *)own_scratch;
        // %t = alloca.global %n -> memref<f32x?x6>
        // open_temporaries.tl:12:3
        long t_bytes = 64 * ((4 * (A_size0 * 6) + 63) / 64);
        global float *t = (global float *)(scratch + 64 * get_num_groups(2) + t_bytes * get_group_id(2));
        // %u = alloca.global %m, %n -> memref<f32x?x?>
        // open_temporaries.tl:13:3
        long u_bytes = 64 * ((4 * (m * A_size0) + 63) / 64);
        global float *u = (global float *)(scratch + (64 + t_bytes) * get_num_groups(2) + u_bytes * get_group_id(2));
        // axpby.n 2.0, %a, 0.0, %t : f32, memref<f32x?x6>, f32, memref<f32x?x6>
        // open_temporaries.tl:14:3
        for (long j = item_column; j < 6; j += 2) {
            for (long i = item_row; i < A_size0; i += 4) {
                t[i + A_size0 * j] = 2.0f * a[i + A_stride1 * j];
            }
        }
        // barrier
        // open_temporaries.tl:15:3
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        // axpby.n 2.0, %t, 0.0, %w : f32, memref<f32x?x6>, f32, memref<f32x?x6>
        // open_temporaries.tl:17:3: axpby.n 2.0, %t, 0.0, %w : f32, memref<f32x?x6>, f32, memref<f32x?x6,strided<1,?>>
        for (long j = item_column; j < 6; j += 2) {
            for (long i = item_row; i < A_size0; i += 4) {
                u[i + m * j] = 2.0f * t[i + A_size0 * j];
            }
        }
        // axpby.n 1.0, %v, 0.0, %r : f32, memref<f32x6,strided<?>>, f32, memref<f32x6>
        // open_temporaries.tl:19:3
        for (long i = item_row + 4 * item_column; i < 6; i += 8) {
            r[i] = t[A_size0 * i];
        }
        // barrier
        // open_temporaries.tl:20:3
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        // axpby.n 1.0, %w, 1.0, %b : f32, memref<f32x?x6>, f32, memref<f32x?x6>
        // open_temporaries.tl:21:3: axpby.n 1.0, %w, 1.0, %b : f32, memref<f32x?x6,strided<1,?>>, f32, memref<f32x?x6>
        for (long j = item_column; j < 6; j += 2) {
            for (long i = item_row; i < B_size0; i += 4) {
                b[i + B_stride1 * j] = b[i + B_stride1 * j] + u[i + m * j];
            }
        }
        element += get_num_groups(2);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    } while (element < elements);
}
