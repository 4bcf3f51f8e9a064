"""Languages that kernel trees are printed in: a file for each says what it spells in its own way.

c_family    the common part: one printer; c_operators: operators and numbers
cpp         the common part of languages of C++: vectors as a class, atomic updates
cuda        CUDA C++ and HIP
sycl        SYCL 2020
opencl      OpenCL C
c           C11 with the vectors of GCC and Clang
reserved    the words that names must not be there
text        the tree itself, for people and for golden files
"""
