/* What the sources of the library share; no program includes this. Functions of SYCL are called `gpu…`, as those of CUDA
 * are in other packages: sycl.cpp has them for C. */
#ifndef @NAME@_INTERNAL_H
#define @NAME@_INTERNAL_H

#include <@name@.h>

#include <stddef.h>

#define GPU(name) @name@_sycl##name
#define @name@_stream @name@_queue
#define gpuError_t int
#define gpuGetErrorString GPU(GetErrorString)
#define gpuGetUnits GPU(GetUnits)
#define gpuMallocAsync GPU(MallocAsync)
#define gpuFreeAsync GPU(FreeAsync)
#define gpuMemsetAsync GPU(MemsetAsync)
#define gpuLaunchKernel GPU(LaunchKernel)
#define gpuFuncSetAttribute(code, attribute, bytes) gpuSuccess /* no kernel has more than its text declares */
#define dim3 GPU(Range)

enum { gpuSuccess, gpuErrorMemoryAllocation, gpuErrorNoBinary, gpuErrorUnknown };

typedef struct {
    unsigned x, y, z;
} dim3;

#ifdef __cplusplus
extern "C" {
#endif

/* The words of the last error of this thread. */
const char *gpuGetErrorString(int error);

int gpuGetUnits(int *units, @name@_queue queue);
int gpuMallocAsync(void **made, size_t bytes, @name@_queue queue);
int gpuFreeAsync(void *memory, @name@_queue queue);
int gpuMemsetAsync(void *memory, int value, size_t bytes, @name@_queue queue);

/* Submit a kernel, `code` is a `gpuCode`; its text knows the shape of its work-groups. */
int gpuLaunchKernel(const void *code, dim3 groups, dim3 items, void **given, size_t shared, @name@_queue queue);

/* Constants where the device has them: copied at the first call for a context, and kept. */
int GPU(Constant)(void **place, const void *values, size_t bytes, @name@_queue queue);

#ifdef __cplusplus
}
#endif

@include shared/launches.h@
