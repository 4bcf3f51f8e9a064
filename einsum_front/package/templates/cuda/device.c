/* Kernels on the current GPU. */
#include "harness.h"

#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

#define gpuGetDeviceCount GPU(GetDeviceCount)
#define gpuMalloc GPU(Malloc)
#define gpuFree GPU(Free)
#define gpuMemcpy GPU(Memcpy)
#define gpuMemcpyHostToDevice GPU(MemcpyHostToDevice)
#define gpuMemcpyDeviceToHost GPU(MemcpyDeviceToHost)
#define gpuStreamCreate GPU(StreamCreate)
#define gpuStreamDestroy GPU(StreamDestroy)
#define gpuStreamSynchronize GPU(StreamSynchronize)

static @name@_stream stream;

const int device_ways = 1;

const char *device_way(int way)
{
    (void)way;
    return "over the batch";
}

int device_open(void)
{
    int count = 0;
    if (gpuGetDeviceCount(&count) != gpuSuccess || count == 0) {
        printf("there is no GPU\n");
        return 77;
    }
    return gpuStreamCreate(&stream) != gpuSuccess;
}

void device_close(void)
{
    gpuStreamDestroy(stream);
}

static int copied(void **made, const void *from, size_t length)
{
    return gpuMalloc(made, length > 0 ? length : 1) == gpuSuccess
        && gpuMemcpy(*made, from, length, gpuMemcpyHostToDevice) == gpuSuccess;
}

/* Entries, and for a group the addresses of its members there. */
static int upload(const test_memory *from, void **entries, void **addresses)
{
    if (!copied(entries, from->bytes, from->length))
        return 0;
    if (from->storage != GROUPED)
        return 1;
    void **const there = calloc((size_t)from->elements + 1, sizeof there[0]);
    if (there == NULL)
        return 0;
    for (int64_t i = 0; i < from->elements; ++i)
        there[i] = (unsigned char *)*entries + ((unsigned char *)from->addresses[i] - from->bytes);
    const int is_there = copied(addresses, there, (size_t)from->elements * sizeof there[0]);
    free(there);
    return is_there;
}

static int run(const test_kernel *test, const test_memory *memory, void *const *given, void *const *entries, const double *scalars)
{
    const place where = {stream};
    @name@_status status = test->start(&where, given, scalars, 0); /* an empty batch changes nothing */
    if (status == @NAME@_SUCCESS)
        status = test->start(&where, given, scalars, test->batch);
    if (status != @NAME@_SUCCESS) {
        printf("%s: %s\n", test->name, @name@_message());
        return status == @NAME@_UNFIT_DEVICE ? 2 : 1;
    }
    const gpuError_t error = gpuStreamSynchronize(stream);
    if (error != gpuSuccess) {
        printf("%s: %s\n", test->name, gpuGetErrorString(error));
        return 1;
    }
    for (size_t i = 0; i < test->tensor_count; ++i)
        if (gpuMemcpy(memory[i].bytes, entries[i], memory[i].length, gpuMemcpyDeviceToHost) != gpuSuccess)
            return 1;
    return 0;
}

int device_run(const test_kernel *test, const test_memory *memory, const double *scalars, int way)
{
    (void)way;
    int result = 0;
    void **const entries = calloc(3 * test->tensor_count + 1, sizeof entries[0]);
    if (entries == NULL)
        return 1;
    void **const addresses = entries + test->tensor_count, **const given = addresses + test->tensor_count;
    for (size_t i = 0; i < test->tensor_count; ++i) {
        result |= !upload(&memory[i], &entries[i], &addresses[i]);
        given[i] = memory[i].storage == GROUPED ? addresses[i] : entries[i];
    }
    if (result != 0)
        printf("%s: the device has no memory\n", test->name);
    else
        result = run(test, memory, given, entries, scalars);
    for (size_t i = 0; i < 2 * test->tensor_count; ++i)
        gpuFree(entries[i]);
    free(entries);
    return result;
}
