"""Programs for a device, built once for each context and source, and their kernel objects.

pyopencl keeps binaries on disk (PYOPENCL_NO_CACHE=1 turns that off) and drivers keep their own, so a second process
builds in milliseconds. Generated code must compile: if it does not, that is our mistake, and the source is kept.
"""

import os
import re
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import field
from hashlib import sha256
from tempfile import TemporaryFile
from threading import RLock
from typing import TypeVar
from uuid import uuid4

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic
from einsum_front.core.private_folders import user_caches
from einsum_front.runtime.arrays.signature import argument_types
from einsum_front.runtime.artifact import BUILD_OPTIONS, ROUNDED_OPTION, Artifact
from einsum_front.runtime.caches.folders import PYOPENCL, Work, distrust
from einsum_front.runtime.devices import processor
from einsum_front.runtime.devices.drivers import driver_of
from einsum_front.runtime.devices.facts import DeviceFacts
from einsum_front.runtime.devices.opencl import KernelArg, cl
from einsum_front.runtime.devices.unknown_processor import told_name
from einsum_front.runtime.launches.declarations import with_declarations


@dataclass(frozen=True, slots=True, eq=False)
class KernelObjects:
    """`each` of them in the order of the functions; most kernels have one."""

    each: tuple[cl.Kernel, ...]

    def set_arg(self, position: int, value: KernelArg) -> None:
        """Set an argument of all."""
        for kernel in self.each:
            kernel.set_arg(position, value)

    def set_args(self, *values: KernelArg) -> None:
        """Set the arguments of all."""
        for kernel in self.each:
            kernel.set_args(*values)

    def enqueue(
        self, queue: cl.CommandQueue, work_group_size: tuple[int, int], groups: int, after: Sequence[cl.Event] = ()
    ) -> list[cl.Event]:
        """Starts them, each when the one before has ended, the first one behind `after`; their events."""
        m, n = work_group_size
        events: list[cl.Event] = []
        for kernel in self.each:
            before = events[-1:] or list(after)
            events.append(cl.enqueue_nd_range_kernel(queue, kernel, (m, n, groups), (m, n, 1), wait_for=before or None))
        return events


PLACE = re.compile(r"\S+(?=:[0-9]+:[0-9]+:)")
"""The file that a compiler makes of the source, before a line and a column."""

ATTRIBUTE = re.compile(r'\btarget\("([a-z0-9_.,]+)"\)')
"""The instructions that a function is compiled with."""

MOST_MESSAGES = 10
"""Of a compiler, whose first messages are about the mistake."""


def check_device(artifact: Artifact, facts: DeviceFacts) -> None:
    """Raise CompileError with everything that the kernel needs and the device lacks."""
    m, n = artifact.work_group_size
    lacks = []
    if artifact.needs_fp64 and not facts.has_fp64:
        lacks.append("it computes with f64, which the device does not know")
    if artifact.local_memory > facts.local_memory:
        lacks.append(f"it needs {artifact.local_memory} bytes of local memory, the device has {facts.local_memory}")
    if isinstance(artifact.scratch, int) and artifact.scratch > facts.max_allocation:
        needed, limit = artifact.scratch, facts.max_allocation
        lacks.append(f"it needs {needed} bytes of memory for each work-group, the device allocates {limit} at once")
    if m * n > facts.max_work_group_size or m > facts.max_work_item_sizes[0] or n > facts.max_work_item_sizes[1]:
        lacks.append(f"its work-groups have {m}x{n} work-items, the device allows {facts.max_work_group_size}")
    if lacks:
        message = f"`{artifact.name}` does not run on `{facts.name}`"
        raise CompileError([Diagnostic("E0605", f"{message}: {lack}") for lack in lacks])


