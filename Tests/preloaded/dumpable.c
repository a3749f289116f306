// SPDX-License-Identifier: Apache-2.0

// Loaded into a program in advance, it says at the end whether core files and other programs of the same user could
// have the program's memory.

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>

__attribute__((destructor)) static void report(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return;
    fprintf(stderr, "dumpable %d core %lu\n", prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), (unsigned long)limit.rlim_max);
}
