// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
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
        let location = StoreLocation(try places.directories())
        let storage: SQLiteIdentityStorage
        do { storage = try SQLiteIdentityStorage(at: location) } catch { throw KioskParts.complaint(error) }
        let accepted: Int
        do { accepted = try await storage.acceptLosses() } catch {
            throw Complaint.make(error.detail, hint: "login-kiosk doctor", status: .ioError)
        }
        if json { return try JSONOutput.write(Document(accepted: accepted)) }
        print(accepted == 0 ? "no identity was lost" : "noted: \(accepted) identities were lost")
    }
}