@dataclass(frozen=True, slots=True, eq=False)
class KernelPool:
    """Kernel objects of one program, one for each function of a launch.

    Arguments are part of them, so each is in one launch at a time.

    Those that a launch has done with serve the next one: for each that is new, pyopencl writes and keeps a Python
    module, which takes milliseconds and some KB. An argument that was shared memory stays that: NVIDIA's driver refuses
    to start a kernel (INVALID_KERNEL_ARGS) where a buffer has followed a pointer.
    """

    program: cl.Program
    artifact: Artifact
    keeps_kernels: bool
    idle: dict[frozenset[str], list[KernelObjects]] = field(default_factory=lambda: defaultdict(list))
    launched: set[int] = field(default_factory=set)

    def loads_for(self, groups: int) -> bool:
        """True if the driver may compile or load from disk at a launch of so many work-groups.

        It makes variants for small and for large launches when they are started.
        """
        return self.keeps_kernels and groups.bit_length() not in self.launched

    def has_loaded_for(self, groups: int) -> None:
        """A launch of so many work-groups has ended."""
        self.launched.add(groups.bit_length())

    def take(self, shared: frozenset[str] = frozenset()) -> KernelObjects:
        """Kernel objects for whoever gives them back, their arguments unset or those of others.

        `shared` has the names of the arguments that will be shared memory and might be a buffer in another launch.
        """
        try:
            return self.idle[shared].pop()
        except IndexError:
            return self._new()

    def give_back(self, kernels: KernelObjects, shared: frozenset[str] = frozenset()) -> None:
        """The device must have finished with them; `shared` is what they were taken with."""
        self.idle[shared].append(kernels)

    def _new(self) -> KernelObjects:
        with _MAKING:
            return _in_spite_of_caches(self._made, self.keeps_kernels)

    def _made(self, _nonce: str | None) -> KernelObjects:
        kernels = tuple(cl.Kernel(self.program, entry) for entry in self.artifact.entries)
        types = argument_types(self.artifact)
        for kernel in kernels:
            kernel.set_scalar_arg_dtypes(types)
        return KernelObjects(kernels)


_MAKING = RLock()
"""One thread at a time builds and makes kernel objects: pyopencl's modules get the same names otherwise, with warnings,
and filters of warnings are those of the process."""

_PROGRAMS: dict[tuple[cl.Context, cl.Device, str], cl.Program] = {}
_POOLS: dict[tuple[cl.Context, cl.Device, str, str], KernelPool] = {}


def build(artifact: Artifact, context: cl.Context, device: cl.Device) -> KernelPool:
    """The program of an artifact, built once for each context and device."""
    key = context, device, artifact.source, artifact.entry
    if key not in _POOLS:
        with _MAKING:
            if key not in _POOLS:
                _POOLS[key] = KernelPool(_program(artifact, context, device), artifact, _keeps_kernels(device))
    return _POOLS[key]


def check_source(artifact: Artifact, name: str, context: cl.Context, device: cl.Device) -> None:
    """Raise CompileError with the words of the compiler if code that was written by hand does not compile.

    It may have been made for another machine: instructions that this one lacks would end the process. `name` is that of
    the text.
    """
    asked = {word for words in ATTRIBUTE.findall(artifact.source) for word in words.split(",")}
    known = processor.processor_instructions()
    if known and asked - known:
        words = ", ".join(sorted(asked - known))
        message = f"`{artifact.name}` does not run on `{device.name.strip()}`: `{name}` has functions with {words}"
        raise CompileError([Diagnostic("E0605", f"{message}, which the processor lacks")])
    try:
        with _MAKING, without_counts():
            _compiled(artifact, context, device)
    except cl.Error as error:
        lines = [PLACE.sub(name, line.strip()) for line in str(error).splitlines()]
        said = tuple(line for line in lines if ": error:" in line or line.startswith("error:"))[:MOST_MESSAGES]
        notes = said or tuple(line for line in lines if line)[:MOST_MESSAGES]
        message = f"the OpenCL C of `{artifact.name}` does not compile for `{device.name.strip()}`"
        raise CompileError([Diagnostic("E0499", message, notes=notes)]) from None


def _program(artifact: Artifact, context: cl.Context, device: cl.Device) -> cl.Program:
    key = context, device, artifact.source
    if key not in _PROGRAMS:
        try:
            _PROGRAMS[key] = _compiled(artifact, context, device)
        except cl.Error as error:
            raise _bug(artifact.source, str(error)) from None
    return _PROGRAMS[key]


