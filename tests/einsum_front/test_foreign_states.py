"""Tensors and arrays that are more than their entries: each is refused, and what is proposed instead works."""

import sys
from collections.abc import Callable
from inspect import signature
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.compiled import CompiledKernel
from einsum_front.core.untraced import is_watched
from einsum_front.runtime.arrays.foreign import refusal

pytestmark = pytest.mark.filterwarnings("ignore:.*(torch|JAX|deprecat|prototype|beta).*")
"""torch and JAX warn of what they will remove, and of what is new."""

ONES = np.ones(3)


def contraction(tensor: Any) -> Any:
    return ef.einsum("i,i->", ONES, tensor)


# -- without torch: the questions that are asked -----------------------------------------------------------------------


class Plain:
    """What torch says of a tensor, as far as it is asked; all of it is in order."""

    is_nested = is_quantized = is_meta = requires_grad = False
    layout, device = "strided", SimpleNamespace(type="cpu")
    shape, wrapped, tangent = (2, 3), False, None
    memory = 48

    @classmethod
    def __torch_function__(cls) -> None: ...

    __torch_dispatch__ = "torch's"

    def is_neg(self) -> bool:
        return False

    is_conj = is_neg

    def numel(self) -> int:
        return 6

    def stride(self) -> tuple[int, ...]:
        return 3, 1

    def storage_offset(self) -> int:
        return 0

    def element_size(self) -> int:
        return 8

    def untyped_storage(self) -> Any:
        return SimpleNamespace(nbytes=lambda: self.memory)


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module that answers as torch does."""
    module: Any = ModuleType("torch")
    module.Tensor, module.strided = Plain, "strided"
    module.nn = SimpleNamespace(Parameter=type("Parameter", (Plain,), {"__torch_function__": "torch's"}))
    module.jit = SimpleNamespace(is_tracing=lambda: False)
    module._C = SimpleNamespace(_functorch=SimpleNamespace(is_functorch_wrapped_tensor=lambda each: each.wrapped))
    module.is_grad_enabled = lambda: True
    module.autograd = SimpleNamespace(forward_ad=SimpleNamespace(unpack_dual=lambda each: each))
    monkeypatch.setitem(sys.modules, "torch", module)
    monkeypatch.delitem(sys.modules, "torch.fx.experimental.proxy_tensor", raising=False)
    return module


@pytest.mark.parametrize(
    ("state", "word"),
    [
        ({"wrapped": True}, "torch.func"),
        ({"is_nested": True}, "nested"),
        ({"is_quantized": True}, "quantised"),
        ({"layout": "sparse"}, "sparse"),
        ({"is_meta": True}, "meta"),
        ({"requires_grad": True}, "gradient"),
        ({"tangent": 1}, "tangent"),
        ({"is_neg": lambda _: True}, "negatives"),
        ({"is_conj": lambda _: True}, "conjugates"),
        ({"memory": 47}, "storage"),
        ({"device": SimpleNamespace(type="xla")}, "memory of the host"),
        ({"__torch_dispatch__": "its own"}, "its class"),
        ({"__torch_function__": classmethod(lambda _: None)}, "its class"),
    ],
)
def test_a_state_of_a_tensor_is_told(torch: Any, state: dict[str, object], word: str) -> None:
    assert refusal(Plain()) is None
    assert refusal(torch.nn.Parameter()) is None
    found = refusal(type("Tensor", (Plain,), state)())
    assert found is not None
    assert word in found.reason


def test_no_gradient_is_lost_where_none_is_recorded(torch: Any) -> None:
    torch.is_grad_enabled = lambda: False
    assert refusal(type("Tensor", (Plain,), {"requires_grad": True})()) is None


def test_functions_that_torch_compiles_are_left_alone(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only while torch looks into what is called, a call is made apart from it."""
    assert not is_watched()
    watching, disabled = SimpleNamespace(get_eval_frame_callback=lambda: None), []

    def disable(function: Callable[..., Any]) -> Callable[..., Any]:
        disabled.append(function)
        watching.get_eval_frame_callback = lambda: None
        return function

    monkeypatch.setitem(sys.modules, "torch._dynamo", cast("Any", SimpleNamespace(disable=disable)))
    assert not is_watched()
    monkeypatch.setitem(sys.modules, "torch._C._dynamo.eval_frame", cast("Any", watching))
    kernel = ef.compile(ef.parse("tensor a[3] tensor b[3] kernel f { b[i] = a[i] }"))["f"]
    left, right, target = np.ones((1, 3)), np.ones((3, 3)), np.zeros((1, 3))
    calls: dict[str, Callable[[], Any]] = {
        "__call__": lambda: kernel(a=left, b=target),
        "prepare": lambda: kernel.prepare(a=left, b=target).run(),
        "einsum": lambda: ef.einsum("ij,jk->ik", left, right),
    }
    for name, call in calls.items():
        assert not is_watched()
        call()
        assert disabled == []
        watching.get_eval_frame_callback = lambda: print
        call()
        assert [each.__name__ for each in disabled] == [name]
        disabled.clear()
    for door in (ef.einsum, CompiledKernel.__call__, CompiledKernel.prepare):
        assert vars(door)["_torchdynamo_disable"] is True


