"""What YATeTo asks for kernels for GPUs."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from einsum_front import ir
from einsum_front.driver import Session, gpu_target
from einsum_front.exporter.operations import Operations, refused
from einsum_front.exporter.routine import HEADERS, SUPPORT, Routine, routine_of

TENSORFORGE = Path(__file__).parent / "as_tensorforge"
"""A folder for `PYTHONPATH`."""

INTERFACE_VERSION = 1
"""Of the exporters of YATeTo."""


def use_fusedgemm_cost() -> bool:
    """False: YATeTo orders products by its usual costs, and hands over one after the other."""
    return False


def get_routine_generator(yateto: ModuleType) -> type:
    """The class that YATeTo makes an exporter of for each kernel; `yateto` is the package.

    Its methods raise `CompileError`: E0165 for an architecture that is not known, E0166 for what no kernel does.
    """
    from importlib import import_module  # noqa: PLC0415 - of the package that is given, which is no dependency

    base: Any = import_module(f"{yateto.__name__}.codegen.factory").ExportGenerator
    if base.INTERFACE_VERSION != INTERFACE_VERSION:
        raise refused(f"this YATeTo has exporters of version {base.INTERFACE_VERSION}, not {INTERFACE_VERSION}")

    class Exporter(base):  # type: ignore[misc] # YATeTo has no types
        """The operations of one kernel, until `generate` is called behind the last."""

        def __init__(self, arch: Any) -> None:
            super().__init__(arch)
            self._operations = Operations()

        def add_linear_operation(
            self, dest: Any, ops: Sequence[Any], target: object, permute: object, add: bool
        ) -> int:
            """`dest (= | +=) product of ops`; gives the operations of the loops over boxes."""
            return self._operations.add(dest, ops, is_added=bool(add))

        def generate(self, cpp: Any, cache: Any) -> None:
            """Writes the call of the kernel, and gives its function to the file of routines."""
            if not self._operations.done:
                return
            backend = self.arch.backend
            if backend not in HEADERS:
                raise refused(f"there are kernels for the back ends {', '.join(HEADERS)}, not for `{backend}`")
            element = ir.ElementType.F64 if self.arch.typename == "double" else ir.ElementType.F32
            routine = routine_of(self._operations, element, _session(self.arch.name, backend), backend)
            cache.addRoutine(routine.name, _Writer(routine, backend))
            cpp(routine.call)

    return Exporter


@cache
def _session(architecture: str, backend: str) -> Session:
    return Session(gpu_target(architecture, backend))


class _Writer:
    """Appends a function to the file of routines; YATeTo asks one for the head of the file."""

    def __init__(self, routine: Routine, backend: str) -> None:
        self._routine, self._backend = routine, backend

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Writer) and self._routine.definition == other._routine.definition

    def __hash__(self) -> int:
        return hash(self._routine.name)

    def target(self) -> str:
        """The file is one for GPUs."""
        return "gpu"

    def header(self, cpp: Any) -> None:
        """What stands in the file once."""
        cpp.includeSys(HEADERS[self._backend])
        cpp(SUPPORT.replace("PREFIX", self._backend))

    def __call__(self, _name: str, file: str) -> str:
        """The declaration, for the header."""
        with Path(file).open("a", encoding="utf-8") as stream:
            stream.write(self._routine.definition)
        return self._routine.declaration
