"""What a user sees who types the name of an object: what it is, in a line, without addresses and syntax trees."""

from copy import copy
from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.runtime.devices.device import find_device
from tests.runtime.kernels import FILL, kernel

TEXT = "tensor Q[4, 3]\nscalar dt\nkernel volume { Q[kp] = dt * Q[kp] }\nkernel scale { Q[kp] = 2 * Q[kp] }\n"

Q, K = ef.Tensor("Q", (4, 3)), ef.Tensor("K", (4, 4), "constant", nonzeros=np.eye(4))
star, dt, n = ef.Tensor("star", (3, 3), members=3), ef.Scalar("dt"), ef.Size("n", most=9)


def test_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wave.ein").write_text(TEXT, encoding="utf-8")
    parsed = ef.parse("wave.ein")
    assert repr(parsed) == "<program wave.ein: volume, scale>"
    assert repr(ef.parse(TEXT)) == "<program: volume, scale>"
    Path("wave.tl").write_text(ef.compile(parsed).tensor_language, encoding="utf-8")
    assert repr(ef.parse("wave.tl")) == "<program wave.tl>"
    assert repr(ef.compile(parsed)) == "<compiled: volume, scale>"
    many = ef.parse("tensor Q[4]\n" + "\n".join(f"kernel k{i} {{ Q[k] = 0 }}" for i in range(20)))
    assert repr(many) == "<program: k0, k1, k2, k3, k4, k5, k6, k7, …>"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Q, "<tensor Q[4,3]>"),
        (K, "<tensor K[4,4] constant>"),
        (star(1), "<tensor star{1}[3,3]>"),
        (ef.Tensor("Y", (2 * n + 1, 3)), "<tensor Y[2 * n + 1,3]>"),
        (dt, "dt"),
        (n + 1, "n + 1"),
        (ef.ones, "<ones, as in ones['b']>"),
        (2.5 * Q["kp"] / dt, "2.5 * Q[k,p] / dt"),
        (K["kl"] * (Q["lp"] + ef.ones["l,p"]) - star(2)["k=0:2", 1], "K[k,l] * (Q[l,p] + 1[l,p]) - star{2}[k=0:2,1]"),
        (Q["kp"] <= 1, "Q[k,p] = 1"),
        (Q["kp"].add(dt * Q["kp"]), "Q[k,p] += dt * Q[k,p]"),
        (ef.kernel("volume", Q["kp"] <= 1), "<kernel volume: Q[k,p] = 1>"),
        (ef.kernel("f", [Q["kp"] <= 1] * 2), "<kernel f: Q[k,p] = 1 … and 1 more statement>"),
        (ef.program(ef.kernel("volume", Q["kp"] <= 1)), "<program: volume>"),
    ],
)
def test_formulas(value: object, text: str) -> None:
    assert repr(value) == text


def test_kernels_and_launches() -> None:
    volume = ef.compile(ef.parse(TEXT))["volume"]
    assert repr(volume) == "<kernel volume(Q, dt)>"
    for batch, words in ((10, "10 elements"), (1, "1 element"), (0, "0 elements")):
        assert repr(volume.prepare(Q=np.ones((batch, 4, 3)), dt=1.0)) == f"<launch of volume, {words}>"
    assert repr(kernel(FILL).prepare(5, first=0, C=np.zeros(5))) == "<launch of fill, 5 work-groups>"


def test_devices() -> None:
    assert repr(find_device()) == f"<device {find_device().facts.name}>"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("wave.ein", "not a str: `compile(parse('wave.ein'))`"),
        (TEXT, "not a str: `compile(parse(text))`"),
        (Path("wave.ein"), f"`compile(parse({Path('wave.ein')!r}))`"),
        (ef.kernel("volume", Q["kp"] <= 1), "not a Kernel: `compile(program(volume))`"),
        (3, "not an int"),
        (None, "not None"),
        (np.zeros(3), "not an ndarray"),
    ],
)
def test_what_is_written_instead_of_what_compile_does_not_take(given: object, words: str) -> None:
    with pytest.raises(TypeError) as caught:
        ef.compile(given)  # type: ignore[arg-type] # that is the test
    assert str(caught.value).startswith("compile takes what `parse` or `program` returns, not ")
    assert str(caught.value).endswith(words)


def test_kernels_are_entries_of_a_compiled_program() -> None:
    compiled = ef.compile(ef.parse(TEXT))
    with pytest.raises(KeyError, match="there is no kernel 'volum': there are 'volume', 'scale'"):
        compiled["volum"]
    with pytest.raises(AttributeError, match=r"has no attribute 'volume': the kernel is `compiled\['volume'\]`"):
        _ = compiled.volume
    assert not hasattr(compiled, "something")
    assert names_of_copy(compiled) == list(compiled)


def names_of_copy(compiled: ef.CompiledProgram) -> list[str]:
    """A copy asks for methods before there are kernels."""
    return list(copy(compiled))
