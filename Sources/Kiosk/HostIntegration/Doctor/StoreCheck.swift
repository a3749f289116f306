// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Whether the identities exist, are private, and can be unsealed.
public enum StoreCheck {
    /// The result of opening the store for reading.
    public enum Opening: Sendable, Equatable {
        /// Of the identities `damaged` ones do not open, and `lost` ones are gone, until the operator takes note.
        case opened(identities: Int, damaged: Int, lost: Int = 0)
        /// With the failure, its place and the remedy.
        case refused(String)
    }

    private static let name = "store"

    /// - Parameters:
    ///   - shortage: tries to write, and returns why nothing could be saved; called as the store's user.
    ///   - open: opens the store; called when the facts give no reason not to.
    public static func judge(
        _ facts: StoreFacts, shortage: () -> String? = { nil }, open: () async -> Opening
    ) async -> CheckResult {
        let place = facts.places.state
        if let fault = facts.fault { return .failure(name, "\(fault)", remedy: fault.hint) }
        guard let directory = facts.directory else {
            return .warning(
                name, "\(place) is not there, or hidden from this user",
                remedy: "the kiosk makes it when it first starts: systemctl start login-kiosk")
        }
        guard facts.database != nil || directory.owner == facts.user || facts.user == 0 else {
            return foreign(directory, place)
        }
        if directory.owner == facts.user, let shortage = shortage() {
            return .failure(name, shortage, remedy: "nobody can be enrolled until then, and no PIN be changed")
        }
        guard facts.database != nil else { return .ok(name, "\(place) is private, and nobody is enrolled yet") }
        guard facts.key != nil else {
            return .failure(
                name, "the key file \(facts.places.identityKeyFile) is missing, or hidden from this user",
                remedy: "restore it; without it the identities cannot be read and everybody has to enrol again")
        }
        guard directory.owner == facts.user else {
            guard facts.user == 0 else { return foreign(directory, place) }
            return .ok(
                name,
                "\(place) and its key are private to \(directory.ownerName); not opened, which only that user can: "
                    + "runuser -u \(directory.ownerName) -- login-kiosk doctor")
        }
        switch await open() {
        case .opened(let identities, 0, 0): return .ok(name, "\(count(identities)) in \(place)")
        case .opened(let identities, let damaged, let lost):
            let missing = [damaged > 0 ? "\(damaged) that do not open" : nil, lost > 0 ? "\(lost) that are lost" : nil]
            return .failure(
                name, "\(count(identities)) in \(place), and \(missing.compactMap(\.self).joined(separator: ", "))",
                remedy: "those people have to enrol again; look for what damages the medium; then: "
                    + "login-kiosk identities accept-lost")
        case .refused(let reason):
            return .failure(name, reason, remedy: "docs/storage.md tells what each refusal means")
        }
    }

    private static func count(_ identities: Int) -> String {
        identities == 1 ? "1 identity" : "\(identities) identities"
    }

    private static func foreign(_ directory: FileFacts, _ place: String) -> CheckResult {
        .failure(
            name, "\(place) belongs to \(directory.ownerName)",
            remedy: "ask as that user: runuser -u \(directory.ownerName) -- login-kiosk doctor")
    }
}
