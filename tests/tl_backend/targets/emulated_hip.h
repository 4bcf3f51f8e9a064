/* What a header of HIP would declare, as far as our texts use it: with it, Clang alone makes code for AMD's GPUs. */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(threads) __attribute__((launch_bounds(threads)))

namespace emulated {
#define PLACES(name, of_x, of_y, of_z)                             \
    struct name {                                                  \
        struct { __device__ operator unsigned() const { return of_x; } } x; \
        struct { __device__ operator unsigned() const { return of_y; } } y; \
        struct { __device__ operator unsigned() const { return of_z; } } z; \
    };
PLACES(Item, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z())
PLACES(Group, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z())
PLACES(Groups, __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(), 1, 1)
#undef PLACES
}
extern const __device__ __attribute__((weak)) emulated::Item threadIdx;
extern const __device__ __attribute__((weak)) emulated::Group blockIdx;
extern const __device__ __attribute__((weak)) emulated::Groups gridDim;

template <class T> __device__ inline T min(T a, T b) { return b < a ? b : a; }
template <class T> __device__ inline T max(T a, T b) { return a < b ? b : a; }

__device__ inline void __syncthreads()
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
    __builtin_amdgcn_s_barrier();
}

template <class T> __device__ inline T atomicAdd(T *at, T value)
{
    T old = *at;
    *at = old + value;
    return old;
}

template <class T> __device__ inline T atomicCAS(T *at, T old, T now)
{
    __atomic_compare_exchange_n(at, &old, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return old;
}

extern "C" {
__device__ double sqrt(double), exp(double), log(double), tanh(double), erf(double), fabs(double), fmod(double, double);
__device__ double fma(double, double, double), fmax(double, double), fmin(double, double);
__device__ float sqrtf(float), expf(float), logf(float), tanhf(float), erff(float), fabsf(float), fmodf(float, float);
__device__ float fmaf(float, float, float), fmaxf(float, float), fminf(float, float);
}
