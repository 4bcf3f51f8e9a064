"""Languages that kernel trees are printed in: a file for each says what it spells in its own way.

c_family    the common part: one printer; c_operators: operators and numbers
cuda        CUDA C++ and HIP
opencl      OpenCL C
c           C11 with the vectors of GCC and Clang
reserved    the words that names must not be there
text        the tree itself, for people and for golden files
"""
