// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Macros that combine others are not imported.
static const uint32_t cseccomp_x86_64 = AUDIT_ARCH_X86_64;
static const uint32_t cseccomp_arm64 = AUDIT_ARCH_AARCH64;
// The flags by which libc starts a thread. A process, or a thread in a namespace of its own, has other flags.
static const uint32_t cseccomp_thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
    CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;

// prctl takes a variable number of arguments, which Swift cannot call.
static inline int cseccomp_no_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

// The signal that the kernel sends to this process when the thread that started it ends. 0, or -1 with errno.
static inline int cseccomp_signal_at_parents_end(int number) {
    return prctl(PR_SET_PDEATHSIG, number, 0, 0, 0);
}

// All threads share one pool of memory: a second one would be made usable, piece by piece, by mprotect.
static inline int cseccomp_single_arena(void) {
    return mallopt(M_ARENA_MAX, 1);
}

// Its public name belongs to an extension of libc that Swift does not switch on.
static const int cseccomp_place_only = __O_PATH;

// libc has no functions for these calls.

// For every thread of the process. 0, or -1 with errno, or the number of a thread that has another filter.
static inline long cseccomp_install(const struct sock_fprog *program) {
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program);
}

// The version of Landlock that the kernel offers.
static inline long cseccomp_landlock_version(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

// The rights that a ruleset governs, in the order of linux/landlock.h of the youngest version; headers may be older than the
// kernel.
struct cseccomp_governed {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

// A field that the kernel does not know must be zero.
static inline long cseccomp_landlock_ruleset(const struct cseccomp_governed *governed) {
    return syscall(SYS_landlock_create_ruleset, governed, sizeof(*governed), 0);
}

static inline long cseccomp_landlock_allow(int ruleset, uint64_t allowed, int place) {
    struct landlock_path_beneath_attr attributes = {.allowed_access = allowed, .parent_fd = place};
    return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &attributes, 0);
}

static inline long cseccomp_landlock_restrict(int ruleset) {
    return syscall(SYS_landlock_restrict_self, ruleset, 0);
}
