"""What packages of each target have in their own way: templates, and what functions take besides arguments."""

from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.package.model import Argument
from einsum_front.package.names import C_TYPES
from einsum_front.runtime.artifact import GroupParameter

_SHARED = frozenset(
    {"message", "check_entries", "check_places", "check_size", "run", "fail", "times", "plus", "status", "function"}
)


@dataclass(frozen=True, slots=True)
class Host:
    """A target of packages; `name` is also the folder of its templates.

    `functions` are names that a package has besides those of its kernels, `words` those that no argument may have.
    `sources` are its own templates in `src`, where files of kernels end in `suffix`. In front of the arguments of a
    kernel stand `before` in C, `cpp_before` in C++, which hands on `cpp_given`, and `fortran_before` in Fortran, with
    what declares them. A kernel is `cpp_method` with `{}` for its name, so far indented. Test programs know the place
    of a run as `place`, and hand on `test_given`.
    """

    name: str
    functions: frozenset[str]
    words: frozenset[str]
    sources: tuple[str, ...]
    before: tuple[str, ...]
    cpp_before: str
    cpp_given: str
    cpp_method: tuple[str, str]
    cpp_indent: str
    fortran_before: tuple[tuple[str, str], ...]
    place: str
    test_given: str
    dependencies: str
    pkg_cflags: str
    pkg_libs: str
    suffix: str = "c"

    def entry_type(self, argument: Argument) -> str:
        """The type of the entries of memory in C, or that of a number."""
        parameter = argument.parameter
        if self.name == "opencl" or not (isinstance(parameter, GroupParameter) and argument.type == "u64"):
            return C_TYPES[argument.type]
        return f"{'' if parameter.is_written else 'const '}{C_TYPES[parameter.type]} *"

    def c_type(self, argument: Argument) -> str:
        """The type of an argument in C, with what stands between it and a name."""
        if not argument.is_memory:
            return f"{C_TYPES[argument.type]} "
        return "cl_mem " if self.name == "opencl" else f"{constant(self.entry_type(argument), argument)} *"


def constant(type_: str, argument: Argument) -> str:
    """The type of entries, constant if they are not written."""
    if argument.is_written:
        return type_
    return f"{type_}const" if type_.endswith("*") else f"const {type_}"


OPENCL = Host(
    name="opencl",
    functions=_SHARED
    | {"create", "destroy", "prepare", "compiled", "build", "fail_opencl", "descriptions", "count", "launch"}
    | {"argument", "constant", "result", "description", "library"},
    words=frozenset({"kernels", "launch", "batch", "arguments", "event", "status", "queue", "where_"}),
    sources=("launch.c", "programs.c", "opencl.c"),
    before=("@name@_library *kernels", "const @name@_launch *launch"),
    cpp_before="const launch &where",
    cpp_given="made_.get(), &where",
    cpp_method=("status {}(", ") const noexcept"),
    cpp_indent="    ",
    fortran_before=(("kernels", "type(c_ptr), value :: kernels"), ("where_", "type(launch), intent(in) :: where_")),
    place="    @name@_library *kernels;\n    const @name@_launch *launch;",
    test_given="where->kernels, where->launch",
    dependencies="find_dependency(OpenCL)\nfind_dependency(Threads)\n",
    pkg_cflags=" -I@OpenCL_INCLUDE_DIRS@",
    pkg_libs=" @OpenCL_LIBRARIES@ -pthread",
)

C = Host(
    name="c",
    functions=_SHARED | {"threads", "instructions", "call", "body", "variant", "kernel", "check_batch"},
    words=frozenset({"threads", "batch", "arguments", "status", "size_status", "own", "about", "where_"}),
    sources=("launch.c",),
    before=("@name@_threads threads",),
    cpp_before="threads where",
    cpp_given="static_cast<@name@_threads>(where)",
    cpp_method=("inline status {}(", ") noexcept"),
    cpp_indent="",
    fortran_before=(("threads", "integer(c_int), value :: threads"),),
    place="    @name@_threads threads;",
    test_given="where->threads",
    dependencies="",
    pkg_cflags="",
    pkg_libs=" @OpenMP_C_FLAGS@ -lm",
)

CUDA = Host(
    name="cuda",
    functions=_SHARED | {"stream", "kernel", "result", "check", "check_batch"},
    words=frozenset({"stream", "batch", "arguments", "status", "found", "about", "prologue", "results", "given"})
    | {"given_before", "results_of", "where_"},
    sources=("launch.c",),
    before=("@name@_stream stream",),
    cpp_before="stream where",
    cpp_given="where",
    cpp_method=("inline status {}(", ") noexcept"),
    cpp_indent="",
    fortran_before=(("stream", "type(c_ptr), value :: stream"),),
    place="    @name@_stream stream;",
    test_given="where->stream",
    dependencies="if(@@NAME@_HIP@)\n  find_dependency(hip)\nelse()\n  find_dependency(CUDAToolkit)\nendif()\n",
    pkg_cflags=" @gpu_cflags@",
    pkg_libs=" @gpu_libs@",
    suffix="cu",
)

_OF_SYCL = """
    GetErrorString GetUnits MallocAsync FreeAsync MemsetAsync LaunchKernel Range Constant
    GetDeviceCount StreamCreate StreamSynchronize StreamDestroy Malloc Free Memcpy MemcpyHostToDevice MemcpyDeviceToHost
"""

SYCL = replace(
    CUDA,
    name="sycl",
    functions=CUDA.functions | {"queue", "unpack"} | {f"sycl{each}" for each in _OF_SYCL.split()},
    words=CUDA.words | {"queue"},
    sources=("launch.c", "sycl.cpp"),
    before=("@name@_queue queue",),
    cpp_before="::sycl::queue &where",
    cpp_given="&where",
    fortran_before=(("queue", "type(c_ptr), value :: queue"),),
    place="    @name@_queue queue;",
    test_given="where->queue",
    dependencies="if(@@NAME@_ADAPTIVECPP@)\n  find_dependency(AdaptiveCpp)\nendif()\n",
    pkg_cflags="",
    pkg_libs="",
    suffix="cpp",
)

HOSTS = {host.name: host for host in (OPENCL, C, CUDA, SYCL)}
