"""The decorator of our classes, against that of the standard library."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any, Generic, TypeVar, get_type_hints

import pytest

from einsum_front.core.dataclass import dataclass

T = TypeVar("T")


class Written:
    """As it is written, before a decorator makes a class of it."""

    number: int
    text: str = "none"
    items: list[int] = field(default_factory=list)
    origin: tuple[int, ...] = field(default=(), compare=False, repr=False)


def made(decorator: Any, **options: bool) -> Any:
    namespace = {name: value for name, value in vars(Written).items() if name not in ("__dict__", "__weakref__")}
    return decorator(**options)(type("Written", (), dict(namespace)))


PAIRS = {
    frozen: [
        pytest.param(*(made(each, frozen=frozen, **options) for each in (dataclass, dataclasses.dataclass)), id=name)
        for name, options in {
            "plain": {},
            "slots": {"slots": True},
            "by identity": {"eq": False},
            "slots, by identity": {"slots": True, "eq": False},
        }.items()
    ]
    for frozen in (True, False)
}


@pytest.mark.parametrize(("ours", "standard"), PAIRS[True] + PAIRS[False])
def test_what_is_seen_of_a_class_is_the_same(ours: Any, standard: Any) -> None:
    assert inspect.signature(ours).parameters.keys() == inspect.signature(standard).parameters.keys()
    assert get_type_hints(ours.__init__) == get_type_hints(standard.__init__)
    assert [each.name for each in fields(ours)] == [each.name for each in fields(standard)]
    assert ours.__match_args__ == standard.__match_args__
    assert ours.__doc__ == standard.__doc__
    assert vars(ours).keys() - {"__annotations__"} == vars(standard).keys() - {"__annotations__"}


@pytest.mark.parametrize(("ours", "standard"), PAIRS[True] + PAIRS[False])
def test_what_its_instances_do_is_the_same(ours: Any, standard: Any) -> None:
    arguments: list[dict[str, Any]] = [
        {"number": 1},
        {"number": 1, "origin": (3,)},
        {"number": 1, "text": "some", "items": [4]},
        {"number": 2},
    ]
    mine, theirs = [ours(**each) for each in arguments], [standard(**each) for each in arguments]
    assert list(map(repr, mine)) == list(map(repr, theirs))
    for i, first in enumerate(mine):
        assert first != theirs[i]
        for j, second in enumerate(mine):
            assert (first == second) is (theirs[i] == theirs[j])
            assert (first != second) is (theirs[i] != theirs[j])
    assert mine[0].items is not mine[1].items
    assert repr(replace(mine[0], text="new")) == repr(replace(theirs[0], text="new"))
    assert repr(copy.copy(mine[2])) == repr(theirs[2])
    assert repr(copy.deepcopy(mine[2])) == repr(theirs[2])


@pytest.mark.parametrize(("ours", "standard"), PAIRS[False])
def test_instances_that_change(ours: Any, standard: Any) -> None:
    for each in (ours(1), standard(1)):
        each.number = 2
        assert "number=2" in repr(each)
        del each.number
        assert not hasattr(each, "number")
    assert (ours.__hash__ is None) is (standard.__hash__ is None)


@pytest.mark.parametrize(("ours", "standard"), PAIRS[True])
def test_instances_do_not_change(ours: Any, standard: Any) -> None:
    for each in (ours(1), standard(1)):
        with pytest.raises(FrozenInstanceError, match="cannot assign to field 'number'"):
            each.number = 2
        with pytest.raises(FrozenInstanceError, match="cannot delete field 'number'"):
            del each.number
        assert each.number == 1


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    first: T
    second: T
    _sum: T = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_sum", self.first + self.second)  # type: ignore[operator]


@dataclass(frozen=True, slots=True)
class Triple(Pair[T]):
    third: int = 3


@dataclass(frozen=True, slots=True)
class Loud:
    number: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loud)

    def __hash__(self) -> int:
        return 5

    def __repr__(self) -> str:
        return "loud"


@dataclass(frozen=True, slots=True)
class Equal:  # noqa: PLW1641 - the decorator adds the hash
    number: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equal)


def test_hashes_are_those_of_the_standard_library() -> None:
    assert hash(Pair(1, 2)) == hash((1, 2, 3))
    assert hash(Equal(4)) == hash((4,))
    assert len({Pair(1, 2), Pair(1, 2), Pair(2, 1)}) == 2


def test_a_class_on_top_of_another() -> None:
    found = Triple("a", "b")
    assert found == Triple("a", "b", 3) != Triple("a", "b", 4)
    assert Pair("a", "b") != found
    assert repr(found) == "Triple(first='a', second='b', third=3)"
    assert found._sum == "ab"


def test_arguments_have_the_names_of_the_fields() -> None:
    assert Triple(second="b", first="a", third=1) == Triple("a", "b", 1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'fourth'"):
        Triple("a", "b", fourth=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'second'"):
        Pair(1)  # type: ignore[call-arg]
    assert list(inspect.signature(Loud).parameters) == ["number"]


def test_functions_of_its_own_stay() -> None:
    assert Loud(1) == Loud(2)
    assert (hash(Loud(1)), repr(Loud(1))) == (5, "loud")
    assert Equal(1) == Equal(2)


@pytest.mark.parametrize("value", [Pair(1, 2), Triple(1, 2, 7), Loud(3)])
def test_instances_travel(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize("options", [{}, {"frozen": True}, {"slots": True}, {"frozen": True, "slots": True}])
def test_a_class_without_words_of_its_own(options: dict[str, Any]) -> None:
    namespace = {"__annotations__": {"number": int, "text": str}, "text": "none"}
    bare: list[Any] = [
        each(**options)(type("Bare", (), dict(namespace))) for each in (dataclass, dataclasses.dataclass)
    ]
    assert bare[0].__doc__ == bare[1].__doc__


@pytest.mark.parametrize("decorator", [dataclass, dataclasses.dataclass])
def test_defaults_are_shared_by_no_instances(decorator: Any) -> None:
    with pytest.raises(ValueError, match="default"):
        decorator(frozen=True)(type("Shared", (), {"__annotations__": {"items": list}, "items": []}))


def test_other_options_are_the_standard_library_s() -> None:
    @dataclass(frozen=True, order=True)
    class Ordered:
        number: int

    assert Ordered(1) < Ordered(2)
