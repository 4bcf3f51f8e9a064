// Independent chains of multiply-adds on vectors in registers, enough of them to hide how long one takes.
// REAL, VECTOR and SIZE (work-items in a group) are defined in front of this text.
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define START(i) VECTOR sum##i = (VECTOR)(i);
#define STEP(i) sum##i = sum##i * x + y;
#define ADD(i) total += sum##i;

// For x = y = 1/2 the sums go to one, so no number gets too large or too small.
kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void peak(global VECTOR *out, long groups, long steps, REAL x, REAL y)
{
    EACH(START)
    for (long step = 0; step < steps; ++step) { EACH(STEP) }
    VECTOR total = (VECTOR)(0);
    EACH(ADD)
    out[get_group_id(2) * SIZE + get_local_id(0)] = total;
}
