/* What the sources of the library share; no program includes this. */
#ifndef @NAME@_INTERNAL_H
#define @NAME@_INTERNAL_H

#include <@name@.h>

#include <stddef.h>

/* The part of the arguments of a call that every kernel has. */
typedef struct {
    int64_t batch;
    int64_t scratch;       /* bytes for each group, if only the call knows how many; else 0 */
    unsigned char *memory; /* the library's: what the prologue computes, then scratch memory of each group */
} @name@_call;

/* Runs one group of so many. */
typedef void @name@_body(const @name@_call *call, int64_t group, int64_t groups);

typedef struct {
    @name@_body *run;
    int64_t elements_per_group, groups_per_element;
    size_t scratch; /* bytes for each group that runs at a time; such a group runs several elements */
} @name@_function;

/* A kernel for a set of instructions. */
typedef struct {
    @name@_function batch, one, prologue; /* `run` is null where there is none */
    int64_t few;                          /* less elements are run by `one`, as one group */
} @name@_variant;

typedef struct {
    const char *name;
    const @name@_variant *variants; /* in the order of the sets of instructions */
    size_t results;                 /* bytes that the prologue computes */
} @name@_kernel;

/* Run a kernel with a batch of 1 or more. */
@name@_status @name@_run(const @name@_kernel *kernel, @name@_call *call, @name@_threads threads);

/* The status of a batch that has no elements. */
@name@_status @name@_check_batch(const char *kernel, int64_t batch);

/* Check a size that only the call knows. */
@name@_status @name@_check_size(const char *kernel, const char *name, int64_t size, int64_t least, int64_t most);

@include shared/arithmetic.h@

#endif
