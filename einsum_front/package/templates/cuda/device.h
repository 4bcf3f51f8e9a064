/* What device code needs: HIP has it in a header, CUDA's compiler knows it. */
#ifdef @NAME@_HIP
#include <hip/hip_runtime.h>
#endif
