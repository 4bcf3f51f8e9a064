/* Launches kernels. What a launch needs besides its arguments is memory of its stream: taken before, given back behind. */
#include "internal.h"

#include <stdlib.h>

/* Blocks that have scratch memory at a time, as in other packages. */
enum { UNIT_THREADS = 2048, UNIT_BLOCKS = 8 };

#define TRY(kernel, function, call)                                                                   \
    do {                                                                                              \
        const @name@_status try_status = @name@_check(kernel, #function, call);                       \
        if (try_status != @NAME@_SUCCESS)                                                             \
            return try_status;                                                                        \
    } while (0)

@name@_status @name@_check_batch(const char *kernel, int64_t batch)
{
    if (batch >= 0)
        return @NAME@_SUCCESS;
    return @name@_fail(@NAME@_WRONG_BATCH, "`%s`: the batch is %lld", kernel, (long long)batch);
}

@name@_status @name@_check(const char *kernel, const char *function, gpuError_t error)
{
    if (error == gpuSuccess)
        return @NAME@_SUCCESS;
    const @name@_status status = error == gpuErrorMemoryAllocation ? @NAME@_NO_MEMORY
        : error == gpuErrorNoBinary                                ? @NAME@_UNFIT_DEVICE
                                                                   : @NAME@_GPU_ERROR;
    return @name@_fail(status, "`%s`: %s (%s, error %d)", kernel, gpuGetErrorString(error), function, (int)error);
}

/* The most blocks with scratch memory: all multiprocessors have work. */
static @name@_status resident_blocks(
    const char *kernel, const @name@_function *function, @name@_stream stream, int64_t *most)
{
    int units;
    TRY(kernel, gpuGetUnits, gpuGetUnits(&units, stream));
    const int64_t threads = (int64_t)function->rows * function->columns;
    const int64_t each = threads < UNIT_THREADS ? UNIT_THREADS / threads : 1;
    *most = units * (each < UNIT_BLOCKS ? each : UNIT_BLOCKS);
    return @NAME@_SUCCESS;
}

static @name@_status launch(
    const char *kernel, const @name@_function *function, @name@_stream stream, void **given, int64_t elements,
    int64_t open_scratch)
{
    const size_t each = function->scratch + (size_t)open_scratch;
    const int64_t per_group = function->elements_per_group;
    const int64_t groups = elements / per_group + (elements % per_group != 0);
    int64_t blocks = groups <= INT32_MAX / function->groups_per_element ? groups * function->groups_per_element : INT64_MAX;
    if (each > 0) {
        int64_t most;
        const @name@_status found = resident_blocks(kernel, function, stream, &most);
        if (found != @NAME@_SUCCESS)
            return found;
        blocks = blocks < most ? blocks : most;
    }
    if (blocks > INT32_MAX)
        return @name@_fail(@NAME@_WRONG_BATCH, "`%s`: a batch of %lld is too large", kernel, (long long)elements);
    for (unsigned i = 0; i < function->code_count; ++i)
        if (function->shared > 0
            && gpuFuncSetAttribute(function->codes[i], gpuSharedMemoryAttribute, (int)function->shared) != gpuSuccess)
            return @name@_fail(@NAME@_UNFIT_DEVICE, "`%s` needs %zu bytes of shared memory, which the device does not have",
                kernel, function->shared);
    if (function->elements_position >= 0)
        given[function->elements_position] = &elements;
    void *scratch = NULL;
    if (each > 0) {
        if (each > SIZE_MAX / 2 / (size_t)blocks)
            return @name@_fail(@NAME@_NO_MEMORY, "`%s`: temporaries of %zu bytes are too large", kernel, each);
        TRY(kernel, gpuMallocAsync, gpuMallocAsync(&scratch, each * (size_t)blocks, stream));
        given[function->scratch_position] = &scratch;
    }
    const dim3 grid = {(unsigned)blocks, 1, 1}, block = {function->rows, function->columns, 1};
    @name@_status status = @NAME@_SUCCESS;
    for (unsigned i = 0; i < function->code_count && status == @NAME@_SUCCESS; ++i)
        status = @name@_check(
            kernel, "gpuLaunchKernel", gpuLaunchKernel(function->codes[i], grid, block, given, function->shared, stream));
    if (scratch != NULL)
        TRY(kernel, gpuFreeAsync, gpuFreeAsync(scratch, stream));
    return status;
}

/* The prologue and the kernel behind it, with memory for what it computes. */
static @name@_status launch_both(
    const @name@_kernel *kernel, @name@_stream stream, void **given, void **given_before, void **results, int64_t batch,
    int64_t scratch, unsigned char *memory)
{
    TRY(kernel->name, gpuMemsetAsync, gpuMemsetAsync(memory, 0, kernel->result_bytes, stream));
    for (unsigned i = 0; i < kernel->result_count; ++i) {
        const @name@_result *const each = &kernel->results[i];
        results[i] = memory + each->offset;
        if (each->position >= 0)
            given[each->position] = &results[i];
        given_before[each->prologue_position] = &results[i];
    }
    const @name@_status status = launch(kernel->name, kernel->prologue, stream, given_before, 1, 0);
    return status == @NAME@_SUCCESS ? launch(kernel->name, &kernel->function, stream, given, batch, scratch) : status;
}

@name@_status @name@_run(
    const @name@_kernel *kernel, @name@_stream stream, void **given, void **given_before, void **results, int64_t batch,
    int64_t scratch)
{
    if (kernel->prologue == NULL)
        return launch(kernel->name, &kernel->function, stream, given, batch, scratch);
    void *memory = NULL;
    TRY(kernel->name, gpuMallocAsync, gpuMallocAsync(&memory, kernel->result_bytes, stream));
    const @name@_status status = launch_both(kernel, stream, given, given_before, results, batch, scratch, memory);
    TRY(kernel->name, gpuFreeAsync, gpuFreeAsync(memory, stream));
    return status;
}
