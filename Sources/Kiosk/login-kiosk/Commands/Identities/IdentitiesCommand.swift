// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration
import LinuxSystem
import MPinClient
import SQLiteStore

struct IdentitiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identities",
        abstract: "List, change and delete the identities on this device.",
        discussion: """
            list, show and card work while the kiosk runs. Commands that change an identity do not. No command prints \
            a secret.
            For example: login-kiosk identities list
            """,
        subcommands: [
            IdentitiesListCommand.self, IdentitiesShowCommand.self, IdentitiesCardCommand.self,
            IdentitiesCheckCardCommand.self, IdentitiesChangePINCommand.self, IdentitiesDeleteCommand.self,
            IdentitiesAcceptLostCommand.self,
            IdentitiesAcceptRestoredCommand.self,
        ])

    /// Opens the store for reading beside a running kiosk.
    ///
    /// - Returns: nil when no user was ever registered, so that there is no store.
    static func look(_ options: KioskOptions) async throws -> KioskParts? {
        let configuration = try options.require()
        let directories = try options.places.directories(in: configuration)
        let database = directories.identityDatabase
        do throws(FileFault) { try OwnedFile.check(database, .secret) } catch {
            if error.cause == .missing { return nil }
            throw Complaint.make(error)
        }
        return try await KioskParts(options, configuration, access: .reading)
    }
}

/// Selects the identities for a command.
struct IdentityOptions: ParsableArguments {
    @Option(help: "The user, as `login-kiosk identities list` prints it.") var user: String
    @Option(help: "The backend, if the user is registered at several: its URL, or as the list prints it.")
    var backend: String?
}
