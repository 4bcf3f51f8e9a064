/* What the sources of the library share; no program includes this. Functions of CUDA and HIP are called `gpu…`. */
#ifndef @NAME@_INTERNAL_H
#define @NAME@_INTERNAL_H

#include <@name@.h>

#include <stddef.h>

#ifdef @NAME@_HIP
#define GPU(name) hip##name
#else
#define GPU(name) cuda##name
#endif
#define gpuError_t GPU(Error_t)
#define gpuSuccess GPU(Success)
#define gpuGetErrorString GPU(GetErrorString)
#define gpuGetDevice GPU(GetDevice)
#define gpuDeviceGetAttribute GPU(DeviceGetAttribute)
#define gpuMallocAsync GPU(MallocAsync)
#define gpuFreeAsync GPU(FreeAsync)
#define gpuMemsetAsync GPU(MemsetAsync)
#define gpuLaunchKernel GPU(LaunchKernel)
#define gpuFuncSetAttribute GPU(FuncSetAttribute)
#define gpuSharedMemoryAttribute GPU(FuncAttributeMaxDynamicSharedMemorySize)
#ifdef @NAME@_HIP
#define gpuUnitsAttribute hipDeviceAttributeMultiprocessorCount
#define gpuErrorMemoryAllocation hipErrorOutOfMemory
#define gpuErrorNoBinary hipErrorNoBinaryForGpu
#define gpuGetSymbolAddress(place, symbol) hipGetSymbolAddress(place, HIP_SYMBOL(symbol))
#else
#define gpuUnitsAttribute cudaDevAttrMultiProcessorCount
#define gpuErrorMemoryAllocation cudaErrorMemoryAllocation
#define gpuErrorNoBinary cudaErrorNoKernelImageForDevice
#define gpuGetSymbolAddress(place, symbol) cudaGetSymbolAddress(place, symbol)
#endif

#define gpuCode(function) ((const void *)function)

/* The multiprocessors of the device that a stream is of: the current one. */
static inline gpuError_t gpuGetUnits(int *units, @name@_stream stream)
{
    int device;
    (void)stream;
    const gpuError_t error = gpuGetDevice(&device);
    return error != gpuSuccess ? error : gpuDeviceGetAttribute(units, gpuUnitsAttribute, device);
}

@include shared/launches.h@
