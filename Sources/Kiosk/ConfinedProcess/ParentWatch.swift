// SPDX-License-Identifier: Apache-2.0

import CSeccomp
import Glibc
import Synchronization

/// Ends the process soon after its parent, even in the middle of a computation. A killed parent closes its pipes, but
/// those are read between two pictures only.
public enum ParentWatch {
    private static let parent = Atomic<pid_t>(0)

    /// Begins to watch the parent. Called before the process is confined.
    ///
    /// The watch cannot tell a parent that ended before the call; ``ParentPipe`` then finds its pipes closed. The same
    /// holds where the kernel does not report a parent's end.
    ///
    /// - Returns: false when the parent ended during the call.
    public static func begin() -> Bool {
        let first = getppid()
        parent.store(first, ordering: .relaxed)
        signal(SIGHUP) { _ in
            // The kernel also sends it when only the thread that started this process ends. The parent stays the same.
            guard getppid() != ParentWatch.parent.load(ordering: .relaxed) else { return }
            ProcessorLimit.setLast()
        }
        ProcessorLimit.admit(SIGHUP)
        _ = cseccomp_signal_at_parents_end(SIGHUP)
        return getppid() == first
    }
}
