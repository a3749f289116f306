// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BackendDatabases
import CommandLineInterface
import Foundation
import LinuxSystem
import MPinServer

/// The directory of a backend's own state: master secrets, passwords, its audit log, and users without a database.
struct BackendStateDirectory: ParsableArguments {
    @Option(help: "Directory of master secrets and users. Default: backend/ below the kiosk's state directory.")
    var state: String?

    func directory() throws -> String {
        if let state { return state }
        guard let usual = UsualDirectory.state.path(in: ProcessInfo.processInfo.environment) else {
            throw Complaint.make(
                "there is no home directory to keep files in", hint: "name one: --state DIR", status: .configuration)
        }
        return "\(usual)/backend"
    }

    /// The directory, for commands that read one: a missing directory is an error, not an empty one.
    func existingDirectory() throws -> String {
        let directory = try directory()
        do throws(FileFault) { try OwnedFile.check(directory, .unaltered, .directory) } catch {
            guard error.cause == .missing else { throw Complaint.make(error) }
            throw Complaint.make(
                "\(directory): no backend has run here", hint: "name its state directory: --state DIR", status: .noInput
            )
        }
        return directory
    }
}

/// The storage of a backend's users.
struct BackendStateOptions: ParsableArguments {
    @OptionGroup var place: BackendStateDirectory
    @Option(
        help: """
            Keep users, sessions and counters in PostgreSQL, for several backends at once: postgresql://HOST/DATABASE, \
            service=NAME, or what else libpq takes, with PG* of the environment. Without a password: passfile=FILE, or \
            PGPASSWORD in an environment file.
            """)
    var database: String?

    func directory() throws -> String { try place.directory() }

    /// The state, for commands about users: with a database they need no state directory.
    func backendState() throws -> BackendState {
        if let database { return try BackendState(database: database) }
        return try BackendState(directory: place.existingDirectory())
    }
}
