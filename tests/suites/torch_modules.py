# mypy: ignore-errors
# torch need not be there
"""Small modules of torch, each with its inputs: through `ef.from_torch`, compared with torch in numbers and time.

python -m tests.suites.torch_modules        needs torch and torch-mlir
"""

import sys
from collections.abc import Callable, Iterator
from statistics import median
from time import process_time

import torch
from torch import Tensor, nn

import einsum_front as ef

BATCH = 64
LARGEST_ERROR = 1e-5
REPEATS = 15


class Of(nn.Module):
    """A function as a module."""

    def __init__(self, function: Callable[..., Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *given: Tensor) -> Tensor:
        return self.function(*given)


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.heads = heads

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape

        def split(y: Tensor) -> Tensor:
            return y.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

        q, k, v = split(self.q(x)), split(self.k(x)), split(self.v(x))
        weights = torch.softmax(q @ k.transpose(-1, -2) / (width // self.heads) ** 0.5, -1)
        return self.o((weights @ v).transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    """A block of a transformer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.attention = Attention(width, 2)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.layers = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.first(x))
        return x + self.layers(self.second(x))


class TensorTrain(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        shapes = (4, 4, 3), (3, 5, 5, 2), (2, 3, 3)
        self.a, self.b, self.c = (nn.Parameter(torch.rand(*shape)) for shape in shapes)

    def forward(self, x: Tensor) -> Tensor:
        return torch.einsum("bijk,ipm,mjqn,nkr->bpqr", x, self.a, self.b, self.c)


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.convolution, self.norm = nn.Conv2d(3, 3, 3, padding=1), nn.BatchNorm2d(3)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.norm(self.convolution(x)))


def causal(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    mask = torch.tril(torch.ones(6, 6))
    return torch.softmax((q @ k.transpose(-1, -2)).masked_fill(mask == 0, float("-inf")), -1) @ v


def perceptron(*between: nn.Module) -> nn.Module:
    return nn.Sequential(nn.Linear(6, 8), *between, nn.Linear(8, 3))


def modules() -> Iterator[tuple[str, nn.Module, tuple[Tensor, ...]]]:
    """Names, modules and inputs; the first dimension is the batch."""
    torch.manual_seed(0)
    weight = nn.Parameter(torch.rand(8))

    def given(*shape: int) -> Tensor:
        return torch.rand(BATCH, *shape)

    image, row = given(2, 6, 6), given(6)
    yield "linear", nn.Linear(6, 4), (row,)
    yield "perceptron, relu", perceptron(nn.ReLU()), (row,)
    yield "perceptron, gelu", perceptron(nn.GELU()), (row,)
    yield "perceptron, silu", perceptron(nn.SiLU()), (row,)
    yield "perceptron, elu, leaky relu", perceptron(nn.ELU(), nn.Linear(8, 8), nn.LeakyReLU()), (row,)
    yield "perceptron, softplus, hardswish", perceptron(nn.Softplus(), nn.Hardtanh(), nn.Hardswish()), (row,)
    yield "conv1d", nn.Conv1d(2, 3, 3), (given(2, 9),)
    yield "conv2d, padding", nn.Conv2d(2, 3, 3, padding=1), (image,)
    yield "conv2d, stride", nn.Conv2d(2, 4, 3, stride=2, padding=1), (given(2, 8, 8),)
    yield "conv2d, dilation", nn.Conv2d(2, 4, 3, dilation=2), (given(2, 8, 8),)
    yield "conv2d, depthwise", nn.Conv2d(4, 4, 3, groups=4, padding=1), (given(4, 6, 6),)
    yield "conv2d, groups", nn.Conv2d(4, 6, 3, groups=2), (given(4, 6, 6),)
    yield "conv2d, transposed", nn.ConvTranspose2d(2, 3, 3, stride=2), (given(2, 4, 4),)
    yield "conv2d, norm, relu", nn.Sequential(nn.Conv2d(2, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU()), (image,)
    yield "conv2d, max pooling", nn.Sequential(nn.Conv2d(2, 3, 3), nn.ReLU(), nn.MaxPool2d(2)), (image,)
    yield "conv2d, mean pooling", nn.Sequential(nn.Conv2d(2, 3, 3), nn.AvgPool2d(2)), (image,)
    pooled = nn.Sequential(nn.Conv2d(2, 3, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(3, 4))
    yield "conv2d, means, linear", pooled, (image,)
    yield "residual block", Residual(), (given(3, 5, 5),)
    yield "softmax", nn.Softmax(-1), (given(7),)
    yield "log softmax", nn.LogSoftmax(-1), (given(7),)
    yield "layer norm", nn.LayerNorm(7), (given(7),)
    yield "instance norm", nn.InstanceNorm2d(3), (given(3, 4, 4),)
    yield "group norm", nn.GroupNorm(2, 4), (given(4, 3, 3),)
    yield "root mean square", Of(lambda x: x * torch.rsqrt((x * x).mean(-1, True) + 1e-6) * weight), (given(8),)
    yield "attention", Attention(8, 2), (given(5, 8),)
    yield "multi-head attention", nn.MultiheadAttention(8, 2, batch_first=True), (given(5, 8),) * 3
    yield "scaled dot products", Of(nn.functional.scaled_dot_product_attention), (given(2, 5, 4),) * 3
    yield "causal attention", Of(causal), (given(6, 4),) * 3
    yield "transformer block", Block(8), (given(5, 8),)
    yield "tensor train", TensorTrain(), (given(4, 5, 3),)
    chain = Of(lambda x, w, v, b: torch.relu(torch.einsum("bik,kl,lj->bij", x, w, v) + b))
    yield "einsum", chain, (given(4, 5), torch.rand(5, 5), torch.rand(5, 3), torch.rand(3))
    yield "batched product", Of(torch.bmm), (given(3, 5), given(5, 6))
    yield "where", Of(lambda x, y: torch.where(x > y, x * 2, y.clamp(0.2, 0.6))), (given(5), given(5))


def measured(function: Callable[[], object]) -> float:
    """Seconds of the processor, as a median."""
    times = []
    for _ in range(REPEATS):
        start = process_time()
        function()
        times.append(process_time() - start)
    return median(times)


def main() -> int:
    torch.set_num_threads(1)
    good = 0
    for count, (name, module, inputs) in enumerate(modules(), start=1):  # noqa: B007 - it is the number of modules
        module.eval()
        try:
            layer = ef.from_torch(module, inputs, "c")
        except ef.CompileError as error:
            sys.stdout.write(f"{name:32} refused: {error.diagnostics[0].message}\n")
            continue
        with torch.no_grad():
            wanted, found = module(*inputs), layer(*inputs)
            pairs = zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
            error_ = max(float((x - y).abs().max() / y.abs().max()) for x, y in pairs)
            ratio = measured(lambda m=module, i=inputs: m(*i)) / measured(lambda f=layer, i=inputs: f(*i))
        good += error_ < LARGEST_ERROR
        sys.stdout.write(f"{name:32} {error_:.1e}   torch's time over ours {ratio:6.2f}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{good} of {count} modules within {LARGEST_ERROR}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
