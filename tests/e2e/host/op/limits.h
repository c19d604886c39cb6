// What sources of op_api share; it does not ship.
#pragma once

constexpr double kLeastAlpha = -1.0;
