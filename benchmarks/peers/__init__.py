"""Other libraries that compute the same."""

from benchmarks.peers import cublas, einsum_libraries, libxsmm, matmul, target_c, torch_mlir
from benchmarks.peers.peer import Peer

ON_CPU: tuple[Peer, ...] = (
    einsum_libraries.NUMPY,
    matmul.NUMPY,
    einsum_libraries.TORCH,
    einsum_libraries.JAX,
    libxsmm.LIBXSMM,
    torch_mlir.TORCH_MLIR,
    target_c.TARGET_C,
    target_c.TARGET_C_ONE,
)
ON_GPU: tuple[Peer, ...] = (
    cublas.CUBLAS,
    einsum_libraries.TORCH_CUDA,
    einsum_libraries.TORCH_COMPILED,
    einsum_libraries.JAX_GPU,
    einsum_libraries.CUPY,
)
