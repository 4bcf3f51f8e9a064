#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

static inline void atomic_add_f32_f32_avx2(float *entry, float value)
{
    float old, changed;
    __atomic_load(entry, &old, __ATOMIC_RELAXED);
    do {
        changed = (float)(old + value);
    } while (!__atomic_compare_exchange(entry, &old, &changed, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

static void atomic_avx2(
    int64_t group,
    int64_t groups,
    const float *restrict x,
    int64_t x_size1,
    float *restrict y,
    int64_t elements)
{
    int64_t first = 32 * group;
    int64_t stop = MINIMUM(first + 32, elements);
    for (int64_t element = first; element < stop; ++element) {
        // %g = group_id
        // test.tl:3:3
        int64_t g = element;
        // %e = subview %x[:, %g] : memref<f32x6x?>
        // test.tl:4:3
        const float *e = x + 6 * g;
        // %t = alloca -> memref<f32x6>
        // test.tl:5:3
        float t[6] __attribute__((aligned(32)));
        // axpby.n 2.0, %e, 0.0, %t : f32, memref<f32x6>, f32, memref<f32x6>
        // test.tl:6:3
        for (int32_t i = 0; i < 6; ++i) {
            t[i] = 2.0f * e[i];
        }
        // axpby.n.atomic 1.0, %t, 1.0, %y : f32, memref<f32x6>, f32, memref<f32x6>
        // test.tl:8:3
        for (int32_t i = 0; i < 6; ++i) {
            atomic_add_f32_f32_avx2(&y[i], t[i]);
        }
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
