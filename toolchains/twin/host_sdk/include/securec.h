// The bounded memory and string functions that host sources use; the return value is 0 (EOK) or an errno.
#ifndef PYPTO_TWIN_SECUREC_H_
#define PYPTO_TWIN_SECUREC_H_

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef int errno_t;

#ifndef EOK
#define EOK 0
#endif

// What does not fit leaves the target as it was.
static inline errno_t memset_s(void* target, size_t capacity, int value, size_t count) {
  if (target == NULL) return EINVAL;
  if (count > capacity) return ERANGE;
  memset(target, value, count);
  return EOK;
}

static inline errno_t memcpy_s(void* target, size_t capacity, const void* source, size_t count) {
  if (target == NULL || source == NULL) return EINVAL;
  if (count > capacity) return ERANGE;
  memcpy(target, source, count);
  return EOK;
}

static inline errno_t memmove_s(void* target, size_t capacity, const void* source, size_t count) {
  if (target == NULL || source == NULL) return EINVAL;
  if (count > capacity) return ERANGE;
  memmove(target, source, count);
  return EOK;
}

static inline errno_t strcpy_s(char* target, size_t capacity, const char* source) {
  if (target == NULL || source == NULL) return EINVAL;
  return memcpy_s(target, capacity, source, strlen(source) + 1);
}

__attribute__((format(printf, 3, 4))) static inline int sprintf_s(char* target, size_t capacity, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(target, capacity, format, values);
  va_end(values);
  return length < 0 || (size_t)length >= capacity ? -1 : length;
}

#endif  // PYPTO_TWIN_SECUREC_H_
