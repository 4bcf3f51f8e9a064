"""cuBLAS by way of torch: the chain of dense products, each over the whole batch, on a GPU and by its clock."""

from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.arguments import Arguments
from benchmarks.case import Arrays, Case
from benchmarks.chain import Chain, Product, Update
from benchmarks.peers.chain_memory import View, memory_of
from benchmarks.peers.einsum_libraries import by_cuda, by_host, without_cuda
from benchmarks.peers.peer import Peer


class TorchChain:
    """The chain on a torch device; views are made beforehand."""

    def __init__(self, chain: Chain, arguments: Arguments, device: str) -> None:
        torch = import_module("torch")
        self._torch = torch
        self._arguments = arguments
        memory = memory_of(chain, arguments)
        self._tensors = {name: torch.from_numpy(row).to(device) for name, row in memory.tensors.items()}
        self._steps = [(step, tuple(map(self._strided, memory.views(step)))) for step in chain.steps]
        self._rows = memory.tensors
        self._seconds = by_cuda if device == "cuda" else by_host

    def run(self) -> float:
        return self._seconds(self._compute)

    def outputs(self) -> Arrays:
        """Copies of the memory of the device, as the arrays of the arguments lie in it."""
        for name in self._arguments.outputs:
            np.copyto(self._rows[name], self._tensors[name].cpu().numpy())
        return {name: self._arguments.natural(name) for name in self._arguments.outputs}

    def _compute(self) -> None:
        torch, values = self._torch, self._arguments.values
        for step, (a, b, c) in self._steps:
            match step:
                case Product(beta=0):
                    torch.matmul(b, a, out=c)
                case Product():
                    c.add_(torch.matmul(b, a))
                case Update(beta=0, scalar=scalar):
                    torch.mul(a, values[scalar], out=c)
                case Update(scalar=scalar):
                    c.add_(a, alpha=values[scalar])

    def _strided(self, view: View) -> Any:
        return self._torch.as_strided(self._tensors[view.tensor], view.shape, view.strides, view.offset)


def _prepare(case: Case, arguments: Arguments, _threads: int) -> TorchChain | None:
    if case.chain is None or case.has_primitives:
        return None
    arguments = arguments.with_own_outputs()
    return TorchChain(case.chain(arguments.arrays), arguments, "cuda")


CUBLAS = Peer("cuBLAS (torch)", without_cuda, _prepare)
