// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// A process in its own group, which gets the terminal's keys: this process is then in the background.
final class ForegroundProcess {
    private var number = pid_t()

    init(of terminal: Int32) throws {
        var attributes = posix_spawnattr_t()
        // Safe: the calls fill and free a local structure.
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        // Safe: the texts are freed after the call, which copies them.
        var arguments = unsafe [strdup("sleep"), strdup("60"), nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        try #require(unsafe posix_spawn(&number, "/bin/sleep", nil, &attributes, &arguments, environ) == 0)
        try #require(tcsetpgrp(terminal, number) == 0)
    }

    deinit {
        kill(number, SIGKILL)
        _ = waitpid(number, nil, 0)
    }
}
