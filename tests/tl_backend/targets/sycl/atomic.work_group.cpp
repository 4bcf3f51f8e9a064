struct alignas(128) local_line { unsigned char bytes[128]; };
namespace {

template <class T> inline auto atomic(T *target)
{
    return sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>(*target);
}
template <class T> inline T atomicExch(T *target, T value) { return atomic(target).exchange(value); }
template <class T> inline T atomicAdd(T *target, T value) { return atomic(target).fetch_add(value); }
template <class T> inline T atomicCAS(T *target, T old, T value)
{
    atomic(target).compare_exchange_strong(old, value);
    return old;
}

// Updates of an entry of type M with values of type C that no other thread comes between.
template <class M> inline auto bits_of(M value)
{
    if constexpr (sizeof(M) == 8) {
        unsigned long long bits;
        memcpy(&bits, &value, 8);
        return bits;
    } else {
        unsigned int bits;
        memcpy(&bits, &value, 4);
        return bits;
    }
}
template <class M, class C> inline void atomic_store(M *target, C value)
{
    auto bits = bits_of((M)value);
    atomicExch((decltype(bits) *)target, bits);
}
template <class M, class C, class F> inline void atomic_change(M *target, F next)
{
    auto seen = bits_of(M(0)), old = seen; // a plain read would race with the exchanges of others
    do {
        old = seen;
        M entry;
        memcpy(&entry, &old, sizeof entry);
        seen = atomicCAS((decltype(seen) *)target, old, bits_of((M)next((C)entry)));
    } while (seen != old); // bits, so that NaN ends the loop, too
}
template <class M, class C> inline void atomic_plus(M *target, C value)
{
    if constexpr (M(0.5) == M(0) && C(0.5) == C(0)) { // integers
        auto bits = bits_of((M)value);
        atomicAdd((decltype(bits) *)target, bits);
    } else if constexpr (sizeof(M) == sizeof(C) && M(0.5) != M(0) && C(0.5) != C(0))
        atomicAdd(target, value);
    else
        atomic_change<M, C>(target, [=](C old) { return old + value; });
}
template <class M, class C> inline void atomic_scale_plus(M *target, C value, C beta)
{
    // the old value may be NaN where it does not count
    atomic_change<M, C>(target, [=](C old) { return (beta == C(0) ? C(0) : beta * old) + value; });
}
} // namespace

static inline void atomic_1_sycl(
    [[maybe_unused]] const sycl::nd_item<2> &item,
    unsigned char *group_memory,
    const float *__restrict__ x,
    long long x_size1,
    float *__restrict__ y,
    long long elements)
{
    int item_row = (long long)item.get_local_id(1);
    unsigned char *const local_memory = group_memory;
    long long wanted = 32 * (long long)item.get_group(1) + (long long)item.get_local_id(0);
    bool is_element = wanted < elements;
    long long element = sycl::min(wanted, elements - 1);
    int place = element - 32 * (long long)item.get_group(1);
    unsigned char *own_memory = local_memory + 64 * place;
    // %g = group_id
    // test.tl:3:3
    long long g = element;
    // %e = subview %x[:, %g] : memref<f32x6x?>
    // test.tl:4:3
    const float *e = x + 6 * g;
    // %t = alloca -> memref<f32x6>
    // test.tl:5:3
    float *t = (float *)own_memory;
    // axpby.n 2.0, %e, 0.0, %t : f32, memref<f32x6>, f32, memref<f32x6>
    // test.tl:6:3
    if (is_element) {
        #pragma unroll
        for (int turn = 0; turn < 1; ++turn) {
            int entry = item_row + 4 * turn;
            t[entry] = 2.0f * e[entry];
        }
        if (item_row < 2) {
            int entry = item_row + 4;
            t[entry] = 2.0f * e[entry];
        }
    }
    // barrier
    // test.tl:7:3
    sycl::group_barrier(item.get_group());
    // axpby.n.atomic 1.0, %t, 1.0, %y : f32, memref<f32x6>, f32, memref<f32x6>
    // test.tl:8:3
    if (is_element) {
        #pragma unroll
        for (int turn = 0; turn < 1; ++turn) {
            int entry = item_row + 4 * turn;
            atomic_plus<float, float>(&y[entry], t[entry]);
        }
        if (item_row < 2) {
            int entry = item_row + 4;
            atomic_plus<float, float>(&y[entry], t[entry]);
        }
    }
}

sycl::event atomic_1_sycl(
    sycl::queue &queue,
    std::size_t groups,
    const float *__restrict__ x,
    long long x_size1,
    float *__restrict__ y,
    long long elements)
{
    return queue.submit([&](sycl::handler &handler) {
        const sycl::local_accessor<local_line, 1> group_memory(16, handler);
        handler.parallel_for(sycl::nd_range<2>({32, 4 * groups}, {32, 4}), [=](sycl::nd_item<2> item) {
            atomic_1_sycl(item, (unsigned char *)&group_memory[0], x, x_size1, y, elements);
        });
    });
}
