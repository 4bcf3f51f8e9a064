"""Elements that are still to do, and who takes which: shares follow the speed of devices as it is measured."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import field
from threading import Condition

from einsum_front.core.dataclass import dataclass

Range = tuple[int, int]
"""Elements from the first to the second, not included."""

PROBES = 4
"""A device whose speed nobody knows gets one of so many parts of a chunk, if there are others beside it."""


@dataclass(slots=True)
class Worker:
    """A device: the most elements that it takes at once, what it has done, and in how many seconds."""

    most: int
    elements: int = 0
    seconds: float = 0.0
    is_lost: bool = False

    @property
    def speed(self) -> float:
        """Elements in a second, 0 if that is not known."""
        return self.elements / self.seconds if self.seconds > 0 else 0.0


@dataclass(slots=True)
class Work:
    """Ranges that wait, in their order, and those that are under way; `unit` elements are not cut unless they must."""

    waiting: deque[Range]
    unit: int
    workers: list[Worker]
    under_way: int = 0
    is_stopped: bool = False
    changed: Condition = field(default_factory=Condition)

    def take(self, number: int) -> Range | None:
        """The next elements for a worker; waits while others may give some back. None: there is nothing left."""
        with self.changed:
            while not self.is_stopped and not self.workers[number].is_lost:
                if self.waiting:
                    start, stop = self.waiting.popleft()
                    middle = min(stop, start + self._size(number))
                    if middle < stop:
                        self.waiting.appendleft((middle, stop))
                    self.under_way += 1
                    return start, middle
                if self.under_way == 0:
                    return None
                self.changed.wait()
            return None

    def done(self, number: int, count: int, seconds: float) -> None:
        """A worker has finished so many elements; the seconds are those in which it had nothing else to finish."""
        with self.changed:
            self.workers[number].elements += count
            self.workers[number].seconds += seconds
            self._end()

    def give_back(self, part: Range) -> None:
        """Elements that somebody else must do, before all others."""
        with self.changed:
            self.waiting.appendleft(part)
            self._end()

    def halve(self, number: int, part: Range) -> bool:
        """Elements that were too many for a worker, who gets fewer from now on; False if they cannot be fewer."""
        count = part[1] - part[0]
        smaller = max(1, (count + 1) // 2)
        if smaller > self.unit:
            smaller = -(-smaller // self.unit) * self.unit
        with self.changed:
            if smaller >= count:
                return False
            self.workers[number].most = min(self.workers[number].most, smaller)
            self.waiting.appendleft(part)
            self._end()
            return True

    def lose(self, number: int, part: Range) -> bool:
        """A worker takes nothing more; False if it was the last one."""
        with self.changed:
            self.workers[number].is_lost = True
            self.waiting.appendleft(part)
            self._end()
            return not all(worker.is_lost for worker in self.workers)

    def stop(self) -> None:
        """Nobody takes anything any more."""
        with self.changed:
            self.is_stopped = True
            self.changed.notify_all()

    def left(self) -> tuple[Range, ...]:
        """What nobody has done."""
        with self.changed:
            return tuple(joined(self.waiting))

    def _end(self) -> None:
        self.under_way -= 1
        self.changed.notify_all()

    def _size(self, number: int) -> int:
        """Alone, a worker takes all it can. Beside others, so much that all end at the same time."""
        worker = self.workers[number]
        present = [each for each in self.workers if not each.is_lost]
        if len(present) == 1:
            return worker.most
        if not worker.speed:
            return self._rounded(worker.most // PROBES, worker.most)
        rest = sum(stop - start for start, stop in self.waiting) + 0
        known = [each.speed or worker.speed for each in present]
        return self._rounded(int(rest * worker.speed / sum(known) / 2), worker.most)

    def _rounded(self, size: int, most: int) -> int:
        least = min(most, max(self.unit, most // 16 // self.unit * self.unit))
        return min(most, max(least, size // self.unit * self.unit))


def gaps(batch: int, finished: Iterable[Range]) -> Iterator[Range]:
    """The elements of a batch that are in no range."""
    place = 0
    for start, stop in sorted(finished):
        if start > place:
            yield place, start
        place = max(place, stop)
    if place < batch:
        yield place, batch


def joined(ranges: Iterable[Range]) -> Iterator[Range]:
    """The same elements in as few ranges as possible."""
    begin, end = 0, 0
    for start, stop in sorted(ranges):
        if start > end:
            if end > begin:
                yield begin, end
            begin = start
        end = max(end, stop)
    if end > begin:
        yield begin, end
