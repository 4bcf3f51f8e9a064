/* Runs kernels: with the best instructions of the processor, on one thread or those of OpenMP. */
#include "internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { LINE = 64 };

/* -- sets of instructions ---------------------------------------------------------------------------------------- */

static const char *const sets[] = {
@instruction_sets@
};

enum { SETS = sizeof sets / sizeof sets[0] };

static unsigned chosen = SETS - 1; /* every processor has the last one */

static int has(unsigned set)
{
    unsigned number = 0;
@tests_of_sets@
    return 0;
}

__attribute__((constructor)) static void choose(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
#endif
    const char *const wanted = getenv("@NAME@_INSTRUCTIONS");
    for (unsigned set = SETS; set-- > 0;)
        if (has(set))
            chosen = set;
    for (unsigned set = 0; wanted != NULL && set < SETS; ++set)
        if (strcmp(wanted, sets[set]) == 0 && has(set))
            chosen = set;
}

const char *@name@_instructions(void)
{
    return sets[chosen];
}

/* -- memory ------------------------------------------------------------------------------------------------------ */

/* Memory of one call, kept for later ones. */
typedef struct block {
    struct block *next;
    size_t size;
} block;

static block *kept;
static atomic_flag is_locked = ATOMIC_FLAG_INIT;

static void lock(void)
{
    while (atomic_flag_test_and_set_explicit(&is_locked, memory_order_acquire)) {
    }
}

static void unlock(void)
{
    atomic_flag_clear_explicit(&is_locked, memory_order_release);
}

static unsigned char *bytes_of(block *own)
{
    const uintptr_t behind = (uintptr_t)(own + 1) + LINE - 1;
    return (unsigned char *)(behind - behind % LINE);
}

/* The first one that is large enough, or a new one. */
static block *take(size_t size)
{
    lock();
    block **place = &kept;
    while (*place != NULL && (*place)->size < size)
        place = &(*place)->next;
    block *found = *place;
    if (found != NULL)
        *place = found->next;
    unlock();
    if (found == NULL && (found = malloc(sizeof *found + LINE + size)) != NULL)
        found->size = size;
    return found;
}

static void give(block *own)
{
    lock();
    own->next = kept;
    kept = own;
    unlock();
}

__attribute__((destructor)) static void release(void)
{
    while (kept != NULL) {
        block *const first = kept;
        kept = first->next;
        free(first);
    }
}

/* -- calls ------------------------------------------------------------------------------------------------------- */

@name@_status @name@_check_batch(const char *kernel, int64_t batch)
{
    if (batch >= 0)
        return @NAME@_SUCCESS;
    return @name@_fail(@NAME@_WRONG_BATCH, "`%s`: the batch is %lld", kernel, (long long)batch);
}

static int64_t threads_of(@name@_threads threads)
{
#ifdef _OPENMP
    if (threads == @NAME@_PARALLEL && !omp_in_parallel())
        return omp_get_max_threads();
#endif
    (void)threads;
    return 1;
}

static void run_groups(const @name@_function *function, const @name@_call *call, int64_t groups, int64_t most_threads)
{
#ifdef _OPENMP
    if (most_threads > 1 && groups > 1) {
#pragma omp parallel for schedule(static)
        for (int64_t group = 0; group < groups; ++group)
            function->run(call, group, groups);
        return;
    }
#endif
    (void)most_threads;
    for (int64_t group = 0; group < groups; ++group)
        function->run(call, group, groups);
}

@name@_status @name@_run(const @name@_kernel *kernel, @name@_call *call, @name@_threads threads)
{
    const @name@_variant *const variant = &kernel->variants[chosen];
    const int is_few = call->batch < variant->few;
    const @name@_function *const function = is_few ? &variant->one : &variant->batch;
    const size_t each = function->scratch + (size_t)call->scratch;
    if (is_few && kernel->results == 0 && each == 0) { /* the usual way of one element */
        function->run(call, 0, 1);
        return @NAME@_SUCCESS;
    }
    const int64_t per_group = function->elements_per_group;
    if (call->batch > INT64_MAX / function->groups_per_element - per_group)
        return @name@_fail(@NAME@_WRONG_BATCH, "`%s`: a batch of %lld is too large", kernel->name, (long long)call->batch);
    int64_t groups = (call->batch + per_group - 1) / per_group * function->groups_per_element;
    const int64_t most_threads = groups > 1 ? threads_of(threads) : 1;
    if (each > 0 && groups > most_threads)
        groups = most_threads;
    if (each > SIZE_MAX / 2 / (size_t)groups)
        return @name@_fail(@NAME@_NO_MEMORY, "`%s`: temporaries of %zu bytes are too large", kernel->name, each);
    const size_t scratch = each * (size_t)groups;
    const size_t before = variant->prologue.scratch;
    const size_t size = kernel->results + (scratch > before ? scratch : before);
    if (size == 0) {
        run_groups(function, call, groups, most_threads);
        return @NAME@_SUCCESS;
    }
    block *const own = take(size);
    if (own == NULL)
        return @name@_fail(@NAME@_NO_MEMORY, "`%s`: the host has no memory", kernel->name);
    call->memory = bytes_of(own);
    if (variant->prologue.run != NULL) {
        for (int64_t group = 0; group < variant->prologue.groups_per_element; ++group)
            variant->prologue.run(call, group, variant->prologue.groups_per_element);
    }
    run_groups(function, call, groups, most_threads);
    give(own);
    return @NAME@_SUCCESS;
}
