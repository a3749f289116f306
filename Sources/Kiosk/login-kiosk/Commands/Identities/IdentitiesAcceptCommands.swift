// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import MPinClient
import SQLiteStore

struct IdentitiesAcceptLostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-lost", abstract: "Acknowledge that identities were lost.",
        discussion: """
            If a failing disk or card damaged identities, the screen, the log and the doctor show how many. This \
            command removes the damaged ones and ends the message. The people concerned register again.
            For example: login-kiosk identities accept-lost
            """)

    @OptionGroup var places: DirectoryOptions
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let accepted: Int
    }

    func run() async throws {
        let accepted = try await accept(StoreLocation(try places.directories()))
        if json { return try JSONOutput.write(Document(accepted: accepted)) }
        print(accepted == 0 ? "no identity was lost" : "noted: \(accepted) identities were lost")
    }

    private func accept(_ location: StoreLocation) async throws -> Int {
        let storage: SQLiteIdentityStorage
        do { storage = try SQLiteIdentityStorage(at: location) } catch { throw KioskParts.complaint(error) }
        do { return try await storage.acceptLosses() } catch {
            throw Complaint.make(error.detail, hint: "login-kiosk doctor", status: .ioError)
        }
    }
}

struct IdentitiesAcceptRestoredCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-restored",
        abstract: "Accept an older database of identities that was restored on purpose.",
        discussion: """
            The kiosk refuses a database that is older than the last one it wrote, because it may bring back deleted \
            or blocked identities and old PINs. Use this command if you restored it on purpose. Stop the kiosk first.
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
