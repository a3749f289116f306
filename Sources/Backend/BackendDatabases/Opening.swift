// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
package import MPinServer
import PostgreSQL

extension BackendStorage {
    /// SQLite in the state directory, and the memory of this process: for one process, with nothing to install.
    /// - Throws: `BackendError.file`, `.database`.
    package static func embedded(in state: StateDirectory) throws(BackendError) -> BackendStorage {
        BackendStorage(try BackendDatabase(state: state), volatile: MemoryTables())
    }

    /// PostgreSQL for everything, for any number of processes and machines. Creates or updates the tables.
    /// - Parameters:
    ///   - address: as libpq takes it, without a password; see `docs/backend.md`.
    ///   - settings: the schema, and the number of connections.
    ///   - credentials: of the state directory; nil for management commands.
    /// - Throws: `BackendError.databaseAddress`, `.databaseServer`.
    static func postgreSQL(
        at address: String, settings: Database.Settings = Database.Settings(), credentials: AppCredentials? = nil
    ) throws(BackendError) -> BackendStorage {
        let target: ServerTarget
        do throws(DatabaseFault) { target = try ServerTarget(address) } catch {
            throw .databaseAddress(problem: error.problem, hint: error.hint)
        }
        let changes: EntryChanges
        if let credentials {
            changes = EntryChanges(key: credentials.key(for: "changes of entries"))
        } else {
            changes = EntryChanges(key: SecretBytes(try RandomBytes.make(32)))
        }
        let database: Database
        do throws(DatabaseFault) {
            database = try Database(at: target, settings: settings, migrations: PostgreSQLSchema.migrations) {
                changes.handle($0)
            }
        } catch {
            throw .databaseServer(problem: error.problem, hint: error.hint)
        }
        return BackendStorage(
            PostgreSQLDurable(database: database),
            volatile: PostgreSQLVolatile(database: database, changes: changes, credentials: credentials))
    }

    /// Opens the storage that an operator has chosen.
    /// - Parameters:
    ///   - address: PostgreSQL's; nil for SQLite in the state directory, and the memory of this process.
    ///   - connections: number of connections to PostgreSQL.
    package static func open(
        _ address: String?, connections: Int, in state: StateDirectory
    ) throws(BackendError) -> BackendStorage {
        if let address {
            return try postgreSQL(
                at: address, settings: Database.Settings(connections: connections),
                credentials: try AppCredentials(path: state.file("credentials")))
        } else {
            let lock = try StateLock(state)
            var storage = try embedded(in: state)
            storage.lock = lock
            return storage
        }
    }
}

extension BackendState {
    /// Opens the users in a state directory.
    /// - Throws: `BackendError`.
    package init(directory: String, clock: any WallClock = SystemWallClock()) throws(BackendError) {
        self.init(storage: try .embedded(in: try StateDirectory(path: directory)), clock: clock)
    }

    /// Opens the users in a database, named as in the backend's settings.
    /// - Throws: `BackendError`.
    package init(database: String) throws(BackendError) {
        // A person can wait longer for a long list than a login can.
        let settings = Database.Settings(connections: 1, limit: .seconds(60))
        self.init(storage: try .postgreSQL(at: database, settings: settings), clock: SystemWallClock())
    }
}
