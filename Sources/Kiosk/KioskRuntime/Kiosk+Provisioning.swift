// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
import KioskPorts
import Logging
public import LoginValues

/// Provisioning and reset of the kiosk as a whole.
public protocol ProvisioningService: Sendable {
    /// The number of an unprovisioned kiosk in its operator's lists; nil when it waits for no profile.
    var ownNumber: String? { get }
    /// The public key for sealing profiles, in the alphanumeric characters of a QR code.
    var ownKey: SecretBytes { get }

    /// - Returns: the offer that the person must agree to; nil when the text is not a profile.
    func read(_ text: SecretBytes) -> Result<ProfileOffer, ProfileRefusal>?

    /// Installs a profile: whole, or not at all.
    func apply(_ text: SecretBytes) async -> Result<AppliedProfile, ProfileRefusal>

    /// Texts of files on media at the kiosk, each once while it stays there. Used only while the kiosk waits for a
    /// profile.
    func files() -> AsyncStream<[UInt8]>

    /// Makes everything on this kiosk unreadable, and marks it for removal at the next start.
    ///
    /// - Returns: false when that failed; the log says why.
    func reset() async -> Bool
}

/// The way to activate an installed profile.
public enum AppliedProfile: Sendable {
    case settings(KioskSettings)
    /// Some of its settings apply from the start only.
    case restart
}

extension Kiosk {
    /// The profile in a code; nil when it has none.
    func profile(in symbol: Symbol) -> Result<ProfileOffer, ProfileRefusal>? {
        guard let reading = provisioning?.read(symbol.payload) else { return nil }
        return symbol.parts == 1 ? reading : .failure(.damaged)
    }

    /// Reads files of profiles until the kiosk ends: only a restart can make it wait for a profile again.
    func readProfileFiles() async -> Bool {
        guard let provisioning, provisioning.ownNumber != nil else { return false }
        for await file in provisioning.files() {
            let text = SecretBytes(copying: file.trimmed)
            guard let reading = provisioning.read(text) else { continue }
            measureScreen()
            carryOut(machine.profileFound(reading, Handle(SeenCode(profile: text))))
        }
        return false
    }

    func perform(profile text: SecretBytes) async {
        let result = await provisioning?.apply(text) ?? .failure(.failed)
        switch result {
        case .success(let applied):
            record(.setUp)
            appliedProfile = applied
            carryOut(machine.profileEnded(.success(applied.effect)))
        case .failure(let refusal): carryOut(machine.profileEnded(.failure(refusal)))
        }
    }

    func performReset() async {
        let isDone = await provisioning?.reset() ?? false
        if isDone { record(.reset) }
        carryOut(machine.resetEnded(isDone: isDone))
    }

    /// Takes the settings of a profile, like any others that the operator changes.
    func adoptProfile() {
        guard case .settings(let settings) = appliedProfile else { return }
        appliedProfile = nil
        adoption = { settings }
    }
}

extension [UInt8] {
    /// The text without a line end that an editor or a command added.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let end = lastIndex { $0 > UInt8(ascii: " ") }.map { $0 + 1 } ?? startIndex
        return self[..<end]
    }
}

extension AppliedProfile {
    fileprivate var effect: ProfileEffect {
        switch self {
        case .settings: .adopted
        case .restart: .restart
        }
    }
}
