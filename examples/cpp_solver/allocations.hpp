#pragma once

#include <cstddef>

// How often the program has allocated memory until now: malloc and its like, and so `new`, in all threads.
long allocations();
