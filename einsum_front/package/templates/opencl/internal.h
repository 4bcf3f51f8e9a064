/* What the sources of the library share; no program includes this. */
#ifndef @NAME@_INTERNAL_H
#define @NAME@_INTERNAL_H

#include <@name@.h>

#include <stddef.h>

/* A constant whose values are known: the library copies them to the device. */
typedef struct {
    cl_uint position; /* of the argument in the kernel */
    int prologue_position; /* of the argument in the prologue, or -1 */
    const void *values;
    size_t bytes;
} @name@_constant;

/* A constant that the prologue computes before each launch. */
typedef struct {
    int position; /* of the argument, or -1 */
    int prologue_position;
    size_t bytes;
} @name@_result;

/* Functions of the OpenCL C source that are launched one after the other, and the geometry of a launch. A position is
 * -1 if there is no such argument. */
typedef struct {
    const char *const *entries;
    unsigned entry_count;
    size_t rows, columns;       /* work-items of a work-group */
    int64_t elements_per_group; /* elements of the batch for each of these */
    int64_t groups_per_element; /* and how many work-groups these are */
    size_t local_memory;        /* bytes */
    size_t scratch;             /* bytes of global memory for each work-group */
    int elements_position;      /* number of elements */
    int scratch_position;
} @name@_function;

typedef struct {
    unsigned number; /* among the kernels of the library */
    const char *name;
    const char *const *source; /* lines of OpenCL C */
    cl_uint lines;
    int needs_fp64;
    @name@_function kernel;
    const @name@_function *prologue; /* runs before the kernel, or null */
    const @name@_constant *constants;
    unsigned constant_count;
    const @name@_result *results;
    unsigned result_count;
} @name@_description;

/* An argument of a launch as OpenCL takes it. */
typedef struct {
    const char *name; /* of memory; null for a number */
    const void *value;
    size_t size;
    cl_uint position;
    int prologue_position;
    int64_t span;     /* memory: bytes from the first to the last entry of an element */
    int64_t distance; /* memory: bytes from one element to the next; 0 if all share it */
} @name@_argument;

/* Run a kernel; `arguments` are those of the caller, `scratch` bytes of a work-group that only the call knows. */
@name@_status @name@_run(
    @name@_library *kernels,
    const @name@_description *kernel,
    const @name@_launch *launch,
    const @name@_argument *arguments,
    unsigned count,
    int64_t batch,
    int64_t scratch);

/* Check a size that only the launch knows. */
@name@_status @name@_check_size(const char *kernel, const char *name, int64_t size, int64_t least, int64_t most);

@include shared/arithmetic.h@

/* As above, for a function of OpenCL that gave an error. */
@name@_status @name@_fail_opencl(const char *kernel, const char *function, cl_int error);

/* A program for the device, from the cache or from its source. */
@name@_status @name@_build(
    cl_context context,
    cl_device_id device,
    const @name@_description *kernel,
    const char *options,
    cl_program *program,
    int *is_compiled);

/* All kernels of the library. */
extern const @name@_description *const @name@_descriptions[];
extern const unsigned @name@_count;

#endif
