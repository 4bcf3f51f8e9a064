"""A kernel over batches in files that are larger than the memory: `python -m benchmarks.files --gigabytes 64`.

`volume` of the ADER-DG example reads elements from mapped files and updates one of them in place. Three times are
compared, from one run: moving the same bytes between the same files and one buffer and nothing else, as `dd` does; the
kernel on elements in memory; and the run in chunks, in a process of its own, of which the resident memory is said.
Every file is written out and dropped from the page cache before it is read.
"""

import argparse
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import numpy as np

import einsum_front as ef
from examples.ader_dg import matrices

BLOCK = 1 << 24
"""Bytes that are moved at a time where nothing is computed."""

RESIDENT = 20_000
"""Elements of the kernel that runs in memory: some 200 MB, more than caches hold."""

Files = Mapping[str, np.memmap]


def compiled(order: int) -> tuple[ef.CompiledKernel, dict[str, tuple[int, ...]]]:
    """The kernel at an order, and the shape of an element of each argument that has a batch."""
    matrices.write(order)
    kernel = ef.compile(ef.parse(matrices.HERE / "volume.ein"), defines={"O": order})["volume"]
    batched = {each.name: each for each in kernel.artifact.parameters if getattr(each, "batched", False)}
    shapes = {name: kernel.empty(name).shape[1:] for name in batched}
    return kernel, shapes


def written(folder: Path, shapes: Mapping[str, tuple[int, ...]], batch: int) -> Files:
    """Files of random numbers; blocks repeat, with another factor."""
    random, files = np.random.default_rng(0), {}
    for name, shape in shapes.items():
        file = np.memmap(folder / name, np.float64, "w+", shape=(batch, *shape))
        step = max(1, BLOCK // file[0].nbytes)
        block = random.uniform(-1e-3, 1e-3, (step, *shape))
        with (folder / name).open("r+b", buffering=0) as raw:
            for number, start in enumerate(range(0, batch, step)):
                raw.write((block[: batch - start] * (1 + number)).data)
        files[name] = file
    return files


def opened(folder: Path, shapes: Mapping[str, tuple[int, ...]], batch: int) -> Files:
    """The files, mapped anew."""
    return {name: np.memmap(folder / name, np.float64, "r+", shape=(batch, *each)) for name, each in shapes.items()}


@contextmanager
def cold(folder: Path) -> Iterator[list[float]]:
    """Nothing of the files is in memory before; the seconds until all is on the disk again."""
    for path in folder.iterdir():
        _sync(path)
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    seconds: list[float] = []
    began = time.perf_counter()
    yield seconds
    for path in folder.iterdir():
        _sync(path)
    seconds.append(time.perf_counter() - began)


def _sync(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def moved(folder: Path, names: Mapping[str, bool]) -> float:
    """Seconds to read all files, and to write those back that the kernel updates, block by block."""
    buffer = memoryview(bytearray(BLOCK))
    with cold(folder) as seconds:
        descriptors = {name: os.open(folder / name, os.O_RDWR) for name in names}
        places = dict.fromkeys(names, 0)
        while places:
            for name, place in list(places.items()):
                count = os.preadv(descriptors[name], [buffer], place)
                if count == 0:
                    del places[name]
                    continue
                if names[name]:
                    os.pwritev(descriptors[name], [buffer[:count]], place)
                places[name] = place + count
        for descriptor in descriptors.values():
            os.close(descriptor)
    return seconds[0]


def resident(order: int) -> float:
    """Seconds of the kernel for an element that is in memory."""
    kernel, shapes = compiled(order)
    random = np.random.default_rng(0)
    arrays = {name: random.uniform(-1e-3, 1e-3, (RESIDENT, *shape)) for name, shape in shapes.items()}
    launch = kernel.prepare(**arrays)
    times = []
    for _ in range(9):
        began = time.perf_counter()
        launch.run()
        launch.wait()
        times.append(time.perf_counter() - began)
    return median(times[2:]) / RESIDENT


def chunked(folder: Path, order: int, batch: int, memory: str) -> tuple[float, int, str]:
    """Seconds of the run in chunks, the most bytes of resident memory of its process, and what the run says of it."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_chunked, (str(folder), order, batch, memory))


def _chunked(folder: str, order: int, batch: int, memory: str) -> tuple[float, int, str]:
    kernel, shapes = compiled(order)
    files = opened(Path(folder), shapes, batch)
    run = kernel.chunked(memory=memory)
    with cold(Path(folder)) as seconds:
        report = run(**files)
    return seconds[0], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, str(report)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gigabytes", type=float, default=4.0, help="bytes of all files (default 4)")
    parser.add_argument("--order", type=int, default=6)
    parser.add_argument("--memory", default="512 MB", help="of the run in chunks")
    parser.add_argument("--folder", type=Path, help="where files are made; they are removed at the end")
    parser.add_argument("--turns", type=int, default=1, help="each time is a median of so many")
    options = parser.parse_args()
    kernel, shapes = compiled(options.order)
    element = sum(8 * int(np.prod(shape)) for shape in shapes.values())
    batch = int(options.gigabytes * 1e9 / element)
    updated = {
        each.name: getattr(each, "is_written", False) for each in kernel.artifact.parameters if each.name in shapes
    }
    with tempfile.TemporaryDirectory(dir=options.folder) as made:
        folder = Path(made)
        files = written(folder, shapes, batch)
        print(f"{batch:,} elements of {element:,} bytes: {sum(each.nbytes for each in files.values()) / 1e9:.1f} GB")
        del files
        compute = resident(options.order) * batch
        disks, runs, most, said = [], [], 0, ""
        for _ in range(options.turns):
            disks.append(moved(folder, updated))
            seconds, peak, said = chunked(folder, options.order, batch, options.memory)
            runs.append(seconds)
            most = max(most, peak)
    disk, ours = median(disks), median(runs)
    print(said)
    print(f"bytes alone {disk:.1f} s, kernel alone {compute:.1f} s, in chunks {ours:.1f} s, memory {most / 1e6:.0f} MB")
    print(f"speed of the slower of the two: {max(disk, compute) / ours:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
