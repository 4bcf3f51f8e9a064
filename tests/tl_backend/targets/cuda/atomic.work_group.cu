#ifndef KERNEL // who includes this may want another linkage
#define KERNEL(threads) extern "C" __global__ __launch_bounds__(threads)
#endif
namespace {

// Updates of an entry of type M with values of type C that no other thread comes between.
template <class M> __device__ __forceinline__ auto bits_of(M value)
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
template <class M, class C> __device__ __forceinline__ void atomic_store(M *target, C value)
{
    auto bits = bits_of((M)value);
    atomicExch((decltype(bits) *)target, bits);
}
template <class M, class C, class F> __device__ __forceinline__ void atomic_change(M *target, F next)
{
    auto seen = bits_of(M(0)), old = seen; // a plain read would race with the exchanges of others
    do {
        old = seen;
        M entry;
        memcpy(&entry, &old, sizeof entry);
        seen = atomicCAS((decltype(seen) *)target, old, bits_of((M)next((C)entry)));
    } while (seen != old); // bits, so that NaN ends the loop, too
}
template <class M, class C> __device__ __forceinline__ void atomic_plus(M *target, C value)
{
    if constexpr (M(0.5) == M(0) && C(0.5) == C(0)) { // integers
        auto bits = bits_of((M)value);
        atomicAdd((decltype(bits) *)target, bits);
    } else if constexpr (sizeof(M) == sizeof(C) && M(0.5) != M(0) && C(0.5) != C(0))
        atomicAdd(target, value);
    else
        atomic_change<M, C>(target, [=](C old) { return old + value; });
}
template <class M, class C> __device__ __forceinline__ void atomic_scale_plus(M *target, C value, C beta)
{
    // the old value may be NaN where it does not count
    atomic_change<M, C>(target, [=](C old) { return (beta == C(0) ? C(0) : beta * old) + value; });
}
} // namespace

KERNEL(128)
void atomic_gpu(const float *__restrict__ x, long long x_size1, float *__restrict__ y, long long elements)
{
    int item_row = (long long)threadIdx.x;
    __shared__ unsigned char local_memory[2048] __attribute__((aligned(64)));
    long long wanted = 32 * (long long)blockIdx.x + (long long)threadIdx.y;
    bool is_element = wanted < elements;
    long long element = min(wanted, elements - 1);
    int place = element - 32 * (long long)blockIdx.x;
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
    __syncthreads();
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
