"""How OpenCL C spells types."""

from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar

SCALARS = {
    Scalar.BOOL: "bool",
    Scalar.I8: "char",
    Scalar.U8: "uchar",
    Scalar.I16: "short",
    Scalar.U16: "ushort",
    Scalar.I32: "int",
    Scalar.U32: "uint",
    Scalar.I64: "long",
    Scalar.U64: "ulong",
    Scalar.F32: "float",
    Scalar.F64: "double",
    Scalar.BF16: "ushort",
    Scalar.F16: "ushort",
}

SPACES = {
    AddressSpace.GLOBAL: "global",
    AddressSpace.CONSTANT: "constant",
    AddressSpace.LOCAL: "local",
    AddressSpace.PRIVATE: "",
}
