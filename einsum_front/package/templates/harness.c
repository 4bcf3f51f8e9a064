/* Generated data, the kernel over a batch, loops over each element, and what differs. */
#include "harness.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SCALARS = 4096 };

/* What lies between entries, and must still be there in the end. */
static const double GUARD = 12345;

/* A tensor of a test: entries of all elements, packed, and bytes as the device has them. */
typedef struct {
    const test_tensor *about;
    int64_t elements, entries; /* entries of an element */
    entry *packed;
    unsigned char *bytes;
    size_t length;
    int64_t places;          /* in the bytes */
    unsigned char *is_entry; /* of all of them */
    void **addresses; /* of a group */
} tensor;

/* Numbers in [-1, 1] with 24 bits, which f32 has too. */
static double next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)(*state >> 39) / (1 << 24) - 1.0;
}

static void *room(size_t count, size_t size)
{
    void *const made = calloc(count > 0 ? count : 1, size);
    if (made == NULL) {
        fprintf(stderr, "the host has no memory\n");
        exit(1);
    }
    return made;
}

static size_t size_of(const test_tensor *about)
{
    return about->is_f32 ? sizeof(float) : sizeof(double);
}

static void put(const test_tensor *about, unsigned char *place, double value)
{
    const float single = (float)value;
    memcpy(place, about->is_f32 ? (const void *)&single : (const void *)&value, size_of(about));
}

static double get(const test_tensor *about, const unsigned char *place)
{
    float single;
    double value;
    memcpy(&single, place, sizeof single);
    memcpy(&value, place, about->is_f32 ? sizeof single : sizeof value);
    return about->is_f32 ? (double)single : value;
}

/* Where an entry lies in its element: positions are packed, the first mode fastest. */
static int64_t offset_of(const test_tensor *about, int64_t position)
{
    int64_t offset = 0;
    for (unsigned mode = 0; mode < about->order; ++mode) {
        offset += position % about->shape[mode] * about->strides[mode];
        position /= about->shape[mode];
    }
    return offset;
}

static int may_differ_from_zero(const test_tensor *about, int64_t position)
{
    for (size_t i = 0; i < about->range_count; ++i)
        if (about->nonzeros[i].first <= position && position < about->nonzeros[i].last)
            return 1;
    return 0;
}

static unsigned char *place_of(const tensor *own, int64_t element, int64_t offset)
{
    return own->bytes + (size_t)(element * own->about->distance + offset) * size_of(own->about);
}

static void make(tensor *own, const test_tensor *about, int64_t batch, uint64_t *state)
{
    own->about = about;
    own->elements = about->storage == SHARED ? 1 : batch;
    own->entries = 1;
    own->places = 1 + (own->elements - 1) * about->distance; /* elements may lie among the entries of others */
    for (unsigned mode = 0; mode < about->order; ++mode) {
        own->entries *= about->shape[mode];
        own->places += (about->shape[mode] - 1) * about->strides[mode];
    }
    if (own->places < own->elements * about->distance)
        own->places = own->elements * about->distance;
    own->packed = room((size_t)(own->elements * own->entries), sizeof own->packed[0]);
    own->length = (size_t)own->places * size_of(about);
    own->bytes = room(own->length + sizeof(double), 1);
    own->is_entry = room((size_t)own->places, 1);
    for (int64_t place = 0; place < own->places; ++place)
        put(about, own->bytes + (size_t)place * size_of(about), GUARD);
    for (int64_t element = 0; element < own->elements; ++element)
        for (int64_t position = 0; position < own->entries; ++position) {
            const double value = may_differ_from_zero(about, position) ? next(state) : 0;
            own->packed[element * own->entries + position] = number(value);
            own->is_entry[element * about->distance + offset_of(about, position)] = 1;
            put(about, place_of(own, element, offset_of(about, position)), value);
        }
    if (about->storage != GROUPED)
        return;
    own->addresses = room((size_t)own->elements, sizeof own->addresses[0]);
    for (int64_t i = 0; i < own->elements; ++i)
        own->addresses[i] = place_of(own, i, 0);
}

static void release(tensor *own)
{
    free(own->packed);
    free(own->bytes);
    free(own->is_entry);
    free(own->addresses);
}

/* Compare a tensor with what the loops have made of it; what was only read must be as it was. */
static int compare(const tensor *own, const test_kernel *test)
{
    const test_tensor *const about = own->about;
    const double epsilon = about->is_f32 ? FLT_EPSILON : DBL_EPSILON;
    double magnitude = 0, worst = 0;
    for (int64_t i = 0; i < own->elements * own->entries; ++i)
        magnitude = fmax(magnitude, own->packed[i].magnitude);
    /* the loops and the kernel round as often; factors of a constant of low rank take part in twice as many products */
    const double tolerance = about->is_written ? 4 * test->roundings * epsilon * magnitude : 0;
    for (int64_t element = 0; element < own->elements; ++element) {
        for (int64_t position = 0; position < own->entries; ++position) {
            const double found = get(about, place_of(own, element, offset_of(about, position)));
            const double expected = own->packed[element * own->entries + position].value;
            const double difference = fabs(found - expected);
            worst = difference > worst || difference != difference ? difference : worst;
            if (!(difference <= tolerance)) {
                printf("%s: `%s` of element %lld is %.17g at %lld, not %.17g (%.1e apart, %.1e allowed)\n", test->name,
                    about->name, (long long)element, found, (long long)position, expected, difference, tolerance);
                return 1;
            }
        }
    }
    for (int64_t place = 0; place < own->places; ++place)
        if (!own->is_entry[place] && get(about, place_of(own, 0, place)) != GUARD) {
            printf("%s: `%s` was written between its entries\n", test->name, about->name);
            return 1;
        }
    if (about->is_written)
        printf("%s: `%s` differs by %.1e, %.1e is allowed\n", test->name, about->name, worst, tolerance);
    return 0;
}

static void run_loops(tensor *all, const test_kernel *test, const double *scalars, entry **given)
{
    for (int64_t element = 0; element < test->batch; ++element) {
        for (size_t i = 0; i < test->tensor_count; ++i)
            given[i] = all[i].packed + (all[i].elements > 1 ? element * all[i].entries : 0);
        test->loops(given, scalars);
    }
}

int check(const test_kernel *test, int way)
{
    double scalars[MOST_SCALARS];
    uint64_t state = 1;
    tensor *const all = room(test->tensor_count, sizeof all[0]);
    test_memory *const memory = room(test->tensor_count, sizeof memory[0]);
    entry **const given = room(test->tensor_count, sizeof given[0]);
    for (size_t i = 0; i < test->scalar_count && i < MOST_SCALARS; ++i)
        scalars[i] = 0.75 + next(&state) / 4; /* may be divided by */
    for (size_t i = 0; i < test->tensor_count; ++i) {
        make(&all[i], &test->tensors[i], test->batch, &state);
        memory[i] = (test_memory){
            all[i].about->storage, all[i].bytes, all[i].length, (size_t)all[i].about->distance * size_of(all[i].about),
            all[i].addresses, all[i].elements};
    }
    int result = device_run(test, memory, scalars, way);
    if (result == 0)
        run_loops(all, test, scalars, given);
    for (size_t i = 0; i < test->tensor_count; ++i) {
        if (result == 0)
            result = compare(&all[i], test);
        release(&all[i]);
    }
    free(all);
    free(memory);
    free(given);
    return result;
}
