// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import CommandLineInterface
import Foundation
import Glibc
import HostIntegration
import PersonalCards
import LinuxSystem
import Provisioning

/// An operator's change of this kiosk, for its audit log: a profile, a reset, or a printed card.
enum KioskChange {
    /// The way in which the change was made.
    enum Way: String { case command, kiosk, start, keys }

    /// A person agreed to an operator's profile.
    case profile(operatorName: String, key: KeyNumber, Way, isApplied: Bool)
    /// The keys are destroyed; the rest follows.
    case resetBegun(FactoryReset.Extent, Way)
    /// - isWhole: whether everything that had to go is gone.
    case resetEnded(FactoryReset.Extent, Way, isWhole: Bool)
    /// A personal card was printed.
    case card(userID: String, CardPeriod)

    var entry: AuditEntry {
        switch self {
        case .profile(let name, let key, let way, let isApplied):
            AuditEntry(
                event: "profile", outcome: isApplied ? "applied" : "failed", who: name,
                detail: "by \(way.rawValue), operator key \(key)")
        case .resetBegun(let extent, let way): KioskChange.reset("begun", extent, way)
        case .resetEnded(let extent, let way, let isWhole):
            KioskChange.reset(isWhole ? "done" : "incomplete", extent, way)
        case .card(let userID, let period):
            AuditEntry(event: "card", outcome: "printed", who: userID, detail: "a card \(period.text)")
        }
    }

    private static func reset(_ outcome: String, _ extent: FactoryReset.Extent, _ way: Way) -> AuditEntry {
        AuditEntry(
            event: "reset", outcome: outcome,
            detail: "by \(way.rawValue)" + (extent.keepsSettings ? ", settings kept" : ""))
    }

    /// Writes the change unless a kiosk runs, which keeps the audit log itself. A failure is reported and stops
    /// nothing.
    func record(_ configuration: KioskConfiguration, _ places: KioskDirectories) async {
        guard configuration[\.keepsAuditLog] else { return }
        let missing = "not in the audit log"
        let owner = try? FileManager.default.attributesOfItem(atPath: places.state)[.ownerAccountID] as? NSNumber
        // The kiosk could not append to a file of another user.
        guard owner.map({ $0.uint32Value == geteuid() }) ?? true else {
            return Complaint.say("\(missing): \(places.state) is another user's", hint: "run it as its owner")
        }
        // If two commands run at once, one waits for the other. A running kiosk has another lock, reported below.
        try? OwnedFile.makeDirectory(places.auditDirectory)
        let lock = try? FileLock.ifPossible(places.auditDirectory)
        defer { lock?.release() }
        let trail = AuditTrail(in: places.auditDirectory) { fault in
            guard let fault else { return }
            if case .inUse = fault {
                Complaint.say("\(missing): a kiosk that runs keeps it", hint: "stop it before, to have it there")
            } else {
                Complaint.say("\(missing): \(fault)", hint: fault.hint)
            }
        }
        await trail.append(entry)
        await trail.close()
    }
}
