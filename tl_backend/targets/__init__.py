"""Languages that kernel trees are printed in: a file for each says what it spells in its own way.

c_family    the common part: one printer, operators, numbers
opencl      OpenCL C
reserved    the words that names must not be there
text        the tree itself, for people and for golden files
"""
