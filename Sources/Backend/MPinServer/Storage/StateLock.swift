// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import LinuxSystem
import Synchronization

/// The lock of the one backend that serves with a state directory's SQLite database. Half of a backend's state is in
/// its memory, so each of two backends on one database would have only half of the logins. Management commands need no
/// lock.
package final class StateLock: Sendable {
    /// Longer than a stopped backend takes to end.
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