# -- with torch --------------------------------------------------------------------------------------------------------


def test_states_of_autograd() -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.ones(3, dtype=torch.float64)
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(tensor, tensor)
        with pytest.raises(ef.CompileError, match=r"E0503[\s\S]*tangent[\s\S]*A\.detach"):
            contraction(dual)
        with pytest.raises(ef.CompileError, match=r"E0503.*`out`[\s\S]*tangent"):
            ef.einsum("i,i->i", ONES, ONES, out=dual)
        assert contraction(dual.detach()) == 3
    grown = tensor.clone().requires_grad_()
    with pytest.raises(ef.CompileError, match=r"E0503[\s\S]*gradient"):
        contraction(grown)
    with torch.no_grad():
        assert contraction(grown) == 3
    assert contraction(torch.nn.Parameter(tensor, requires_grad=False)) == 3


def test_transforms_of_torch() -> None:
    torch = pytest.importorskip("torch")
    rows = torch.ones(4, 3, dtype=torch.float64)
    transforms: tuple[Callable[[], object], ...] = (
        lambda: torch.func.vmap(contraction)(rows),
        lambda: torch.func.jvp(contraction, (rows[0],), (rows[0],)),
        lambda: torch.func.grad(contraction)(rows[0]),
        lambda: torch.func.functionalize(contraction)(rows[0]),
    )
    for transformed in transforms:
        with pytest.raises(ef.CompileError, match=r"E0503[\s\S]*torch\.func"):
            transformed()
    make_fx = pytest.importorskip("torch.fx.experimental.proxy_tensor").make_fx
    traces: tuple[Callable[[], object], ...] = (
        lambda: torch.jit.trace(contraction, (rows[0],)),
        lambda: make_fx(contraction)(rows[0]),
    )
    for traced in traces:
        with pytest.raises(ef.CompileError, match=r"E0503[\s\S]*traces the program"):
            traced()
    with pytest.raises(ef.CompileError, match=r"E0503[\s\S]*torch\.fx"):
        torch.fx.symbolic_trace(contraction)


def test_tensors_whose_memory_is_not_their_entries() -> None:
    torch = pytest.importorskip("torch")
    plain = torch.ones(3, dtype=torch.float64)
    negative = torch.ones(3, dtype=torch.complex128).conj().imag
    released = plain.clone()
    released.untyped_storage().resize_(0)
    ways = {"A.resolve_neg": negative, "A.to_dense": plain.to_sparse(), "storage": released, "meta": plain.to("meta")}
    ways["A.dequantize"] = torch.quantize_per_tensor(plain.float(), 0.1, 0, torch.quint8)
    ways["its class"] = torch.masked.masked_tensor(plain, plain > 0)
    for words, tensor in ways.items():
        with pytest.raises(ef.CompileError, match=rf"E0503[\s\S]*{words}"):
            contraction(tensor)
    assert contraction(negative.resolve_neg()) == 0
    with pytest.raises(ef.CompileError, match=r"E0503.*`out`"):
        ef.einsum("i,i->i", ONES, ONES, out=negative)
    with pytest.raises(ef.CompileError, match=r"E0503[\s\S]*A\.to_dense"):
        ef.einsum("ij->i", torch.eye(3).to_sparse_csr())  # which is no array in the memory of CUDA


def test_a_class_without_operations_of_its_own_is_kept() -> None:
    torch = pytest.importorskip("torch")
    named = type("Named", (torch.Tensor,), {})
    found = ef.einsum("i->i", torch.ones(3).as_subclass(named))
    assert type(found) is named


