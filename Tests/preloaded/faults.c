// SPDX-License-Identifier: Apache-2.0

// Loaded into the kiosk in advance, it stands between the program and the kernel: calls on regular files below a folder
// fail as on a broken or full disk, are interrupted, or write half. A seed decides which.
//
//   FAULTS_FOLDER    the folder, without links; other files are left alone
//   FAULTS_SEED      a number
//   FAULTS_ONE_IN    average number of calls per fault
//
// Each fault is a line on standard error: "fault: write EIO identities.sqlite".

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ssize_t (*reading)(int, void *, size_t);
typedef ssize_t (*reading_at)(int, void *, size_t, off64_t);
typedef ssize_t (*writing)(int, const void *, size_t);
typedef ssize_t (*writing_at)(int, const void *, size_t, off64_t);
typedef int (*syncing)(int);
typedef int (*renaming)(const char *, const char *);

/// NULL while no call fails.
static const char *folder;
static uint64_t oneIn;
static _Atomic uint64_t state;

__attribute__((constructor)) static void settle_in(void) {
    const char *seed = getenv("FAULTS_SEED"), *average = getenv("FAULTS_ONE_IN");
    if (!seed || !average || strcmp(program_invocation_short_name, "login-kiosk") != 0) return;
    atomic_store(&state, strtoull(seed, NULL, 10));
    oneIn = strtoull(average, NULL, 10);
    folder = getenv("FAULTS_FOLDER");
}

/// SplitMix64.
static uint64_t next_random(void) {
    uint64_t mixed = atomic_fetch_add(&state, 0x9E3779B97F4A7C15) + 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
}

static bool is_inside(const char *path) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/// The fault of a call: an error, 0 for half of a write, or -1 for no fault.
///
/// `errors` ends with -1.
static int choose(const char *call, const char *path, const int *errors) {
    if (!is_inside(path) || next_random() % oneIn != 0) return -1;
    int count = 0;
    while (errors[count] != -1) count++;
    int fault = errors[next_random() % count];
    const char *name = fault == EIO ? "EIO" : fault == ENOSPC ? "ENOSPC" : fault == EINTR ? "EINTR" : "half";
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "fault: %s %s %s\n", call, name, path + strlen(folder) + 1);
    (void)!write(STDERR_FILENO, line, (size_t)length);
    return fault;
}

static int choose_for(const char *call, int descriptor, const int *errors) {
    // Faults are reported on standard error.
    if (!folder || descriptor <= STDERR_FILENO) return -1;
    int before = errno;
    char link[64], path[PATH_MAX];
    struct stat status;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = -1;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) length = readlink(link, path, sizeof path - 1);
    errno = before;
    if (length < 0) return -1;
    path[length] = 0;
    return choose(call, path, errors);
}

static const int readErrors[] = {EIO, EINTR, -1};
static const int writeErrors[] = {EIO, ENOSPC, EINTR, 0, -1};
static const int syncErrors[] = {EIO, ENOSPC, -1};

/// Makes a call fail, if `fault` is an error.
#define FAIL(fault)    \
    if (fault > 0) {   \
        errno = fault; \
        return -1;     \
    }

/// The C library's own function. Other libraries may call it before this one is ready.
#define REAL(type, name)                               \
    static type real;                                  \
    if (!real) real = (type)dlsym(RTLD_NEXT, #name);

ssize_t read(int descriptor, void *bytes, size_t count) {
    REAL(reading, read)
    int fault = choose_for("read", descriptor, readErrors);
    FAIL(fault)
    return real(descriptor, bytes, count);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t place) {
    REAL(reading_at, pread64)
    int fault = choose_for("pread", descriptor, readErrors);
    FAIL(fault)
    return real(descriptor, bytes, count, place);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t place) {
    return pread64(descriptor, bytes, count, place);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    REAL(writing, write)
    int fault = choose_for("write", descriptor, writeErrors);
    FAIL(fault)
    return real(descriptor, bytes, fault == 0 && count > 1 ? count / 2 : count);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t place) {
    REAL(writing_at, pwrite64)
    int fault = choose_for("pwrite", descriptor, writeErrors);
    FAIL(fault)
    return real(descriptor, bytes, fault == 0 && count > 1 ? count / 2 : count, place);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t place) {
    return pwrite64(descriptor, bytes, count, place);
}

int fsync(int descriptor) {
    REAL(syncing, fsync)
    int fault = choose_for("fsync", descriptor, syncErrors);
    FAIL(fault)
    return real(descriptor);
}

int fdatasync(int descriptor) {
    REAL(syncing, fdatasync)
    int fault = choose_for("fdatasync", descriptor, syncErrors);
    FAIL(fault)
    return real(descriptor);
}

int rename(const char *from, const char *to) {
    REAL(renaming, rename)
    int fault = folder ? choose("rename", to, syncErrors) : -1;
    FAIL(fault)
    return real(from, to);
}
