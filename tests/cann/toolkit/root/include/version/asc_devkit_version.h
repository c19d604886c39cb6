// Stand-in header: the version that the compile line force-includes.
#pragma once

#define ASC_DEVKIT_VERSION_STR "@CANN_VERSION@"
