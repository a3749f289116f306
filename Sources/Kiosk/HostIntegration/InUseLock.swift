// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Synchronization

/// Marks the kiosk as in use: an update waits until nobody uses it.
///
/// While it is in use, the kiosk holds a shared lock (`flock`) on a file that belongs to root and that the installation
/// made. The lock ends with the process, however that ends. Without the file, or without the right to read it, this is
/// no installed kiosk, and the calls do nothing.
public final class InUseLock: Sendable {
    /// The file that the installation makes: `deploy/tmpfiles/login-kiosk.conf`.
    public static let installedPath = "/run/login-kiosk.in-use"

    private let path: String
    private let held = Mutex<OpenedFile?>(nil)

    public init(path: String = InUseLock.installedPath) { self.path = path }

    /// Takes or releases the lock. It never waits: the process with the exclusive lock is about to restart the kiosk.
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
