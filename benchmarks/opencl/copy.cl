// Each group copies a block of so many vectors, so many times, each time the one `distance` behind that before.
// REAL, VECTOR and SIZE (work-items in a group) are defined in front of this text.
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

// Not restrict: a compiler could leave out the repetitions.
kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void copy(global const VECTOR *from, long from_groups, global VECTOR *to, long to_groups, long vectors, long times,
          long distance)
{
    for (long time = 0; time < times; ++time) {
        long first = (get_group_id(2) + time * distance) % get_num_groups(2) * vectors;
        for (long i = first + get_local_id(0); i < first + vectors; i += SIZE)
            to[i] = from[i];
    }
}
