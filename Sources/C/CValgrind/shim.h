// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <valgrind/memcheck.h>

// Requests to Valgrind are macros around a sequence of instructions that does nothing on a real processor.

static inline unsigned cvalgrind_is_running(void) {
    return RUNNING_ON_VALGRIND;
}

static inline unsigned cvalgrind_error_count(void) {
    return VALGRIND_COUNT_ERRORS;
}

static inline void cvalgrind_make_undefined(const void *address, size_t length) {
    VALGRIND_MAKE_MEM_UNDEFINED(address, length);
}

static inline void cvalgrind_make_defined(const void *address, size_t length) {
    VALGRIND_MAKE_MEM_DEFINED(address, length);
}