def test_types_of_torch() -> None:
    torch = pytest.importorskip("torch")
    for kind in ("float16", "bfloat16", "int64", "uint8", "complex64", "complex128"):
        tensor = torch.ones(3).to(getattr(torch, kind))
        found = ef.einsum("i,i->", tensor, tensor)
        assert (type(found), found.dtype, found) == (torch.Tensor, tensor.dtype, 3)
    assert ef.einsum("i,i->", torch.ones(3) > 0, torch.ones(3) > 0).dtype == torch.bool
    with pytest.raises(ef.CompileError, match=r"E0504.*object, and torch has no arrays of it"):
        ef.einsum("i,i->i", torch.ones(3), np.array([1, 2, 3], object))
    kernel = ef.compile(ef.parse("tensor A[3]\ntensor C[3]\nkernel k { C[i] = 2 * A[i] }\n"))["k"]
    with pytest.raises(ef.CompileError, match=r"E0504[\s\S]*`\.to\(torch\.float64\)`"):
        kernel(A=torch.ones(2, 3), C=np.zeros((2, 3)))
    with pytest.raises(ef.CompileError, match=r"E0503[\s\S]*gradient"):
        kernel(A=torch.ones(2, 3, dtype=torch.float64, requires_grad=True), C=np.zeros((2, 3)))


# -- with JAX ----------------------------------------------------------------------------------------------------------


def test_transforms_of_jax() -> None:
    jax = pytest.importorskip("jax")
    array = jax.numpy.ones(3)
    traced = r"E0503[\s\S]*traced array has no entries"
    for transformed in (jax.jit, jax.grad, jax.make_jaxpr, lambda f: lambda x: jax.jvp(f, (x,), (x,))):
        with pytest.raises(ef.CompileError, match=traced) as caught:
            transformed(contraction)(array)
        assert "device_get" not in str(caught.value)
    with pytest.raises(ef.CompileError, match=traced):
        jax.vmap(contraction)(jax.numpy.ones((4, 3)))
    shape = jax.ShapeDtypeStruct((), np.float32)
    called = jax.jit(lambda x: jax.pure_callback(lambda y: np.float32(contraction(np.asarray(y))), shape, x))
    assert called(array) == 3


def test_types_of_jax_are_converted() -> None:
    jax = pytest.importorskip("jax")
    array = jax.numpy.ones(3, jax.numpy.bfloat16)
    assert ef.einsum("i,i->", array, array).dtype == array.dtype
    assert ef.einsum("i,i->", array.astype("float32"), array) == 3


def test_torch_compiles_what_stands_around_calls() -> None:
    torch = pytest.importorskip("torch")
    kernel = ef.compile(ef.parse("size n tensor A[n, n] tensor B[n, n] kernel f { B[i,j] = A[i,k] * A[k,j] }"))["f"]

    def by_kernel(given: Any) -> Any:
        result = torch.zeros_like(given)
        kernel(A=given + 1, B=result)
        return result * 3

    def by_launch(given: Any) -> Any:
        result = torch.zeros_like(given)
        launch = kernel.prepare(A=given + 1, B=result)
        launch.run()
        launch.finish()
        return result * 3

    def by_einsum(given: Any) -> Any:
        return ef.einsum("aik,akj->aij", given + 1, given + 1) * 3

    given = torch.rand(2, 4, 4, dtype=torch.float64)
    for function in (by_kernel, by_launch, by_einsum):
        compiled = torch.compile(function, backend="eager")
        assert torch.allclose(compiled(given), function(given))
        torch.compiler.reset()
        with pytest.raises(Exception, match="between the parts that torch compiles"):
            torch.compile(function, backend="eager", fullgraph=True)(given)


def test_all_keywords_are_handed_on(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the call that is apart from what torch compiles."""
    given: dict[str, object] = {}
    watching = SimpleNamespace(get_eval_frame_callback=lambda: print)
    dynamo = SimpleNamespace(disable=lambda _: lambda *_, **keywords: given.update(keywords))
    monkeypatch.setitem(sys.modules, "torch._dynamo", cast("Any", dynamo))
    monkeypatch.setitem(sys.modules, "torch._C._dynamo.eval_frame", cast("Any", watching))
    ef.einsum("i,i->", ONES, ONES)
    keywords = {
        name: each.default for name, each in signature(ef.einsum).parameters.items() if each.kind is each.KEYWORD_ONLY
    }
    assert given == keywords
