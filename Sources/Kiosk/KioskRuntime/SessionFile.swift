// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient
import PersonalCards
import Synchronization

/// Data of one session that the machine does not see: its request, answers of the service, typed and issued digits,
/// and the document to sign. Each session has its own, from the first key typed for it. Closing the session wipes it;
/// results of a late step are then dropped.
final class SessionFile: Sendable {
    /// The data between two steps of signing.
    enum SigningData: Sendable {
        /// The scanned signing session.
        case session(SigningSession)
        /// The data for a document, and the service that wants it signed.
        case document(DocumentData, RelyingPartyApplication?)
    }

    private struct State: ~Copyable {
        var isClosed = false
        var request: SessionRequest?
        /// The card of the person who showed one.
        var card: PersonalCard?
        /// The validity of the personal card that was made.
        var newCard: CardPeriod?
        var task = KioskTask.login
        /// The last person that a step named.
        var userID: String?
        /// Whether only a key named that person.
        var isUnverified = false
        /// PINs that the backend found wrong.
        var wrongPINs = 0
        var offer: ServiceOffer?
        var isBrowserElsewhere = false
        var code = CodeEntry()
        var entry = PinEntry()
        /// The PIN to replace.
        var oldPIN: Pin?
        /// A complete PIN for a step, or the first of two entries of a new one.
        var pin: Pin?
        /// The issued digits, or the made card, to be shown.
        var issued = SecretBytes(copying: [])
        /// The access code of a login at the kiosk itself, which begins its own session at the platform.
        var ownCode: AccessCode?
        var signingData: SigningData?
        var signature: DVSSignature?
    }

    private let state = Mutex(State())

    /// Begins the session.
    func open(_ request: SessionRequest, for task: KioskTask = .login) {
        state.withLock { state in
            state.request = request
            state.task = task
        }
    }

    /// - Parameter userID: the person that a step names; nil keeps the previous one.
    func note(_ task: KioskTask, userID: String?, isUnverified: Bool = false) {
        state.withLock { state in
            state.task = task
            state.isUnverified = isUnverified
            state.userID = userID ?? state.userID
        }
    }

    /// Keeps a personal card; nil forgets it.
    func keep(card: PersonalCard?) { state.withLock { $0.card = card } }

    /// Wipes everything.
    func close() {
        state.withLock { state in
            state = State()
            state.isClosed = true
        }
    }

    /// Nil before and after the session.
    var request: SessionRequest? { state.withLock { $0.request } }
    var newCard: CardPeriod? { state.withLock { $0.newCard } }
    var card: PersonalCard? { state.withLock { $0.card } }
    var task: KioskTask { state.withLock { $0.task } }
    var userID: String? { state.withLock { $0.userID } }
    var wrongPINs: Int { state.withLock { $0.wrongPINs } }
    var isUnverified: Bool { state.withLock { $0.isUnverified } }
    var offer: ServiceOffer? { state.withLock { $0.offer } }
    /// Whether the waiting browser is elsewhere than this kiosk, as far as the backend knows.
    var isBrowserElsewhere: Bool { state.withLock { $0.isBrowserElsewhere } }
    var signingData: SigningData? { state.withLock { $0.signingData } }
    var signature: DVSSignature? { state.withLock { $0.signature } }
    var ownCode: AccessCode? { state.withLock { $0.ownCode } }
    var issuedCode: SecretBytes { state.withLock { $0.issued } }

    // Results of steps. None is kept for a session that is over.

    func keep(_ offer: ServiceOffer) { keep { $0.offer = offer } }
    func noteWrongPIN() { keep { $0.wrongPINs += 1 } }
    func noteBrowserElsewhere() { keep { $0.isBrowserElsewhere = true } }
    func keep(_ signingData: SigningData?) { keep { $0.signingData = signingData } }
    func keep(_ signature: DVSSignature) { keep { $0.signature = signature } }
    /// Keeps the access code that the kiosk asked for.
    func keep(_ ownCode: AccessCode) { keep { $0.ownCode = ownCode } }
    /// Keeps digits that the server issued.
    func keep(issued: SecretBytes) { keep { $0.issued = issued } }
    /// Keeps a personal card that was made.
    func keep(issued: SecretBytes, _ newCard: CardPeriod) { keep { ($0.issued, $0.newCard) = (issued, newCard) } }
    /// Replaces the code by the registration's token.
    func keep(token: SecretBytes) { keep { $0.code.replace(with: token) } }

