#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a call went; `@name@_message` says more. */
typedef enum {
    @NAME@_SUCCESS = 0,
    @NAME@_NULL_POINTER = 1, /* a pointer is null that must not be */
    @NAME@_WRONG_BATCH = 2,  /* the batch is negative or too large */
    @NAME@_WRONG_SIZE = 3,   /* a size, or an integer that says a place, is out of its limits */
    @NAME@_SMALL_MEMORY = 4, /* an argument has less memory than the batch needs; found in debug builds, in C++ */
    @NAME@_UNFIT_DEVICE = 5, /* the device lacks what the kernel needs: shared memory, code for its architecture */
    @NAME@_NO_MEMORY = 6,    /* the device has no memory */
    @NAME@_GPU_ERROR = 7     /* a function of CUDA, HIP or SYCL failed; also one that was called before */
} @name@_status;

/* What the last call of this thread that failed has to say. */
const char *@name@_message(void);

@include shared/check_entries.h@

/* The kernels. Pointers are those of the device, also those in memory of addresses. Memory has one element after the
 * other. Strides are of the modes in the order of the text: how many entries apart two neighbours of a mode are. Entries
 * that a tensor declares to be zero hold zeros. What is written shares no memory with another argument. `batch` counts
 * elements and may be 0: then pointers may be null. */

@kernels@

#ifdef __cplusplus
}
#endif

#endif
