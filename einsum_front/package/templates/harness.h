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

/* Functions of entries: a magnitude is what a small relative change of the arguments changes at most. */
#define FUNCTION(name, result, slope)                                        \
    static inline entry entry_##name(entry a)                                \
    {                                                                        \
        double x = a.value, y = (result);                                    \
        return (entry){y, fabs(y) + fabs(slope) * a.magnitude};              \
    }
FUNCTION(exp, exp(x), y)
FUNCTION(log, log(x), 1 / x)
FUNCTION(sqrt, sqrt(x), 0.5 / y)
FUNCTION(tanh, tanh(x), 1.0)
FUNCTION(erf, erf(x), 1.2)
FUNCTION(abs, fabs(x), 1.0)
FUNCTION(relu, x < 0 ? 0 : x, 1.0)
FUNCTION(sigmoid, 1 / (1 + exp(-x)), 1.0)
FUNCTION(gelu, 0.5 * x * (1 + erf(x * sqrt(0.5))), 1.2)

static inline entry chosen(double value, entry a, entry b)
{
    return (entry){value, a.magnitude > b.magnitude ? a.magnitude : b.magnitude};
}

static inline entry entry_max(entry a, entry b)
{
    return chosen(a.value >= b.value || a.value != a.value ? a.value : b.value, a, b);
}

static inline entry entry_min(entry a, entry b)
{
    return chosen(a.value <= b.value || a.value != a.value ? a.value : b.value, a, b);
}

static inline entry entry_div(entry a, entry b)
{
    double y = a.value / b.value;
    return (entry){y, a.magnitude / fabs(b.value) + fabs(y / b.value) * b.magnitude};
}

static inline entry entry_where_lt(entry a, entry b, entry x, entry y)
{
    return chosen(a.value < b.value ? x.value : y.value, x, y);
}

static inline entry entry_where_le(entry a, entry b, entry x, entry y)
{
    return chosen(a.value <= b.value ? x.value : y.value, x, y);
}

static inline entry entry_where_eq(entry a, entry b, entry x, entry y)
{
    return chosen(a.value == b.value ? x.value : y.value, x, y);
}

static inline entry entry_where_ne(entry a, entry b, entry x, entry y)
{
    return chosen(a.value != b.value ? x.value : y.value, x, y);
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
