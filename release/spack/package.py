# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)

# For spack's builtin repository: packages/py_einsum_front/package.py.
from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import *


class PyEinsumFront(PythonPackage):
    """Compiler for small tensor contractions: index strings in, batched kernels in OpenCL C,
    C and CUDA out."""

    homepage = "https://github.com/einsum-front/einsum-front"
    pypi = "einsum-front/einsum_front-1.0.0.tar.gz"

    license("BSD-3-Clause")

    version("1.0.0", sha256="0" * 64)  # of the file that was uploaded

    # py-pyopencl of spack is 2020.2.2: kernels run with the C compiler (device `c`)
    variant("colours", default=True, description="Colours on a terminal")
    variant("drawings", default=False, description="Draw orders of contraction without Graphviz")
    variant("bf16", default=False, description="Arrays of bf16")

    depends_on("python@3.11:", type=("build", "run"))
    depends_on("py-setuptools@77:", type="build")
    depends_on("py-lark@1.1:", type=("build", "run"))
    depends_on("py-numpy@1.26:", type=("build", "run"))
    depends_on("py-grandalf@0.8:", type=("build", "run"), when="+drawings")
    depends_on("py-ml-dtypes@0.4:", type=("build", "run"), when="+bf16")
    depends_on("py-pygments@2.17:", type=("build", "run"), when="+colours")
