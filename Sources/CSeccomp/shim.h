// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

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
