// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Synchronization

/// The right to serve with the SQLite database of a state directory. Half of a backend's state is in its memory, so
/// that two on one database would each know half of the logins. Commands that manage users need no right.
package final class StateLock: Sendable {
    /// Longer than a backend that was stopped takes to end.
    private static let patience = Duration.milliseconds(500)

    private let lock: Mutex<FileLock>

    /// - Throws: `BackendError.stateInUse`; `.file`, `.exposedFile`.
    package init(_ state: StateDirectory) throws(BackendError) {
        do throws(FileFault) {
            lock = Mutex(try FileLock(state.file("backend.sqlite"), patience: Self.patience))
        } catch {
            throw error.cause == .locked ? .stateInUse(path: state.path) : BackendError(error)
        }
    }

    package func release() { lock.withLock { $0.release() } }
}
