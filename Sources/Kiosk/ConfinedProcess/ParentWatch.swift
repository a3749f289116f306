// SPDX-License-Identifier: Apache-2.0

import CSeccomp
import Glibc
import Synchronization

/// Notices the end of the parent also while the process computes. A parent that was killed closes its pipes, but those
/// are looked at between two pictures only.
public enum ParentWatch {
    private static let parent = Atomic<pid_t>(0)

    /// Prepares the process. Called before it is confined.
    ///
    /// - Returns: false when the parent has gone already.
    public static func begin() -> Bool {
        let first = getppid()
        parent.store(first, ordering: .relaxed)
        // The kernel also sends it when the parent's thread ends that started this process. Then the parent is the same.
        signal(SIGHUP) { _ in
            guard getppid() != ParentWatch.parent.load(ordering: .relaxed) else { return }
            ProcessorLimit.setLast()
        }
        ProcessorLimit.admit(SIGHUP)
        guard cseccomp_signal_at_parents_end(SIGHUP) == 0 else { return true }
        return getppid() == first
    }
}
