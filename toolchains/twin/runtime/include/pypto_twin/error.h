// How a broken rule ends a launch: the text goes to the launch's message buffer, the site to its `site`, and a Failure
// unwinds to `run`.
#ifndef PYPTO_TWIN_ERROR_H_
#define PYPTO_TWIN_ERROR_H_

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "pypto_twin/abi.h"

namespace pypto_twin {

struct Failure {};

// The part of a block that errors and system variables need.
struct Context {
  pypto_twin_launch* launch = nullptr;
  int64_t block_idx = 0;
  int64_t block_num = 1;
  int64_t subblock_idx = 0;
  int64_t subblock_num = 1;
  bool vector_core = true;
};

using ll = long long;  // the argument type of %lld, whatever int64_t is

namespace detail {

inline void write_message(pypto_twin_launch* launch, const char* format, va_list values) {
  if (launch->message == nullptr || launch->message_bytes == 0) return;
  vsnprintf(launch->message, static_cast<size_t>(launch->message_bytes), format, values);
}

}  // namespace detail

// Ends the launch: "<operation>: <text> [block i of n]".
[[noreturn]] __attribute__((noinline, cold, format(printf, 4, 5))) inline void fail(const Context& context,
                                                                                    int32_t site, const char* operation,
                                                                                    const char* format, ...) {
  char text[768];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  pypto_twin_launch* launch = context.launch;
  launch->site = site;
  if (launch->message != nullptr && launch->message_bytes != 0) {
    snprintf(launch->message, static_cast<size_t>(launch->message_bytes), "%s: %s [block %lld of %lld]", operation,
             text, static_cast<ll>(context.block_idx), static_cast<ll>(context.block_num));
  }
  throw Failure{};
}

}  // namespace pypto_twin

#endif  // PYPTO_TWIN_ERROR_H_
