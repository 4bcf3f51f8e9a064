// Counts the allocations of the whole program, of its libraries too: glibc lets a program replace these functions.
#include "allocations.hpp"

#include <atomic>
#include <cerrno>

namespace {
std::atomic<long> count{0};
}

long allocations()
{
    return count;
}

extern "C" {
void *__libc_malloc(std::size_t bytes);
void *__libc_calloc(std::size_t entries, std::size_t bytes);
void *__libc_realloc(void *memory, std::size_t bytes);
void *__libc_memalign(std::size_t alignment, std::size_t bytes);

void *malloc(std::size_t bytes)
{
    ++count;
    return __libc_malloc(bytes);
}

void *calloc(std::size_t entries, std::size_t bytes)
{
    ++count;
    return __libc_calloc(entries, bytes);
}

void *realloc(void *memory, std::size_t bytes)
{
    ++count;
    return __libc_realloc(memory, bytes);
}

void *aligned_alloc(std::size_t alignment, std::size_t bytes)
{
    ++count;
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, std::size_t alignment, std::size_t bytes)
{
    ++count;
    *memory = __libc_memalign(alignment, bytes);
    return *memory != nullptr ? 0 : ENOMEM;
}
}
