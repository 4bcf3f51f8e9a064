"""numpy.matmul: the chain of dense products, each over the whole batch."""

import numpy as np
from numpy.lib.stride_tricks import as_strided

from benchmarks.arguments import Arguments
from benchmarks.case import Arrays, Case
from benchmarks.chain import Array, Chain, Product, Step, Update
from benchmarks.measure import Stopwatch
from benchmarks.peers.chain_memory import ChainMemory, View, memory_of
from benchmarks.peers.peer import Peer, nothing_missing


class _Matmul:
    """Views are made beforehand, and the memory for what is added."""

    def __init__(self, chain: Chain, arguments: Arguments) -> None:
        self._arguments = arguments
        memory = memory_of(chain, arguments)
        self._steps = [_views(memory, step) for step in chain.steps]
        size = max((c.size for step, _, _, c in self._steps if step.beta), default=0)
        self._scratch = np.empty(size, arguments.array(arguments.outputs[0]).dtype)

    def run(self) -> float:
        watch = Stopwatch()
        values = self._arguments.values
        for step, a, b, c in self._steps:
            match step:
                case Product(beta=0):
                    np.matmul(b, a, out=c)
                case Product():
                    np.add(c, np.matmul(b, a, out=self._like(c)), out=c)
                case Update(beta=0, scalar=scalar):
                    np.multiply(a, values[scalar], out=c)
                case Update(scalar=scalar):
                    np.add(c, np.multiply(a, values[scalar], out=self._like(c)), out=c)
        return watch.seconds

    def outputs(self) -> Arrays:
        return {name: self._arguments.natural(name) for name in self._arguments.outputs}

    def _like(self, array: Array) -> Array:
        return self._scratch[: array.size].reshape(array.shape)


def _views(memory: ChainMemory, step: Step) -> tuple[Step, Array, Array, Array]:
    a, b, c = memory.views(step)
    return step, _strided(memory, a), _strided(memory, b), _strided(memory, c)


def _strided(memory: ChainMemory, view: View) -> Array:
    entries = memory.tensors[view.tensor][view.offset :]
    return as_strided(entries, view.shape, [stride * entries.itemsize for stride in view.strides])


def _prepare(case: Case, arguments: Arguments, _threads: int) -> _Matmul | None:
    if case.chain is None or case.has_primitives:
        return None
    arguments = arguments.with_own_outputs()
    return _Matmul(case.chain(arguments.arrays), arguments)


NUMPY = Peer("numpy.matmul", nothing_missing, _prepare)