    private func keep(_ change: (inout State) -> Void) {
        state.withLock { state in if !state.isClosed { change(&state) } }
    }

    // A typed code.

    var typedCode: SecretBytes { state.withLock { $0.code.text } }

    func withCode<Result: Sendable>(_ body: (inout CodeEntry) -> Result) -> Result {
        state.withLock { state in body(&state.code) }
    }

    // A typed PIN.

    func append(_ digit: UInt8) { state.withLock { state in _ = state.entry.append(digit) } }
    func removeLastDigit() { state.withLock { state in state.entry.removeLast() } }
    func clearEntry() { state.withLock { state in state.entry.removeAll() } }

    func wipeDigits() {
        state.withLock { state in
            state.entry.removeAll()
            state.pin = nil
        }
    }

    /// Makes the entry a complete PIN, for ``takePIN()`` or ``entryMatchesPIN()``.
    func completeEntry() { state.withLock { state in state.pin = SessionFile.takeEntry(&state) } }

    /// Keeps a PIN that was typed elsewhere.
    func keep(_ pin: consuming Pin) {
        var kept: Pin? = consume pin
        state.withLock { state in state.pin = kept.take() }
    }

    /// Keeps a PIN to replace that was typed elsewhere.
    func keep(old pin: consuming Pin) {
        var kept: Pin? = consume pin
        state.withLock { state in state.oldPIN = kept.take() }
    }

    /// Makes the entry the PIN to replace.
    func keepOldEntry() { state.withLock { state in state.oldPIN = SessionFile.takeEntry(&state) } }

    /// Makes the entry the first of two, and checks it.
    func checkEntry() -> NewPINResult {
        state.withLock { state in
            guard let pin = SessionFile.takeEntry(&state) else { return .allZeros }
            let result = SessionFile.matches(state.oldPIN, pin) ? .unchanged : pin.checked()
            state.pin = consume pin
            return result
        }
    }

    /// Compares the entry with the first one, and forgets the entry.
    func entryMatchesPIN() -> Bool {
        state.withLock { state in
            guard let second = SessionFile.takeEntry(&state) else { return false }
            return SessionFile.matches(state.pin, second)
        }
    }

    private static func matches(_ kept: borrowing Pin?, _ typed: borrowing Pin) -> Bool {
        switch kept {
        case .some(let kept): kept.matches(typed)
        case .none: false
        }
    }

    /// Takes the complete PIN, once.
    ///
    /// - Throws: when the PIN is gone, because the session has just ended.
    func takePIN() throws(KioskFailure) -> Pin { try take { $0.pin.take() } }

    /// Takes the PIN to replace.
    ///
    /// - Throws: as ``takePIN()`` does.
    func takeOldPIN() throws(KioskFailure) -> Pin { try take { $0.oldPIN.take() } }

    private func take(_ pin: (inout State) -> Pin?) throws(KioskFailure) -> Pin {
        guard let pin = state.withLock({ state in pin(&state) }) else { throw .sessionIsOver }
        return pin
    }

    private static func takeEntry(_ state: inout State) -> Pin? {
        var entry = PinEntry()
        swap(&entry, &state.entry)
        return Pin(entry)
    }

    /// The number of held digits, for tests.
    var digitCount: Int {
        state.withLock { state in
            SessionFile.digitCount(state.pin) + SessionFile.digitCount(state.oldPIN) + state.entry.count
        }
    }

    private static func digitCount(_ pin: borrowing Pin?) -> Int {
        switch pin {
        case .some(let pin): pin.length
        case .none: 0
        }
    }
}

extension KioskFailure {
    /// The data for the step is gone.
    static let sessionIsOver = KioskFailure(.failed, status: "FLOW_ERROR")
}
