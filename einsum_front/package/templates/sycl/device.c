/* What the code below asks of SYCL: sycl.cpp has it. */
#include "internal.h"

enum { GPU(MemcpyHostToDevice), GPU(MemcpyDeviceToHost) };

int GPU(GetDeviceCount)(int *count);
int GPU(StreamCreate)(@name@_queue *queue);
int GPU(StreamSynchronize)(@name@_queue queue);
int GPU(StreamDestroy)(@name@_queue queue);
int GPU(Malloc)(void **memory, size_t bytes);
int GPU(Free)(void *memory);
int GPU(Memcpy)(void *to, const void *from, size_t bytes, int direction);

@include cuda/device.c@
