// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import CommandLineInterface
import Foundation
import Glibc
import HostIntegration
import PersonalCards
import LinuxSystem
import Provisioning

/// A change that an operator makes to this kiosk, for its record: it gets an owner, it loses its owner, or a card is
/// printed.
enum KioskChange {
    /// By which way.
    enum Way: String { case command, kiosk, start, keys }

    /// An operator's setup was agreed to.
    case setup(operatorName: String, key: KeyNumber, Way, isApplied: Bool)
    /// The keys are destroyed, and the rest is going.
    case resetBegun(FactoryReset.Extent, Way)
    /// - isWhole: whether nothing stayed that was to go.
    case resetEnded(FactoryReset.Extent, Way, isWhole: Bool)
    /// A personal card was printed.
    case card(userID: String, CardPeriod)

    var entry: AuditEntry {
        switch self {
        case .setup(let name, let key, let way, let isApplied):
            AuditEntry(
                event: "setup", outcome: isApplied ? "applied" : "failed", who: name,
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

    /// Writes it where no kiosk runs, which would keep its record itself. What cannot be written stops nothing, and is
    /// told.
    func record(_ configuration: KioskConfiguration, _ places: KioskDirectories) async {
        guard configuration.flag("audit.record") else { return }
        let missing = "not in the record of sessions"
        let owner = try? FileManager.default.attributesOfItem(atPath: places.state)[.ownerAccountID] as? NSNumber
        // The kiosk could not go on with a file of another user.
        guard owner.map({ $0.uint32Value == geteuid() }) ?? true else {
            return Complaint.say("\(missing): \(places.state) is another user's", hint: "run it as its owner")
        }
        // Of two commands at once, one waits for the other. A kiosk that runs holds another lock, which is told below.
        try? OwnedFile.makeDirectory(places.auditRecord)
        let lock = try? FileLock.ifPossible(places.auditRecord)
        defer { lock?.release() }
        let trail = AuditTrail(places) { fault in
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

extension AuditTrail {
    convenience init(_ places: KioskDirectories, complain: @escaping @Sendable (AuditFault?) -> Void) {
        self.init(
            in: places.auditRecord, wallClock: { Int64(Date().timeIntervalSince1970) }, complain: complain)
    }
}
