// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
import KioskPorts
import Logging
public import LoginValues

/// The work that concerns a kiosk as a whole: setting it up for its operator, and resetting it to what it was when it
/// came.
public protocol SetupService: Sendable {
    /// The name, in its operator's lists, of a kiosk that no operator has set up; nil where no setup is waited for.
    var ownNumber: String? { get }
    /// For whom setups are sealed, in the alphanumeric characters of a QR code.
    var ownKey: SecretBytes { get }

    /// - Returns: what a text asks the person to agree to; nil for what is no setup.
    func read(_ text: SecretBytes) -> Result<SetupOffer, SetupRefusal>?

    /// Puts a setup in place: whole, or not at all.
    func apply(_ text: SecretBytes) async -> Result<AppliedSetup, SetupRefusal>

    /// Texts of files that are brought to the kiosk, each once for as long as it is there. Asked for only while a setup
    /// is waited for.
    func files() -> AsyncStream<[UInt8]>

    /// Makes everything of this kiosk unreadable, and has the next start remove it.
    ///
    /// - Returns: false when that failed; the log says why.
    func reset() async -> Bool
}

/// How a setup that is in place comes to count.
public enum AppliedSetup: Sendable {
    case settings(KioskSettings)
    /// Something of it counts from the start only.
    case restart
}

extension Kiosk {
    /// The setup that a code holds; nil when it is not a setup.
    func setup(in symbol: Symbol) -> Result<SetupOffer, SetupRefusal>? {
        guard let reading = setupService?.read(symbol.payload) else { return nil }
        return symbol.parts == 1 ? reading : .failure(.damaged)
    }

    /// Hears of files until the kiosk ends: it may wait for a setup again only after a start.
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

    /// The settings that a setup brought, as any others that the operator exchanges.
    func adoptSetup() {
        guard case .settings(let settings) = appliedSetup else { return }
        appliedSetup = nil
        adoption = { settings }
    }
}

extension [UInt8] {
    /// Without the line's end that an editor or a command puts there.
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
