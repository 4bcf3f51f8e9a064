/* Compare each kernel with naive loops, on the first device or on that of @NAME@_TEST_DEVICE: PLATFORM:DEVICE, numbers
 * from 0 on. Ends with 0 if all are right, 1 if one is wrong, 77 if there is no device. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

@declared@

static const test_kernel *const tests[] = {
@tests@
    NULL,
};

/* Kernels without loops, and why they have none. */
static const char *const untested[] = {
@untested@
    NULL,
};

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

int main(void)
{
    cl_device_id device;
    if (!find(&device)) {
        printf("there is no such OpenCL device\n");
        return 77;
    }
    cl_int error;
    cl_device_type type = 0;
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    const int is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (error != CL_SUCCESS)
        return 1;
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    if (error != CL_SUCCESS)
        return 1;
    @name@_library *kernels;
    if (@name@_create(context, device, &kernels) != @NAME@_SUCCESS) {
        printf("%s\n", @name@_message());
        return 1;
    }
    int counts[3] = {0, 0, 0};
    for (const test_kernel *const *each = tests; *each != NULL; ++each)
        ++counts[check(kernels, context, queue, is_cpu, *each)];
    for (const char *const *each = untested; *each != NULL; ++each) {
        puts(*each);
        ++counts[2];
    }
    printf("%d kernels are right, %d wrong, %d left out\n", counts[0], counts[1], counts[2]);
    @name@_destroy(kernels);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return counts[1] > 0;
}
