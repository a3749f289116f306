// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import MPinClient
import PersonalCards
import Synchronization

/// The service and the code that a session began with.
struct SessionRequest: Sendable {
    let baseURL: WebAddress
    /// Host and port, or the line of the trust list, for records.
    let domain: String
    /// nil for an errand from the menu.
    var accessCode: AccessCode?
    /// Whether the access code was typed by hand, so that it may have a wrong digit.
    var isTyped = false
    /// The kiosk's own login that it is for, if it is for one.
    var localLogin: LocalLogin?

    /// - Parameter domain: the host itself, which one line of the trust list may have many of.
    init(_ request: LoginRequest, isTyped: Bool) {
        baseURL = request.baseURL
        domain = request.baseURL.origin.place
        accessCode = request.accessCode
        self.isTyped = isTyped
    }

    init(_ service: TypedService) {
        baseURL = service.address
        domain = service.name
    }

    /// The name in the record of sessions.
    var place: String { localLogin?.name ?? domain }

    init(_ login: LocalLogin) {
        baseURL = login.discovery
        domain = login.domain
        localLogin = login
    }
}

/// The information that a relying party's `/service` gives about itself.
struct ServiceOffer: Sendable, Equatable {
    let name: DisplayText
    let backendURL: WebAddress
    let rpsPrefix: String
    /// The service that named the backend; nil where the configuration does.
    let namedBy: Origin?
}

/// Data of one session that the machine does not see: its request, the answers of the service,
/// typed and issued digits, what is to be signed. Each session has its own from the first key that is typed for it.
/// It is wiped when the session is closed, and then drops what a late step brings.
final class SessionFile: Sendable {
    /// The data that lies between two steps of signing.
    enum SigningData: Sendable {
        /// The scanned signing session.
        case session(SigningSession)
        /// The service's data for a document.
        case document(DocumentData, RelyingPartyApplication)
    }

    private struct State: ~Copyable {
        var isClosed = false
        var request: SessionRequest?
        /// Of the person who showed a personal card.
        var card: PersonalCard?
        /// When the personal card counts that was made.
        var newCard: CardPeriod?
        var errand = Errand.login
        /// The person whom a step named last.
        var userID: String?
        /// Whether nothing but a key named that person.
        var isPicked = false
        var offer: ServiceOffer?
        var isBrowserElsewhere = false
        var code = CodeEntry()
        var entry = PinEntry()
        /// The PIN that a new one shall take the place of.
        var oldPIN: Pin?
        /// A complete PIN on its way to a step, or the first of two entries of a new one.
        var pin: Pin?
        /// The digits that the server issued, or the card that was made, to be shown.
        var issued = SecretBytes(copying: [])
        /// Of a login at the kiosk itself, which begins its own session at the platform.
        var ownCode: AccessCode?
        var signingData: SigningData?
    }

    private let state = Mutex(State())

    /// The session begins.
    func open(_ request: SessionRequest, for errand: Errand = .login) {
        state.withLock { state in
            state.request = request
            state.errand = errand
        }
    }

    /// - Parameter userID: of the person whom a step names; nil keeps the one before.
    func note(_ errand: Errand, userID: String?, isPicked: Bool = false) {
        state.withLock { state in
            state.errand = errand
            state.isPicked = isPicked
            state.userID = userID ?? state.userID
        }
    }

    /// A personal card; nil forgets it.
    func keep(card: PersonalCard?) { state.withLock { $0.card = card } }

    /// Wipes everything.
    func close() {
        state.withLock { state in
            state = State()
            state.isClosed = true
        }
    }

