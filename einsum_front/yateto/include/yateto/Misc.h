// Part of `yateto.h`.
#include "../yateto.h"