def _compiled(artifact: Artifact, context: cl.Context, device: cl.Device) -> cl.Program:
    """A built program that has the kernel; raises `cl.Error` if it does not compile."""
    options = f"{BUILD_OPTIONS} {ROUNDED_OPTION}" if rounds_quotients(device) else BUILD_OPTIONS
    if (name := told_name(device)) is not None:
        options += f" -DPROCESSOR_{name.replace('-', '_')}"  # for PoCL's cache, which knows an unknown processor only
    keeps, source = _keeps_kernels(device), artifact.source
    header = driver_of(device.platform.name.strip(), device.platform.version).header
    if header is not None and (declared := with_declarations(source)) is not None:
        options, source = f"{options} -D{header}", declared

    def build(nonce: str | None) -> cl.Program:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cl.CompilerWarning)  # some drivers report success at length
            program = cl.Program(context, source if nonce is None else f"{source}\nconstant int unique_{nonce} = 0;\n")
            program.build(options=options, devices=[device])
        for entry in artifact.entries:
            cl.Kernel(program, entry)
        return program

    with _MAKING, closing(Work()) if keeps else nullcontext():
        return _in_spite_of_caches(build, keeps)


def _keeps_kernels(device: cl.Device) -> bool:
    return driver_of(device.platform.name.strip(), device.platform.version).keeps_kernels


Made = TypeVar("Made")


def _in_spite_of_caches(make: Callable[[str | None], Made], keeps_kernels: bool) -> Made:
    """Result without caches if only a build with them fails: they are damaged, and not used any more, one or both.

    `make` gets None, then a name that makes the source one for which the driver has kept nothing. Damaged caches of
    pyopencl end in exceptions of `sqlite3`, `pickle` and the system. What turns them off is a private name: the
    variable is read when pyopencl is imported, by the caller perhaps, and before anybody knows.
    """
    damaged: list[tuple[bool, Exception]] = []
    while True:
        try:
            made = make(uuid4().hex if damaged else None)
            break
        except Exception as error:
            is_driver = keeps_kernels and isinstance(error, cl.Error)
            if any(is_driver == each for each, _ in damaged):
                raise
            damaged.append((is_driver, error))
            if not is_driver:
                cl._PYOPENCL_NO_CACHE = True
    for is_driver, reason in damaged:
        if is_driver:
            distrust()
        else:
            words = "the caches of pyopencl are damaged, and this process does without them"
            removed = "`einsum-front cache --clear --drivers` removes them"
            warnings.warn(f"{words} ({reason}): {removed}, {PYOPENCL}=1 turns them off", RuntimeWarning, stacklevel=2)
    return made


def rounds_quotients(device: cl.Device) -> bool:
    """True if the device can round quotients of f32 correctly; those of f64 always are."""
    return bool(device.single_fp_config & cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT)


def _bug(source: str, log: str) -> CompilerBug:
    """The source and the build log go to a file, since both are too long to print."""
    folder = user_caches() / "rejected"
    path = folder / f"{sha256(source.encode()).hexdigest()[:16]}.cl"
    comment = "\n".join(f"// {line}" for line in log.splitlines())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{source}\n{comment}\n", encoding="utf-8")
    except OSError:
        return CompilerBug(f"the generated OpenCL C does not compile:\n{log}\n{source}")
    return CompilerBug(f"the generated OpenCL C does not compile; source and messages are in {path}")


# -- driver output that says less than our messages --------------------------------------------------------------------


STANDARD_ERROR = 2

COUNTS = re.compile(rb"^(\d+ (warning|error)s?( and )?)+ generated\.\n", re.MULTILINE)
"""How many messages a compiler gave: PoCL's prints that by itself, though the messages are in the build log."""


@contextmanager
def without_counts() -> Iterator[None]:
    """Filters the standard error: what the process says in the meantime comes at the end, but for such lines.

    The whole process has one standard error: two threads must not be in here at the same time.
    """
    with ExitStack() as opened:
        try:
            kept = os.dup(STANDARD_ERROR)
            opened.callback(os.close, kept)
            said = opened.enter_context(TemporaryFile())
        except OSError:  # it is closed, or there is no room: a line too many is no harm
            yield
            return
        with suppress(AttributeError):  # Python may have none
            sys.stderr.flush()
        os.dup2(said.fileno(), STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(kept, STANDARD_ERROR)
            said.seek(0)
            os.write(STANDARD_ERROR, COUNTS.sub(b"", said.read()))
