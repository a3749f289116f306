// SPDX-License-Identifier: Apache-2.0

package import MPinServer
import PostgreSQL

extension BackendState {
    /// Opens the users in a state directory.
    /// - Throws: `BackendError`.
    package init(directory: String) throws(BackendError) {
        try self.init(directory: directory, clock: SystemWallClock())
    }

    /// Opens the users in a database, named as in the backend's settings.
    /// - Throws: `BackendError`.
    package init(database: String) throws(BackendError) {
        // A person can wait longer than a login, for lists of any length.
        let settings = Database.Settings(connections: 1, limit: .seconds(60))
        self.init(
            storage: try BackendStorage.postgreSQL(at: database, settings: settings).durable, clock: SystemWallClock())
    }

    init(directory: String, clock: any WallClock) throws(BackendError) {
        self.init(storage: try BackendDatabase(state: try StateDirectory(path: directory)), clock: clock)
    }
}
