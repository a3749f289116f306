// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import MPinClient
import SQLiteStore

struct IdentitiesAcceptLostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-lost", abstract: "Take note that identities were lost.",
        discussion: """
            Where the medium damaged identities, the kiosk's screen, its log and the doctor say how many. After this \
            they say no more of them. What is left of the damaged ones is removed; their people register again.

            For example: login-kiosk identities accept-lost
            """)

    @OptionGroup var places: DirectoryOptions
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let accepted: Int
    }

    func run() async throws {
        let configuration = try places.require()
        let directories = try places.directories(in: configuration)
        let accepted = try await accept(StoreLocation(directories))
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
        commandName: "accept-restored", abstract: "Take an older database of identities for the right one.",
        discussion: """
            A kiosk refuses a database that is older than the one that it last wrote: it may bring back identities \
            that were deleted or blocked since, and tokens of before a PIN was changed. Say so here if you restored it \
            on purpose. The kiosk has to be stopped.

            For example: login-kiosk identities accept-restored
            """)

    @OptionGroup var places: DirectoryOptions
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let accepted = true
    }

    func run() async throws {
        let configuration = try places.require()
        let directories = try places.directories(in: configuration)
        let location = StoreLocation(directories)
        do { try SQLiteIdentityStorage.acceptRestored(at: location) } catch { throw KioskParts.complaint(error) }
        if json { return try JSONOutput.write(Document()) }
        print("the identities in \(location.directory) are taken as they are")
    }
}
