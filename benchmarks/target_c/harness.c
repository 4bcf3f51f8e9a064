/* A kernel of a package over a batch: in one call, and in a call for each element with a share for each thread. */
#include <benchmarked.h>

#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST = 64 };

typedef struct {
    void **memory;
    const long *steps; /* bytes from one element to the next */
    const double *scalars;
    long batch, sweeps, threads, count;
} all_of_it;

static benchmarked_status run_kernel(
    benchmarked_threads threads, void *const *given, const all_of_it *call, int64_t batch)
{
    @call@
}

/* Seconds of a sweep. */
double run_batch(const all_of_it *call)
{
    omp_set_num_threads((int)call->threads);
    const double start = omp_get_wtime();
    for (long sweep = 0; sweep < call->sweeps; ++sweep)
        if (run_kernel(BENCHMARKED_PARALLEL, call->memory, call, call->batch) != BENCHMARKED_SUCCESS)
            abort();
    return (omp_get_wtime() - start) / (double)call->sweeps;
}

/* Seconds of a sweep in the slowest thread. */
double run_elements(const all_of_it *call)
{
    double slowest = 0;
#pragma omp parallel num_threads((int)call->threads) reduction(max : slowest)
    {
        const long threads = omp_get_num_threads(), own = omp_get_thread_num();
        const long begin = call->batch * own / threads, end = call->batch * (own + 1) / threads;
        void *given[MOST];
        const double start = omp_get_wtime();
        for (long sweep = 0; sweep < call->sweeps; ++sweep) {
            for (long i = 0; i < call->count; ++i)
                given[i] = (char *)call->memory[i] + begin * call->steps[i];
            for (long element = begin; element < end; ++element) {
                if (run_kernel(BENCHMARKED_SERIAL, given, call, 1) != BENCHMARKED_SUCCESS)
                    abort();
                for (long i = 0; i < call->count; ++i)
                    given[i] = (char *)given[i] + call->steps[i];
            }
        }
        slowest = omp_get_wtime() - start;
    }
    return slowest / (double)call->sweeps;
}
