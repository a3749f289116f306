// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration
import SQLiteStore

struct ResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Delete everything and return the kiosk to its first state.",
        discussion: """
            Deletes the identities, the key that seals them, the trust list, the operator's profile and the fleet key. \
            Settings written by hand stay, and so does the audit log, which notes the reset. Stop the kiosk \
            first. Afterwards an operator sets it up again, and people register again. A reset cannot be undone. If it \
            is interrupted, the next start of the kiosk finishes it.
            For example: login-kiosk reset
            """)

    @OptionGroup var places: DirectoryOptions
    @Flag(help: "Delete only the identities and the key that seals them.")
    var keepSettings = false
    @Flag(help: "Also delete the audit log, and the log of opened doors of version 0.1.0.")
    var deleteAuditLog = false
    @Flag(help: "Do not ask.") var yes = false
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let reset = true
        let keptSettings: Bool
        let deletedAuditLog: Bool
        /// Paths that could not be removed, with reasons.
        let remaining: [String]
    }

    func run() async throws {
        let configuration = try places.require(mayLackProfile: true)
        let reset = FactoryReset(configuration, try places.directories(in: configuration))
        try refuseWhileInUse(reset)
        guard yes || isConfirmed else {
            throw Complaint.make("nothing was deleted", hint: "without being asked: --yes", status: .usage)
        }
        let extent = FactoryReset.Extent(keepsSettings: keepSettings, deletesAuditLog: deleteAuditLog)
        try FactoryReset.complaining { () throws(FactoryReset.Failure) in try reset.begin(extent) }
        // A deleted audit log gets no entry.
        if !extent.deletesAuditLog {
            await KioskChange.resetBegun(extent, .command).record(configuration, reset.places)
        }
        let outcome = try FactoryReset.complaining { () throws(FactoryReset.Failure) in try reset.end(extent) }
        if !extent.deletesAuditLog {
            await KioskChange.resetEnded(extent, .command, isWhole: outcome.isWhole)
                .record(configuration, reset.places)
        }
        if outcome.identityKeyRemains {
            Complaint.say(
                "the key of the identities lies where nothing can be written: \(reset.places.identityKeyFile)",
                hint: "what it sealed is deleted; make a new one: docs/storage.md#changing-the-key")
        }
        for path in outcome.remaining { Complaint.say("not removed: \(path)", hint: "remove it as its owner") }
        if json {
            try JSONOutput.write(
                Document(keptSettings: keepSettings, deletedAuditLog: deleteAuditLog, remaining: outcome.remaining))
        } else {
            print("deleted: all identities of this kiosk\(keepSettings ? "" : ", and the operator's profile")")
        }
        if !outcome.remaining.isEmpty { throw ExitStatus.ioError.error }
    }

    /// Checked before any question or change.
    private func refuseWhileInUse(_ reset: FactoryReset) throws {
        do throws(StoreOpeningError) {
            try SQLiteIdentityStorage.requireUnused(at: StoreLocation(reset.places))
        } catch { throw KioskParts.complaint(error) }
    }

    private var isConfirmed: Bool {
        PINPrompt.say("Delete all identities of this kiosk\(keepSettings ? "" : ", and its profile")? Type yes: ")
        return readLine()?.lowercased() == "yes"
    }
}
