// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Macros that combine others are not imported.
#if defined(__x86_64__)
static const uint32_t cseccomp_native_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static const uint32_t cseccomp_native_architecture = AUDIT_ARCH_AARCH64;
#else
#error "name the audit architecture of this machine"
#endif
static const uint32_t cseccomp_clone_thread = CLONE_THREAD;

// prctl takes a variable number of arguments, which Swift cannot call.
static inline int cseccomp_no_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static inline int cseccomp_install(const struct sock_fprog *program) {
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0);
}

// Its public name belongs to an extension of libc that Swift does not switch on.
static const int cseccomp_place_only = __O_PATH;

// libc has no functions for these calls.

// The version of Landlock that the kernel offers.
static inline long cseccomp_landlock_version(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static inline long cseccomp_landlock_ruleset(uint64_t handled) {
    struct landlock_ruleset_attr attributes = {.handled_access_fs = handled};
    // Without the fields that later versions added.
    return syscall(SYS_landlock_create_ruleset, &attributes, sizeof(uint64_t), 0);
}

static inline long cseccomp_landlock_allow(int ruleset, uint64_t allowed, int place) {
    struct landlock_path_beneath_attr attributes = {.allowed_access = allowed, .parent_fd = place};
    return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &attributes, 0);
}

static inline long cseccomp_landlock_restrict(int ruleset) {
    return syscall(SYS_landlock_restrict_self, ruleset, 0);
}
