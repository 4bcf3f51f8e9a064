"""The Fortran module of a package: interfaces of the C functions, by `iso_c_binding`.

Names of a module are its own: a kernel is `run_KERNEL`, the struct of its arguments `arguments_of_KERNEL`.
"""

from collections.abc import Sequence

from einsum_front.package.host import Host
from einsum_front.package.model import Argument, PackagedKernel
from einsum_front.package.names import C_TYPES
from einsum_front.package.text import argument_text, operations_text, template

_KINDS = {"float": "real(c_float)", "double": "real(c_double)"}


def fortran_module(kernels: Sequence[PackagedKernel], host: Host) -> str:
    """`src/NAME.f90`."""
    text = template(f"{host.name}/module.f90")
    structs = [_struct(kernel) for kernel in kernels if kernel.takes_struct]
    text = text.replace("@structs@\n", "".join(f"{struct}\n\n" for struct in structs))
    return text.replace("@functions@", "\n\n".join(_function(kernel, host) for kernel in kernels))


def _struct(kernel: PackagedKernel) -> str:
    members = [f"    {_type(each)} :: {each.name}  ! {argument_text(each)}" for each in kernel.arguments]
    name = f"arguments_of_{kernel.name}"
    count = "    integer(c_int64_t) :: batch  ! number of elements"
    return "\n".join([f"  type, bind(c) :: {name}", *members, count, f"  end type {name}"])


def _function(kernel: PackagedKernel, host: Host) -> str:
    given = ["arguments"] if kernel.takes_struct else [*(each.name for each in kernel.arguments), "batch"]
    names = ", &\n        ".join([*(name for name, _ in host.fortran_before), *given])
    lines = [
        f"    ! {kernel.stages.name}: {operations_text(kernel)}, for each element",
        f"    function run_{kernel.name}( &\n        {names}) &",
        f'        result(status) bind(c, name="@name@_{kernel.name}")',
        "      import",
        *(f"      {declared}" for _, declared in host.fortran_before),
    ]
    if kernel.takes_struct:
        lines.append(f"      type(arguments_of_{kernel.name}), intent(in) :: arguments")
    else:
        lines += [f"      {_type(each)}, value :: {each.name}  ! {argument_text(each)}" for each in kernel.arguments]
        lines.append("      integer(c_int64_t), value :: batch  ! number of elements")
    return "\n".join([*lines, "      integer(c_int) :: status", f"    end function run_{kernel.name}"])


def _type(argument: Argument) -> str:
    """Fortran has no unsigned integers: these are those of the same size."""
    if argument.is_memory:
        return "type(c_ptr)"
    name = C_TYPES[argument.type]
    return _KINDS.get(name) or f"integer(c_{name.removeprefix('u')})"
