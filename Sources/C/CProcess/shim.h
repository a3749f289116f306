// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

// prctl takes a variable number of arguments, which Swift cannot call.

static inline int cprocess_set_dumpable(int isDumpable) {
    return prctl(PR_SET_DUMPABLE, isDumpable, 0, 0, 0);
}

// 0 when neither a core file nor another program of the same user gets this process's memory; -1 with errno.
static inline int cprocess_is_dumpable(void) {
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}

// Empties the buffer of standard output, which Swift may not name: it is a variable that any thread could change. 0 when
// all that was ever printed was written; else -1 with errno.
static inline int cprocess_flush_output(void) {
    return fflush(stdout) != 0 || ferror(stdout) ? -1 : 0;
}

// This process becomes the parent of every orphan among its descendants, prctl(2); -1 with errno.
static inline int cprocess_adopt_orphans(void) {
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

// Swift refuses the variable itself, which any thread may change.
extern char **environ;
static inline char **cprocess_environment(void) { return environ; }

// The program or a library of it, as dl_iterate_phdr(3) describes it: link.h hides the beginning of that structure, and
// the function, from who does not define _GNU_SOURCE, as Swift does not.
struct cprocess_object {
    ElfW(Addr) address;
    const char *name;
    const ElfW(Phdr) *segments;
    ElfW(Half) count;
};

int dl_iterate_phdr(int (*visit)(struct cprocess_object *, size_t, void *), void *context);

// Gives a file another name, unless that one is in use: 0, or -1 with errno. Only who defines _GNU_SOURCE sees renameat2.
int renameat2(int folder, const char *old, int newFolder, const char *name, unsigned int flags);
static inline int cprocess_rename_new(const char *old, const char *name) {
    return renameat2(AT_FDCWD, old, AT_FDCWD, name, 1 /* RENAME_NOREPLACE */);
}
