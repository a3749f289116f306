// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import SQLiteStore

struct IdentitiesAcceptRestoredCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-restored", abstract: "Take an older database of identities for the right one.",
        discussion: """
            A kiosk refuses a database that is older than the one that it last wrote: it may bring back identities \
            that were deleted or blocked since, and tokens of before a PIN was changed. Say so here if you restored it \
            on purpose.

            For example: login-kiosk identities accept-restored
            """)

    @OptionGroup var places: DirectoryOptions
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let accepted = true
    }

    func run() async throws {
        let location = StoreLocation(try places.directories())
        do { try SQLiteIdentityStorage.acceptRestored(at: location) } catch { throw KioskParts.complaint(error) }
        if json { return try JSONOutput.write(Document()) }
        print("the identities in \(location.directory) are taken as they are")
    }
}
