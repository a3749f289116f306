// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Synchronization

/// Tells the machine that a person uses the kiosk: an update waits until none does.
///
/// While it is held the kiosk has a shared lock (`flock`) on a file that belongs to root and that the installation
/// made. It goes with the process, however that ends. Without the file, or without the right to read it, this is no
/// installed kiosk, and nothing is told.
public final class InUseLock: Sendable {
    /// Where the installation makes the file: `deploy/tmpfiles/login-kiosk.conf`.
    public static let installedPath = "/run/login-kiosk.in-use"

    private let path: String
    private let held = Mutex<OpenedFile?>(nil)

    public init(path: String = InUseLock.installedPath) { self.path = path }

    /// Takes the lock, or lets it go. It never waits: the process that has the exclusive lock is about to start
    /// the kiosk anew.
    public func set(_ isInUse: Bool) {
        held.withLock { file in
            file = nil
            guard isInUse, let opened = try? OpenedFile.open(path),
                flock(opened.descriptor, LOCK_SH | LOCK_NB) == 0
            else { return }
            file = opened
        }
    }
}
