/* What device.c asks of SYCL besides: the device that SYCL chooses, and memory of it. */
#include "internal.h"

#include <sycl/sycl.hpp>

static sycl::queue *made;

extern "C" {

int GPU(GetDeviceCount)(int *count)
{
    *count = static_cast<int>(sycl::device::get_devices().size());
    return gpuSuccess;
}

int GPU(StreamCreate)(void **queue)
{
    *queue = made = new sycl::queue(sycl::property::queue::in_order());
    return gpuSuccess;
}

int GPU(StreamSynchronize)(void *)
{
    made->wait();
    return gpuSuccess;
}

int GPU(StreamDestroy)(void *)
{
    delete made;
    return gpuSuccess;
}

int GPU(Malloc)(void **memory, size_t bytes)
{
    *memory = sycl::malloc_device(bytes, *made);
    return *memory == nullptr;
}

int GPU(Free)(void *memory)
{
    sycl::free(memory, *made);
    return gpuSuccess;
}

int GPU(Memcpy)(void *to, const void *from, size_t bytes, int)
{
    made->memcpy(to, from, bytes).wait();
    return gpuSuccess;
}
}
