/* Kernels on the first device, or on that of @NAME@_TEST_DEVICE: PLATFORM:DEVICE, numbers from 0 on. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_DEVICES = 64 };

static int find(cl_device_id *device)
{
    const char *const wanted = getenv("@NAME@_TEST_DEVICE");
    unsigned platform = 0, number = 0;
    if (wanted != NULL && sscanf(wanted, "%u:%u", &platform, &number) != 2)
        return 0;
    cl_platform_id platforms[MOST_DEVICES];
    cl_device_id devices[MOST_DEVICES];
    cl_uint count = 0;
    if (clGetPlatformIDs(MOST_DEVICES, platforms, &count) != CL_SUCCESS || platform >= count)
        return 0;
    if (clGetDeviceIDs(platforms[platform], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &count) != CL_SUCCESS)
        return 0;
    *device = devices[number];
    return number < count;
}

static cl_context context;
static cl_command_queue queue;
static @name@_library *kernels;
static int is_cpu;

const int device_ways = 1;

const char *device_way(int way)
{
    (void)way;
    return "over the batch";
}

int device_open(void)
{
    cl_device_id device;
    if (!find(&device)) {
        printf("there is no such OpenCL device\n");
        return 77;
    }
    cl_int error;
    cl_device_type type = 0;
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (error != CL_SUCCESS)
        return 1;
    queue = clCreateCommandQueue(context, device, 0, &error);
    if (error != CL_SUCCESS)
        return 1;
    if (@name@_create(context, device, &kernels) != @NAME@_SUCCESS) {
        printf("%s\n", @name@_message());
        return 1;
    }
    return 0;
}

void device_close(void)
{
    @name@_destroy(kernels);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

/* A group is an array of addresses: those of the host, which a CPU follows. */
static cl_mem upload(const test_memory *from)
{
    cl_int error;
    const int is_group = from->storage == GROUPED;
    const size_t length = is_group ? (size_t)from->elements * sizeof from->addresses[0] : from->length;
    void *const bytes = is_group ? (void *)from->addresses : from->bytes;
    const cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, length, bytes, &error);
    return error == CL_SUCCESS ? made : NULL;
}

static int run(const test_kernel *test, const test_memory *memory, void *const *uploaded, const double *scalars)
{
    const @name@_launch launch = {queue, 0, NULL, NULL};
    const place where = {kernels, &launch};
    @name@_status status = test->start(&where, uploaded, scalars, 0); /* an empty batch changes nothing */
    if (status == @NAME@_SUCCESS)
        status = test->start(&where, uploaded, scalars, test->batch);
    if (status != @NAME@_SUCCESS) {
        printf("%s: %s\n", test->name, @name@_message());
        return status == @NAME@_UNFIT_DEVICE ? 2 : 1;
    }
    if (clFinish(queue) != CL_SUCCESS)
        return 1;
    for (size_t i = 0; i < test->tensor_count; ++i)
        if (memory[i].storage != GROUPED
            && clEnqueueReadBuffer(
                   queue, uploaded[i], CL_TRUE, 0, memory[i].length, memory[i].bytes, 0, NULL, NULL) != CL_SUCCESS)
            return 1;
    return 0;
}

int device_run(const test_kernel *test, const test_memory *memory, const double *scalars, int way)
{
    (void)way;
    for (size_t i = 0; i < test->tensor_count; ++i)
        if (memory[i].storage == GROUPED && !is_cpu) {
            printf("%s: left out, the device does not follow addresses of the host\n", test->name);
            return 2;
        }
    int result = 0;
    void **const uploaded = calloc(test->tensor_count + 1, sizeof uploaded[0]);
    if (uploaded == NULL)
        return 1;
    for (size_t i = 0; i < test->tensor_count; ++i) {
        uploaded[i] = upload(&memory[i]);
        result |= uploaded[i] == NULL;
    }
    if (result != 0)
        printf("%s: the device has no memory\n", test->name);
    else
        result = run(test, memory, uploaded, scalars);
    for (size_t i = 0; i < test->tensor_count; ++i)
        if (uploaded[i] != NULL)
            clReleaseMemObject(uploaded[i]);
    free(uploaded);
    return result;
}
