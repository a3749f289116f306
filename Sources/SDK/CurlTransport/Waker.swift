// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// Ends the thread's poll, from any thread (eventfd(2)). curl's own waker would do, but belongs to a handle that goes
/// with the thread, so that callers would have to hold a lock which the thread that they wake wants next.
final class Waker: Sendable {
    let descriptor: Int32

    init() throws(CurlSetupError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw CurlSetupError("libcurl did not start: out of file descriptors") }
    }

    deinit { close(descriptor) }

    /// Ends the present or next poll.
    func wake() { eventfd_write(descriptor, 1) }

    /// So that the next poll sleeps.
    func rest() {
        var count: eventfd_t = 0
        // Safe: the count is ours.
        _ = unsafe eventfd_read(descriptor, &count)
    }
}
