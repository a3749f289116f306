// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Whether the identities exist, are private, and can be unsealed.
public enum StoreCheck {
    /// The result of opening the store for reading.
    public enum Opening: Sendable, Equatable {
        /// `damaged` identities do not open, and `lost` ones are gone, until the operator acknowledges it.
        case opened(identities: Int, damaged: Int, lost: Int = 0)
        /// The store did not open. The text has the failure, its place and the remedy.
        case refused(String)
    }

    /// - Parameters:
    ///   - shortage: tries to write, and returns why nothing could be saved; called as the store's user.
    ///   - open: opens the store; called when the facts give no reason not to.
    public static func result(
        _ facts: StoreFacts, shortage: () -> String? = { nil }, open: () async -> Opening
    ) async -> CheckResult {
        let place = facts.places.state
        if let fault = facts.fault { return .failure("\(fault)", remedy: fault.hint) }
        guard let owner = facts.owner else {
            return .warning(
                "\(place) is not there, or hidden from this user",
                remedy: "the kiosk makes it when it first starts: systemctl start login-kiosk")
        }
        let isOwn = owner.user == facts.user
        let byOwner = "runuser -u \(owner.name) -- login-kiosk doctor"
        guard isOwn || facts.user == 0 else {
            return .failure("\(place) belongs to \(owner.name)", remedy: "ask as that user: \(byOwner)")
        }
        if isOwn, let shortage = shortage() {
            return .failure(shortage, remedy: "nobody can be registered until then, and no PIN be changed")
        }
        guard facts.hasDatabase else { return .ok("\(place) is private, and nobody is registered yet") }
        guard facts.hasKey else {
            return .failure(
                "the key file \(facts.places.identityKeyFile) is missing, or hidden from this user",
                remedy: "restore it; without it the identities cannot be read and everybody has to register again")
        }
        guard isOwn else {
            return .ok(
                "\(place) and its key are private to \(owner.name); not opened, which only that user can: \(byOwner)")
        }
        return result(await open(), in: place)
    }

    private static func result(_ opening: Opening, in place: String) -> CheckResult {
        switch opening {
        case .opened(let identities, 0, 0): return .ok("\(count(identities)) in \(place)")
        case .opened(let identities, let damaged, let lost):
            let missing = [damaged > 0 ? "\(damaged) that do not open" : nil, lost > 0 ? "\(lost) that are lost" : nil]
            return .failure(
                "\(count(identities)) in \(place), and \(missing.compactMap(\.self).joined(separator: ", "))",
                remedy: "those people have to register again; look for what damages the medium; then: "
                    + "login-kiosk identities accept-lost")
        case .refused(let reason): return .failure(reason, remedy: "docs/storage.md describes each refusal")
        }
    }

    private static func count(_ identities: Int) -> String {
        identities == 1 ? "1 identity" : "\(identities) identities"
    }
}

/// The existing files and directories of a store.
public struct StoreFacts: Sendable {
    var places: KioskDirectories
    /// The owner of the directory; nil when it is missing, or hidden from this user.
    var owner: ActingUser?
    var hasDatabase: Bool
    var hasKey: Bool
    /// The fault of the first that is not private to its owner, or no file or directory; nil for missing ones.
    var fault: FileFault?
    /// The user who runs the check.
    var user: UInt32
}

extension StoreFacts {
    public init(of places: KioskDirectories) {
        let user = geteuid()
        let owner = ActingUser.owner(of: places.state)
        self.init(
            places: places, owner: owner, hasDatabase: ActingUser.owner(of: places.identityDatabase) != nil,
            hasKey: ActingUser.owner(of: places.identityKeyFile) != nil,
            // Root checks the store of the kiosk's user.
            fault: StoreFacts.fault(places, owner: user == 0 ? owner?.user ?? 0 : user), user: user)
    }

    private static func fault(_ places: KioskDirectories, owner: UInt32) -> FileFault? {
        do throws(FileFault) {
            try OwnedFile.check(places.state, .secret, .directory, user: owner)
            try OwnedFile.check(places.identityDatabase, .secret, followsLink: false, user: owner)
            try OwnedFile.check(places.identityKeyFile, .secret, followsLink: false, user: owner)
        } catch {
            // Missing files have messages of their own.
            return error.cause == .missing ? nil : error
        }
        return nil
    }
}
