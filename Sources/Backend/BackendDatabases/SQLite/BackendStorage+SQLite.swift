// SPDX-License-Identifier: Apache-2.0

package import MPinServer

extension BackendStorage {
    /// SQLite in the state directory, and the memory of this process: for one process, with nothing to install.
    /// - Throws: `BackendError.file`, `.database`.
    package static func embedded(in state: StateDirectory) throws(BackendError) -> BackendStorage {
        BackendStorage(durable: try BackendDatabase(state: state), volatile: MemoryTables())
    }
}
