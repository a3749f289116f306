// SPDX-License-Identifier: Apache-2.0
#pragma once
// For the list of what the loader has put into memory.
#define _GNU_SOURCE 1
#include <link.h>
#include <sys/prctl.h>

// prctl takes a variable number of arguments, which Swift cannot call.

static inline int cprocess_set_dumpable(int isDumpable) {
    return prctl(PR_SET_DUMPABLE, isDumpable, 0, 0, 0);
}

// 0 when neither a core file nor another program of the same user gets this process's memory; -1 with errno.
static inline int cprocess_is_dumpable(void) {
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}
