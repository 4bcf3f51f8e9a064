/* What the tests of the kernels share. */
#ifndef @NAME@_HARNESS_H
#define @NAME@_HARNESS_H

#include <@name@.h>

#include <math.h>
#include <stddef.h>

enum { MOST_MODES = 52 };

/* A number, and the sum of the absolute values of all terms that it is made of. */
typedef struct {
    double value, magnitude;
} entry;

static inline entry number(double value)
{
    return (entry){value, fabs(value)};
}

static inline entry plus(entry left, entry right)
{
    return (entry){left.value + right.value, left.magnitude + right.magnitude};
}

static inline entry times(entry left, entry right)
{
    return (entry){left.value * right.value, left.magnitude * right.magnitude};
}

typedef struct {
    int64_t first, last; /* positions, the last one excluded */
} range;

/* One for all elements, each at a distance, or each behind an address. */
typedef enum { SHARED, BATCHED, GROUPED } storage;

typedef struct {
    const char *name;
    storage storage;
    int is_f32, is_read, is_written;
    unsigned order;
    int64_t shape[MOST_MODES], strides[MOST_MODES]; /* entries */
    int64_t distance;                               /* from one element to the next */
    const range *nonzeros;                          /* positions in packed column-major order */
    size_t range_count;
} test_tensor;

typedef struct {
    const char *name;
    const test_tensor *tensors;
    size_t tensor_count, scalar_count;
    int64_t batch;
    double roundings; /* at most, in an entry of a result */
    void (*loops)(entry *const *given, const double *scalars);
    @name@_status (*start)(
        @name@_library *kernels, const @name@_launch *launch, const cl_mem *memory, const double *scalars, int64_t batch);
} test_kernel;

/* Run a kernel over its batch and compare: 0 if it is right, 1 if it is wrong, 2 if the device cannot run it. */
int check(@name@_library *kernels, cl_context context, cl_command_queue queue, int is_cpu, const test_kernel *test);

#endif
