// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import Synchronization

/// The secrets of the session under way, its access code, the digits typed and those issued, and before it an access code
/// that is being typed. Each is wiped when it is let go.
final class SessionSecrets: Sendable {
    private struct State: ~Copyable {
        var number = SessionNumber.none
        var request: SessionRequest?
        var code = CodeEntry()
        var entry = PinEntry()
        /// A complete PIN on its way to a step, or the first of two entries of a new one.
        var pin: Pin?
        /// What the server issued, to be shown.
        var issued = SecretBytes(copying: [])
        /// Of a login at the kiosk itself, which begins its own session at the platform.
        var ownCode: AccessCode?
    }

    private let state = Mutex(State())

    func open(_ number: SessionNumber, _ request: SessionRequest) {
        state.withLock { state in
            state.number = number
            state.request = request
        }
    }

    /// - Returns: nil when the session is not the one under way.
    func request(of number: SessionNumber) -> SessionRequest? {
        state.withLock { state in state.number == number ? state.request : nil }
    }

    func close() {
        state.withLock { state in
            state.request = nil
            state.code.removeAll()
            state.entry.removeAll()
            state.pin = nil
            state.issued = SecretBytes(copying: [])
            state.ownCode = nil
        }
    }

    /// Keeps the access code that the kiosk asked for, until the session is closed.
    func keep(_ ownCode: AccessCode, of number: SessionNumber) {
        state.withLock { state in if state.number == number, state.request != nil { state.ownCode = ownCode } }
    }

    func ownCode(of number: SessionNumber) -> AccessCode? {
        state.withLock { state in state.number == number ? state.ownCode : nil }
    }

    /// Keeps digits that the server issued, until the session is closed.
    func keep(_ issued: SecretBytes, of number: SessionNumber) {
        state.withLock { state in if state.number == number, state.request != nil { state.issued = issued } }
    }

    var issuedCode: SecretBytes { state.withLock { $0.issued } }

    var typedCode: SecretBytes { state.withLock { $0.code.text } }

    func withCode<Result: Sendable>(_ body: (inout CodeEntry) -> Result) -> Result {
        state.withLock { state in body(&state.code) }
    }

    func append(_ digit: UInt8) { state.withLock { state in _ = state.entry.append(digit) } }
    func removeLastDigit() { state.withLock { state in state.entry.removeLast() } }
    func clearEntry() { state.withLock { state in state.entry.removeAll() } }

    func wipeDigits() {
        state.withLock { state in
            state.entry.removeAll()
            state.pin = nil
        }
    }

    /// Puts the entry aside as a complete PIN, for ``takePIN()`` or ``entryMatchesPIN()``.
    func completeEntry() { state.withLock { state in state.pin = SessionSecrets.takeEntry(&state) } }

    /// Puts the entry aside as the first of two, and says what there is to say about it.
    func judgeEntry() -> PINJudgement {
        state.withLock { state in
            state.pin = SessionSecrets.takeEntry(&state)
            return switch state.pin {
            case .some(let pin): pin.judged()
            case .none: .allZeros
            }
        }
    }

    /// Compares the entry with the PIN put aside, and forgets the entry.
    func entryMatchesPIN() -> Bool {
        state.withLock { state in
            guard let second = SessionSecrets.takeEntry(&state) else { return false }
            return switch state.pin {
            case .some(let first): first.matches(second)
            case .none: false
            }
        }
    }

    func takePIN() -> Pin? {
        state.withLock { state in
            let pin = state.pin.take()
            return pin
        }
    }

    private static func takeEntry(_ state: inout State) -> Pin? {
        var entry = PinEntry()
        swap(&entry, &state.entry)
        return Pin(entry)
    }

    /// How many digits are held, for tests.
    var digitCount: Int {
        state.withLock { state in
            let complete =
                switch state.pin {
                case .some(let pin): pin.length
                case .none: 0
                }
            return state.entry.count + complete
        }
    }
}
