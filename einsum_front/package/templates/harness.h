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

@place@

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
    @name@_status (*start)(const place *where, void *const *memory, const double *scalars, int64_t batch);
} test_kernel;

/* Memory of a tensor on the host: entries of all elements, or the addresses of each element's. */
typedef struct {
    storage storage;
    unsigned char *bytes;
    size_t length, distance; /* bytes, in all and from one element to the next */
    void **addresses;
    int64_t elements;
} test_memory;

/* Open the device: 0 if it can be used, 77 if there is none, 1 if it fails. */
int device_open(void);
void device_close(void);

/* The ways to run a kernel there: how many, and the name of each. */
extern const int device_ways;
const char *device_way(int way);

/* Run a kernel on a copy of the memory, and copy back: 0, or 1 if it fails, 2 if the device cannot run it. */
int device_run(const test_kernel *test, const test_memory *memory, const double *scalars, int way);

/* Run a kernel over its batch and compare: 0 if it is right, 1 if it is wrong, 2 if the device cannot run it. */
int check(const test_kernel *test, int way);

#endif
