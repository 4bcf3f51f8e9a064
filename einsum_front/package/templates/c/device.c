/* Kernels on the processor: a batch on all threads and on one, and a call for each element. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

enum { ALL_THREADS, ONE_THREAD, ELEMENT_BY_ELEMENT };

const int device_ways = 3;

const char *device_way(int way)
{
    return way == ALL_THREADS ? "with all threads" : way == ONE_THREAD ? "with one thread" : "element by element";
}

int device_open(void)
{
    printf("instructions: %s\n", @name@_instructions());
    return 0;
}

void device_close(void)
{
}

/* Move to the memory of an element. */
static void move(const test_kernel *test, const test_memory *memory, void **given, int64_t element)
{
    for (size_t i = 0; i < test->tensor_count; ++i)
        given[i] = memory[i].storage == SHARED ? (void *)memory[i].bytes
            : memory[i].storage == GROUPED     ? (void *)(memory[i].addresses + element)
                                               : (void *)(memory[i].bytes + (size_t)element * memory[i].distance);
}

/* Rows of elements are as long as the batch of a call: such arrays have no parts. */
static int is_whole(const test_kernel *test, const test_memory *memory)
{
    for (size_t i = 0; i < test->tensor_count; ++i)
        if (memory[i].storage == BATCHED && memory[i].length > (size_t)memory[i].elements * memory[i].distance)
            return 1;
    return 0;
}

int device_run(const test_kernel *test, const test_memory *memory, const double *scalars, int way)
{
    void **const given = calloc(test->tensor_count + 1, sizeof given[0]);
    if (given == NULL)
        return 1;
    const place where = {way == ONE_THREAD ? @NAME@_SERIAL : @NAME@_PARALLEL};
    const int64_t step = way == ELEMENT_BY_ELEMENT && !is_whole(test, memory) ? 1 : test->batch;
    @name@_status status = test->start(&where, given, scalars, 0); /* an empty batch changes nothing */
    for (int64_t element = 0; element < test->batch && status == @NAME@_SUCCESS; element += step) {
        move(test, memory, given, element);
        status = test->start(&where, given, scalars, step);
    }
    free(given);
    if (status == @NAME@_SUCCESS)
        return 0;
    printf("%s: %s\n", test->name, @name@_message());
    return 1;
}
