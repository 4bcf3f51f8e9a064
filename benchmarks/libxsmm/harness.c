/* Chains of small matrix products over a batch with LIBXSMM, one share of the batch for each thread.
 *
 * The element type is REAL (double or float); the steps come from Python, see benchmarks/peers/libxsmm.py.
 */
#include <libxsmm.h>
#include <pthread.h>
#include <time.h>

#define JOIN(a, b) a##b
#define WITH_PREFIX(prefix, name) JOIN(prefix, name)
#define DISPATCH WITH_PREFIX(libxsmm_, WITH_PREFIX(PREFIX, mmdispatch))
#define DISPATCH_REDUCING WITH_PREFIX(libxsmm_, WITH_PREFIX(PREFIX, mmdispatch_reducebatch_strd))
typedef WITH_PREFIX(libxsmm_, WITH_PREFIX(PREFIX, mmfunction)) multiplication;
typedef WITH_PREFIX(libxsmm_, WITH_PREFIX(PREFIX, mmfunction_reducebatch_strd)) reduction;

/* A column-major matrix: of element e at `data + e step + offset`, or in the thread's own memory if data is NULL. */
typedef struct {
    REAL *data;
    long step, offset, ld, distance;
} matrix;

/* UPDATE: c := scale a + beta c. PRODUCT: c := a b + beta c, `times` copies. REDUCING: c := sum of `times` a b + beta c.
 * RELU, GELU: c := function(c + a), where a has an entry for each row. */
enum { UPDATE, PRODUCT, REDUCING, RELU, GELU };
typedef struct {
    matrix a, b, c;
    long m, n, k, beta, times, kind;
    double scale;
    union {
        multiplication multiply;
        reduction reduce;
    };
} step;

/* Vectors of glibc: without this the compiler knows them only together with -ffast-math. */
__attribute__((simd("notinbranch"), const)) extern double erf(double);
__attribute__((simd("notinbranch"), const)) extern float erff(float);
#define ERF(x) _Generic((x), float: erff, double: erf)(x)

/* Generates the code of every product; returns the number of those that LIBXSMM has no code for. */
long prepare(step *steps, long count)
{
    long refused = 0;
    libxsmm_init();
    for (step *s = steps; s < steps + count; ++s) {
        if (s->kind != PRODUCT && s->kind != REDUCING) continue;
        const libxsmm_blasint lda = s->a.ld, ldb = s->b.ld, ldc = s->c.ld;
        const REAL alpha = 1, beta = s->beta;
        const long bytes = sizeof(REAL);
        if (s->kind == REDUCING)
            s->reduce = DISPATCH_REDUCING(s->m, s->n, s->k, s->a.distance * bytes, s->b.distance * bytes, &lda, &ldb,
                                          &ldc, &alpha, &beta, NULL, NULL);
        else
            s->multiply = DISPATCH(s->m, s->n, s->k, &lda, &ldb, &ldc, &alpha, &beta, NULL, NULL);
        refused += s->multiply == NULL;
    }
    return refused;
}

static REAL *place(const matrix *x, long element, REAL *scratch)
{
    return (x->data ? x->data + element * x->step : scratch) + x->offset;
}

static void update(const step *s, const REAL *a, REAL *c)
{
    const REAL scale = s->scale, beta = s->beta;
    for (long j = 0; j < s->n; ++j) {
        const REAL *from = a + j * s->a.ld;
        REAL *to = c + j * s->c.ld;
        if (s->beta)
            for (long i = 0; i < s->m; ++i) to[i] = beta * to[i] + scale * from[i];
        else
            for (long i = 0; i < s->m; ++i) to[i] = scale * from[i];
    }
}

static void relu(const step *s, const REAL *restrict bias, REAL *restrict c)
{
    for (long j = 0; j < s->n; ++j)
        for (long i = 0; i < s->m; ++i) {
            const REAL x = c[i + j * s->c.ld] + bias[i];
            c[i + j * s->c.ld] = x < 0 ? 0 : x;
        }
}

static void gelu(const step *s, const REAL *restrict bias, REAL *restrict c)
{
    for (long j = 0; j < s->n; ++j)
        for (long i = 0; i < s->m; ++i) {
            const REAL x = c[i + j * s->c.ld] + bias[i];
            c[i + j * s->c.ld] = x * (REAL)0.5 * (ERF(x * (REAL)0.70710678118654752440) + 1);
        }
}

static void run_element(const step *steps, long count, long element, REAL *scratch)
{
    for (const step *s = steps; s < steps + count; ++s) {
        const REAL *a = place(&s->a, element, scratch);
        REAL *c = place(&s->c, element, scratch);
        const REAL *b = place(&s->b, element, scratch);
        const unsigned long long copies = s->times;
        switch (s->kind) {
        case UPDATE:
            update(s, a, c);
            break;
        case PRODUCT:
            for (long t = 0; t < s->times; ++t)
                s->multiply(a + t * s->a.distance, b + t * s->b.distance, c + t * s->c.distance);
            break;
        case REDUCING:
            s->reduce(a, b, c, &copies);
            break;
        case RELU:
            relu(s, a, c);
            break;
        case GELU:
            gelu(s, a, c);
            break;
        }
    }
}

/* What a thread does: its share of the batch, `sweeps` times, with memory of its own for what the steps have between. */
typedef struct {
    const step *steps;
    long count, begin, end, sweeps;
    REAL *scratch;
    double seconds;
} share;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void *run_share(void *given)
{
    share *s = given;
    const double start = now();
    for (long sweep = 0; sweep < s->sweeps; ++sweep)
        for (long element = s->begin; element < s->end; ++element) run_element(s->steps, s->count, element, s->scratch);
    s->seconds = now() - start;
    return NULL;
}

/* Runs the steps for every element of the batch, `sweeps` times; returns the seconds that a sweep takes in the slowest
 * thread, without starting threads and waiting for them. `scratch` has `scratch_size` entries for each thread. */
double run(const step *steps, long count, long batch, long sweeps, long threads, REAL *scratch, long scratch_size)
{
    double slowest = 0;
    pthread_t handles[threads];
    int started[threads];
    share shares[threads];
    for (long t = 0; t < threads; ++t) {
        const long begin = batch * t / threads, end = batch * (t + 1) / threads;
        shares[t] = (share){steps, count, begin, end, sweeps, scratch + t * scratch_size, 0};
        started[t] = pthread_create(&handles[t], NULL, run_share, &shares[t]) == 0;
        if (!started[t]) run_share(&shares[t]);
    }
    for (long t = 0; t < threads; ++t) {
        if (started[t]) pthread_join(handles[t], NULL);
        if (shares[t].seconds > slowest) slowest = shares[t].seconds;
    }
    return slowest / sweeps;
}
