// Stand-in header: generated kernel.cpp files include it; their statements are comments, so it declares no operation.
#pragma once

#include "kernel_operator.h"

namespace pto {}
