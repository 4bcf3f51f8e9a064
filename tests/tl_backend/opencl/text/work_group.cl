#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

void atomic_add_double_global(volatile global double *target, double value)
{
    volatile global ulong *entry = (volatile global ulong *)target;
    ulong old;
    ulong seen = 0UL;
    do {
        old = seen;
        seen = atom_cmpxchg(entry, old, as_ulong(as_double(old) + value));
    } while (seen != old);
}

kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void shared(
    global const ulong *restrict A,
    global const long *restrict A_size0,
    global const long *restrict A_stride1,
    long A_offset,
    global int *restrict n,
    global double *restrict y)
{
    int item_row = get_local_id(0);
    int item_column = get_local_id(1);
    local uchar local_memory[64] __attribute__((aligned(64)));
    // %g = group_id
    // work_group.tl:2:3
    long g = get_group_id(2);
    // %a = load %A[%g] : group<memref<f64x?x3>, offset: ?>
    // work_group.tl:3:3
    global double *a = (global double *)A[g] + A_offset;
    long a_size0 = A_size0[g];
    long a_stride1 = A_stride1[g];
    // %sums = alloca -> memref<f64x3>
    // work_group.tl:4:3
    local double *sums = (local double *)local_memory;
    // sum.t 0.1, %a, 0.0, %sums : f64, memref<f64x?x3>, f64, memref<f64x3>
    // work_group.tl:5:3
    for (long i = item_row + 4 * item_column; i < 3; i += 8) {
        double sum = 0.0;
        for (long k = 0; k < a_size0; ++k) {
            sum += a[k + a_stride1 * i];
        }
        sums[i] = 0x1.999999999999ap-4 * sum;
    }
    // barrier
    // work_group.tl:6:3
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    // axpby.n.atomic 1.0, %sums, 1.0, %y : f64, memref<f64x3>, f64, memref<f64x3>
    // work_group.tl:7:3
    for (int i = item_row + 4 * item_column; i < 3; i += 8) {
        atomic_add_double_global(&y[i], sums[i]);
    }
    // %is_first = cmp.eq %g, 0 : index
    // work_group.tl:8:3
    bool is_first = g == 0L;
    // %start = if %is_first -> (i32) {
    // work_group.tl:9:3
    int start;
    if (is_first) {
        start = 1;
    } else {
        // %old = load %n[] : memref<i32>
        // work_group.tl:12:5
        int old = n[0];
        // %new = arith.add %old, 1 : i32
        // work_group.tl:13:5
        int new = (int)((uint)old + 1u);
        start = new;
    }
    // store %start, %n[] : memref<i32>
    // work_group.tl:16:3
    if (item_row + 4 * item_column == 0) {
        n[0] = start;
    }
    // foreach %i = 0, 3 {
    // work_group.tl:17:3
    for (long i = item_row + 4 * item_column; i < 3; i += 8) {
        // %x = load %sums[%i] : memref<f64x3>
        // work_group.tl:18:5
        double x = sums[i];
        // %twice = arith.mul %x, 2.0 : f64
        // work_group.tl:19:5
        double twice = x * 2.0;
        // store %twice, %a[0, %i] : memref<f64x?x3>
        // work_group.tl:20:5
        a[a_stride1 * i] = twice;
    }
}
