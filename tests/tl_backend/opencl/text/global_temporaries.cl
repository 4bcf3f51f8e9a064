kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void f(
    global const float *restrict A,
    long A_size2,
    global float *restrict B,
    long B_size2,
    long elements,
    global uchar *scratch)
{
    int item_row = get_local_id(0);
    int item_column = get_local_id(1);
    global uchar *own_scratch = scratch + 128 * get_group_id(2);
    long element = get_group_id(2);
    do {
        // %g = group_id
        // global_temporaries.tl:4:3
        long g = element;
        // %a = subview %A[:, :, %g] : memref<f32x4x6x?>
        // global_temporaries.tl:5:3
        global const float *a = A + 24 * g;
        // %b = subview %B[:, :, %g] : memref<f32x4x6x?>
        // global_temporaries.tl:6:3
        global float *b = B + 24 * g;
        // %t = alloca.global -> memref<f32x4x6>
        // global_temporaries.tl:7:3
        global float *t = (global float *)own_scratch;
        // axpby.n 2.0, %a, 0.0, %t : f32, memref<f32x4x6>, f32, memref<f32x4x6>
        // global_temporaries.tl:8:3
        for (int j = item_column; j < 6; j += 2) {
            for (int i = item_row; i < 4; i += 4) {
                t[i + 4 * j] = 2.0f * a[i + 4 * j];
            }
        }
        // barrier
        // global_temporaries.tl:9:3
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        // axpby.n 1.0, %t, 1.0, %b : f32, memref<f32x4x6>, f32, memref<f32x4x6>
        // global_temporaries.tl:10:3
        for (int j = item_column; j < 6; j += 2) {
            for (int i = item_row; i < 4; i += 4) {
                b[i + 4 * j] = b[i + 4 * j] + t[i + 4 * j];
            }
        }
        element += get_num_groups(2);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    } while (element < elements);
}
