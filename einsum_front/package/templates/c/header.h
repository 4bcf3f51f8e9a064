/* Kernels of @file@, made by einsum-front: C for the processor that a program runs on.
 *
 *     if (@name@_KERNEL(@NAME@_PARALLEL, arguments…, batch) != @NAME@_SUCCESS)
 *         fprintf(stderr, "%s\n", @name@_message());
 *
 * A function of a kernel has run when it returns. All functions may be called by several threads at once.
 */
#ifndef @NAME@_H
#define @NAME@_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a call went; `@name@_message` says more. */
typedef enum {
    @NAME@_SUCCESS = 0,
    @NAME@_NULL_POINTER = 1, /* a pointer is null that must not be */
    @NAME@_WRONG_BATCH = 2,  /* the batch is negative or too large */
    @NAME@_WRONG_SIZE = 3,   /* a size, or an integer that says a place, is out of its limits */
    @NAME@_SMALL_MEMORY = 4, /* an argument has less memory than the batch needs; found in debug builds, in C++ */
    @NAME@_NO_MEMORY = 5     /* the host has no memory */
} @name@_status;

/* Which threads run a batch: the caller alone, or those of OpenMP. In a parallel region the caller is alone, too. */
typedef enum { @NAME@_SERIAL = 0, @NAME@_PARALLEL = 1 } @name@_threads;

/* What the last call of this thread that failed has to say. */
const char *@name@_message(void);

/* The set of instructions that kernels are run with: the best that the processor has, or if that has it, the one that the
 * environment variable @NAME@_INSTRUCTIONS named when the library was loaded. */
const char *@name@_instructions(void);

@include shared/check_entries.h@

/* The kernels. Memory has one element after the other. Strides are of the modes in the order of the text: how many entries
 * apart two neighbours of a mode are. Entries that a tensor declares to be zero hold zeros. What is written shares no memory
 * with another argument. `batch` counts elements and may be 0: then pointers may be null. */

@kernels@

#ifdef __cplusplus
}
#endif

#endif
