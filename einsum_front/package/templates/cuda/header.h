/* Kernels of @file@, made by einsum-front: CUDA C++, also for HIP, and what a C program needs to run it.
 *
 *     if (@name@_KERNEL(stream, arguments…, batch) != @NAME@_SUCCESS)
 *         fprintf(stderr, "%s\n", @name@_message());
 *
 * A function of a kernel launches it on the stream, in the device that is current, and does not wait. All functions may
 * be called by several threads at once.
 */
#ifndef @NAME@_H
#define @NAME@_H

#ifdef @NAME@_HIP /* the library was built for AMD's GPUs */
#include <hip/hip_runtime_api.h>
typedef hipStream_t @name@_stream;
#else
#include <cuda_runtime_api.h>
typedef cudaStream_t @name@_stream;
#endif

@include shared/gpu_header.h@
