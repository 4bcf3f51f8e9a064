/* Kernels of @file@, made by einsum-front: OpenCL C and what a C program needs to run it.
 *
 *     @name@_library *kernels;
 *     if (@name@_create(context, device, &kernels) != @NAME@_SUCCESS)
 *         fprintf(stderr, "%s\n", @name@_message());
 *
 * and then, as often as wanted, a function of a kernel. It enqueues and does not wait. All functions may be called by
 * several threads at once, with one library object or several.
 */
#ifndef @NAME@_H
#define @NAME@_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a call went; `@name@_message` says more. */
typedef enum {
    @NAME@_SUCCESS = 0,
    @NAME@_NULL_POINTER = 1,  /* a pointer is null that must not be */
    @NAME@_WRONG_BATCH = 2,   /* the batch is negative or too large */
    @NAME@_WRONG_SIZE = 3,    /* a size, or an integer that says a place, is out of its limits */
    @NAME@_SMALL_MEMORY = 4,  /* an argument has less memory than the batch needs; found in debug builds */
    @NAME@_UNFIT_DEVICE = 5,  /* the device lacks what the kernel needs: f64, local memory, work-groups */
    @NAME@_BUILD_FAILED = 6,  /* the compiler of the device refuses the kernel */
    @NAME@_NO_MEMORY = 7,     /* the host or the device has no memory */
    @NAME@_OPENCL_ERROR = 8   /* a function of OpenCL failed: the queue is of another context, say */
} @name@_status;

/* The kernels of one context and device. */
typedef struct @name@_library @name@_library;

/* Where a kernel runs: the caller's queue, the events that it waits for, and its own event if `event` is not null,
 * which the caller releases. */
typedef struct {
    cl_command_queue queue;
    cl_uint wait_count;
    const cl_event *wait_list;
    cl_event *event;
} @name@_launch;

/* What the last call of this thread that failed has to say. */
const char *@name@_message(void);

/* Make the kernels for a device; nothing is compiled yet. The context is retained. */
@name@_status @name@_create(cl_context context, cl_device_id device, @name@_library **kernels);

/* Let go of everything. Launches that still run are finished by OpenCL; no other call may be going on. */
void @name@_destroy(@name@_library *kernels);

/* Compile or load all kernels now; else each is at its first launch. Later launches allocate nothing. */
@name@_status @name@_prepare(@name@_library *kernels);

/* How many programs were compiled so far; those that came from the cache do not count.
 *
 * Binaries are kept in the folder that the environment variable @NAME@_CACHE names (empty: they are not), else in
 * `@name@` of the user's caches ($XDG_CACHE_HOME or ~/.cache). */
int64_t @name@_compiled(@name@_library *kernels);

@include shared/check_entries.h@

/* The kernels. Memory is in the caller's context, one element after the other. Strides are of the modes in the order of the
 * text: how many entries apart two neighbours of a mode are. Entries that a tensor declares to be zero hold zeros. What is
 * written shares no memory with another argument. `batch` counts elements and may be 0. */

@kernels@

#ifdef __cplusplus
}
#endif

#endif