    /// nil before the session and after it.
    var request: SessionRequest? { state.withLock { $0.request } }
    var newCard: CardPeriod? { state.withLock { $0.newCard } }
    var card: PersonalCard? { state.withLock { $0.card } }
    var errand: Errand { state.withLock { $0.errand } }
    var userID: String? { state.withLock { $0.userID } }
    var isPicked: Bool { state.withLock { $0.isPicked } }
    var offer: ServiceOffer? { state.withLock { $0.offer } }
    /// Whether the browser that waits is at another place than this kiosk, as far as the backend knows.
    var isBrowserElsewhere: Bool { state.withLock { $0.isBrowserElsewhere } }
    var signingData: SigningData? { state.withLock { $0.signingData } }
    var ownCode: AccessCode? { state.withLock { $0.ownCode } }
    var issuedCode: SecretBytes { state.withLock { $0.issued } }

    // What steps bring. Nothing is kept for a session that is over.

    func keep(_ offer: ServiceOffer) { keep { $0.offer = offer } }
    func noteBrowserElsewhere() { keep { $0.isBrowserElsewhere = true } }
    func keep(_ signingData: SigningData?) { keep { $0.signingData = signingData } }
    /// The access code that the kiosk asked for.
    func keep(_ ownCode: AccessCode) { keep { $0.ownCode = ownCode } }
    /// Digits that the server issued.
    func keep(issued: SecretBytes) { keep { $0.issued = issued } }
    /// A personal card that was made.
    func keep(issued: SecretBytes, _ newCard: CardPeriod) { keep { ($0.issued, $0.newCard) = (issued, newCard) } }
    /// The token that the registration takes, in the place of the code.
    func keep(token: SecretBytes) { keep { $0.code.replace(with: token) } }

    private func keep(_ change: (inout State) -> Void) {
        state.withLock { state in if !state.isClosed { change(&state) } }
    }

    // A code that is typed.

    var typedCode: SecretBytes { state.withLock { $0.code.text } }

    func withCode<Result: Sendable>(_ body: (inout CodeEntry) -> Result) -> Result {
        state.withLock { state in body(&state.code) }
    }

    // A PIN that is typed.

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
    func completeEntry() { state.withLock { state in state.pin = SessionFile.takeEntry(&state) } }

    /// A PIN that was typed elsewhere.
    func keep(_ pin: consuming Pin) {
        var kept: Pin? = consume pin
        state.withLock { state in state.pin = kept.take() }
    }

    /// Puts the entry aside as the PIN that a new one shall take the place of.
    func keepOldEntry() { state.withLock { state in state.oldPIN = SessionFile.takeEntry(&state) } }

    /// Puts the entry aside as the first of two, and says what there is to say about it.
    func judgeEntry() -> PINJudgement {
        state.withLock { state in
            guard let pin = SessionFile.takeEntry(&state) else { return .allZeros }
            let isOld =
                switch state.oldPIN {
                case .some(let old): old.matches(pin)
                case .none: false
                }
            let judgement = isOld ? .unchanged : pin.judged()
            state.pin = consume pin
            return judgement
        }
    }

    /// Compares the entry with the PIN put aside, and forgets the entry.
    func entryMatchesPIN() -> Bool {
        state.withLock { state in
            guard let second = SessionFile.takeEntry(&state) else { return false }
            return switch state.pin {
            case .some(let first): first.matches(second)
            case .none: false
            }
        }
    }

    /// The PIN that was put aside, once.
    ///
    /// - Throws: when there is none any more: the session ended a moment ago.
    func takePIN() throws(KioskFailure) -> Pin {
        let pin = state.withLock { state in
            let pin = state.pin.take()
            return pin
        }
        guard let pin else { throw .sessionIsOver }
        return pin
    }

    /// The same for the PIN that was kept as the old one.
    func takeOldPIN() throws(KioskFailure) -> Pin {
        let pin = state.withLock { state in
            let pin = state.oldPIN.take()
            return pin
        }
        guard let pin else { throw .sessionIsOver }
        return pin
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
            let old =
                switch state.oldPIN {
                case .some(let pin): pin.length
                case .none: 0
                }
            return state.entry.count + complete + old
        }
    }
}

extension KioskFailure {
    /// Nothing is there to carry the step out with.
    static let sessionIsOver = KioskFailure(.failed, status: "FLOW_ERROR")
}
