// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
import KioskPorts
import Logging
public import LoginValues

/// Setup and reset of the kiosk as a whole.
public protocol SetupService: Sendable {
    /// The number of an unprovisioned kiosk in its operator's lists; nil when it waits for no setup.
    var ownNumber: String? { get }
    /// The public key for sealing setups, in the alphanumeric characters of a QR code.
    var ownKey: SecretBytes { get }

    /// - Returns: the offer that the person must agree to; nil when the text is no setup.
    func read(_ text: SecretBytes) -> Result<SetupOffer, SetupRefusal>?

    /// Installs a setup: whole, or not at all.
    func apply(_ text: SecretBytes) async -> Result<AppliedSetup, SetupRefusal>

    /// Texts of files on media at the kiosk, each once while it stays there. Used only while the kiosk waits for a
    /// setup.
    func files() -> AsyncStream<[UInt8]>

    /// Makes everything on this kiosk unreadable, and marks it for removal at the next start.
    ///
    /// - Returns: false when that failed; the log says why.
    func reset() async -> Bool
}

/// The way to activate an installed setup.
public enum AppliedSetup: Sendable {
    case settings(KioskSettings)
    /// Some of its settings apply from the start only.
    case restart
}

extension Kiosk {
    /// The setup in a code; nil when it has none.
    func setup(in symbol: Symbol) -> Result<SetupOffer, SetupRefusal>? {
        guard let reading = setupService?.read(symbol.payload) else { return nil }
        return symbol.parts == 1 ? reading : .failure(.damaged)
    }

    /// Reads setup files until the kiosk ends: only a restart can make it wait for a setup again.
    func readSetupFiles() async -> Bool {
        guard let setupService, setupService.ownNumber != nil else { return false }
        for await file in setupService.files() {
            let text = SecretBytes(copying: file.trimmed)
            guard let reading = setupService.read(text) else { continue }
            measureScreen()
            carryOut(machine.setupFound(reading, Handle(SeenCode(setup: text))))
        }
        return false
    }

    func perform(setup text: SecretBytes) async {
        let result = await setupService?.apply(text) ?? .failure(.failed)
        switch result {
        case .success(let applied):
            record(.setUp)
            appliedSetup = applied
            carryOut(machine.setupEnded(.success(applied.effect)))
        case .failure(let refusal): carryOut(machine.setupEnded(.failure(refusal)))
        }
    }

    func performReset() async {
        let isDone = await setupService?.reset() ?? false
        if isDone { record(.reset) }
        carryOut(machine.resetEnded(isDone: isDone))
    }

    /// Takes the settings of a setup, like any others that the operator changes.
    func adoptSetup() {
        guard case .settings(let settings) = appliedSetup else { return }
        appliedSetup = nil
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

extension AppliedSetup {
    fileprivate var effect: SetupEffect {
        switch self {
        case .settings: .adopted
        case .restart: .restart
        }
    }
}
