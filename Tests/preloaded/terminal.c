// SPDX-License-Identifier: Apache-2.0

// Loaded into a program in advance, it gives another thread the processor just before a thread restores a terminal, as
// a busy machine does. The main thread is not delayed: it ends the process.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <termios.h>
#include <unistd.h>

int tcsetattr(int descriptor, int when, const struct termios *modes) {
    int (*real)(int, int, const struct termios *) = dlsym(RTLD_NEXT, "tcsetattr");
    if (gettid() != getpid() && modes->c_lflag & ECHO) usleep(300000);
    return real(descriptor, when, modes);
}
