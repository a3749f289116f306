// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskRuntime
import KioskTestKit
import Logging
import LoginValues
import MPinClient
import Patience
import Synchronization

/// A kiosk with the SDK and fakes of all ports that fail by a plan, and a person in front of it. Everything happens on
/// the thread of the pump.
final class FaultyKiosk {
    /// A person, with the PIN in use.
    struct Person: Sendable {
        let userID: String
        var pin: String
    }

    static let alice = Person(userID: "alice@example.com", pin: "739154")
    static let bob = Person(userID: "bob@example.com", pin: "640275")
    /// Comes when the faults are over.
    static let dora = Person(userID: "dora@example.com", pin: "274906")
    /// Is not registered before.
    static let carol = Person(userID: "carol@example.com", pin: newPIN)
    static let newPIN = "518293"
    static let wrongPIN = "906417"

    let plan: FaultPlan
    let server: HonestServer
    let observer: FaultObserver
    let log = LogCapture()
    let screen = FakeScreen()
    private let keypad = FakeKeypad()
    private let scanner = FakeScanner()
    private let clock = ManualClock()
    private let timeOfDay: TimeOfDay
    private let pump = Pump.shared
    private let transport: FakeTransport
    private let isCareful: Bool
    private let run: Task<Void, Never>
    private var random: SplitMix64
    private(set) var scannerHasEnded = false
    private var shownViews = 0
    /// The new PIN that each person typed, by user id: lost keys discard the digits before them.
    private(set) var chosenPINs: [String: String] = [:]

    private final class TimeOfDay: Sendable {
        let seconds = Mutex(KioskRig.now)
    }

    /// - Parameter isCareful: whether every person stays to the end, and types the right PIN.
    init(_ plan: FaultPlan, _ server: HonestServer, storage: InMemoryStorage, isCareful: Bool = false) {
        self.plan = plan
        self.isCareful = isCareful
        self.server = server
        let observer = FaultObserver(server)
        self.observer = observer
        random = SplitMix64(seed: ~plan.seed)
        let timeOfDay = TimeOfDay()
        self.timeOfDay = timeOfDay
        let transport = FakeTransport(faults: plan, clock: clock)
        self.transport = transport
        server.install(on: transport)
        let sdk = FaultyKiosk.client(
            transport, FaultyStorage(storage, plan: plan), clock: clock, logger: log.logger
        ) { timeOfDay.seconds.withLock { $0 } }
        // A program whose store does not open is started again.
        let pump = pump
        while (try? pump.run { try await sdk.initialize() }) == nil {}
        let kiosk = Kiosk(
            sdk: sdk, trust: FaultyKiosk.trust, keypad: keypad, screen: screen, symbols: scanner,
            features: KioskFeatures(tasks: [.changePIN]), clock: clock, observers: [observer], logger: log.logger)
        run = Task { await kiosk.run() }
        settle()
    }

    static let trust = TrustPolicy(lines: ["login.example.com"].compactMap { try? TrustLine($0) })

    static func client(
        _ transport: FakeTransport, _ storage: any IdentityStorage, clock: ManualClock, logger: Logger,
        wallClock: @escaping @Sendable () -> Int64 = { KioskRig.now }
    ) -> MPin {
        MPin(
            transport: transport, storage: storage, trust: trust,
            configuration: MPin.Configuration(companyID: "our-company", clientVersion: "1"), clock: clock,
            wallClock: wallClock, logger: logger)
    }

    var stage: KioskStage { screen.views.last?.stage ?? .stopped }

    /// Lets everything happen that needs no further event.
    private func settle() {
        pump.drain()
        let views = screen.views
        for view in views.dropFirst(shownViews) where view.stage == .outcome && view.tone == .success {
            if observer.lastOutcome?.isSuccess != true {
                observer.change {
                    $0.broken.append("a success is shown after \(String(describing: observer.lastOutcome))")
                }
            }
        }
        shownViews = views.count
    }

    private func chance(oneIn: UInt64) -> Bool { !isCareful && random.next() % oneIn == 0 }

    // MARK: The person

    /// Takes a person through a login or a registration with a code, or a change of the PIN, until the end, or until
    /// the person walks away.
    ///
    /// - Parameters:
    ///   - code: nil for a change of the PIN.
    ///   - actions: the greatest number of actions.
    func visit(_ person: Person, code: String?, actions: Int = 60) {
        server.change { $0.namedUser = person.userID }
        var hasBegun = false
        for _ in 0..<actions {
            jump()
            if stage == .scan {
                if hasBegun { return }
                hasBegun = true
                if let code { show(code) } else { press(.menu) }
            } else {
                if chance(oneIn: 16) { return }
                act(person)
            }
        }
    }

    /// Does what the screen asks for.
    private func act(_ person: Person) {
        switch stage {
        case .menu: press(.digit(1))
        case .identityChoice:
            // The identities are numbered in the order of their registration.
            press(.digit(person.userID == Self.alice.userID ? 1 : 2))
            press(.enter)
        case .identityEntry:
            for character in person.userID where stage == .identityEntry { press(.character(character)) }
            press(.enter)
        case .pin: type(chance(oneIn: 6) ? Self.wrongPIN : person.pin)
        case .newPIN, .newPINAgain:
            type(Self.newPIN) { chosenPINs[person.userID] = $0 }
        case .consent: press(chance(oneIn: 12) ? .back : .enter)
        case .emailConfirmation, .serviceChoice, .outcome: press(.enter)
        case .codeEntry, .activationEntry, .identityDetails: press(.back)
        default: pass(.seconds(1))
        }
    }

    /// - Parameter submitted: gets what is left of the PIN before OK.
    private func type(_ pin: String, submitted: (String) -> Void = { _ in }) {
        let asking = stage
        if chance(oneIn: 20) {
            press(.back)
            return
        }
        if typedDigits > 0 { press(.clear) }
        for digit in pin.utf8 where stage == asking { press(.digit(digit - UInt8(ascii: "0"))) }
        guard stage == asking else { return }
        let isComplete = typedDigits >= 4
        submitted(String(pin.suffix(typedDigits)))
        if press(.enter), asking == .pin, isComplete { observer.change { $0.typedPINs += 1 } }
        // A short wait shows the screen before it.
        pass(KioskTiming.wait)
    }

    private var typedDigits: Int {
        if case .masked(let count, _) = screen.views.last?.entry { count } else { 0 }
    }

    /// - Returns: whether the key came alone, as a hand presses it.
    @discardableResult
    private func press(_ key: Key) -> Bool {
        let fault = plan.keypad()
        switch fault {
        case .unavailable:
            keypad.report(.unavailable("planned fault"))
            settle()
            keypad.report(.available)
            settle()
            keypad.press(key)
        case .burst: keypad.press(key, isBurst: true)
        case .keysLost: keypad.report(.keysLost("planned fault"))
        case nil: keypad.press(key)
        }
        settle()
        return fault != .burst && fault != .keysLost
    }

    private func show(_ code: String) {
        observer.see(code)
        guard !scannerHasEnded else { return }
        let text = "\(HonestServer.site)#\(code)"
        let fault = plan.scanner()
        switch fault {
        case .ends:
            scanner.end()
            scannerHasEnded = true
        case .unplugged:
            scanner.report(.unavailable(ScannerTrouble(.missing, "planned fault")))
            settle()
            scanner.report(.available(camera: "camera"))
        case .hostile:
            let hostile = [
                "https://evil.example.com#\(code)", "https://login.example.com@evil.example.com#\(code)",
                "\u{0}\u{1B}[2J",
                "\(HonestServer.site)#\(String(repeating: "a", count: 2000))",
            ]
            scanner.show(hostile[Int(random.next() % UInt64(hostile.count))])
        case .repeats, nil: scanner.show(text)
        }
        settle()
        if fault != nil, !scannerHasEnded {
            scanner.show(text)
            settle()
        }
    }

    /// Lets the clock fail, if the plan says so.
    private func jump() {
        switch plan.clock() {
        case .forward: timeOfDay.seconds.withLock { $0 += 40 * 86_400 }
        case .back: timeOfDay.seconds.withLock { $0 -= 40 * 86_400 }
        case .late: pass(.seconds(20))
        case nil: break
        }
    }

    private func pass(_ time: Duration) {
        clock.advance(by: time)
        settle()
    }

    // MARK: Afterwards

    /// The record so far, with the proofs that left the kiosk.
    var record: FaultRecord {
        var record = observer.record
        record.proofs = Set(transport.requests.compactMap(HonestServer.proof)).count
        return record
    }

    /// Everything that was shown, logged or recorded.
    var texts: [String] { observer.texts + screen.views.map { "\($0)" } + [log.text] }

    /// Lets the time pass with nobody at the kiosk, until it shows the scan screen. Each stage must end within its
    /// documented time.
    func wait(atMost limit: (KioskStage) -> Duration = FaultyKiosk.limit) {
        for _ in 0..<50 where stage != .scan {
            let (stage, count) = (stage, observer.count)
            var waited = Duration.zero
            while self.stage == stage, observer.count == count {
                guard waited <= limit(stage) else {
                    return observer.change { $0.broken.append("\(stage) lasts longer than \(limit(stage))") }
                }
                pass(.seconds(1))
                waited += .seconds(1)
            }
        }
        if stage != .scan { observer.change { $0.broken.append("the kiosk shows \(stage)") } }
    }

    /// The longest time of a stage without a key: `KioskTiming`.
    static func limit(_ stage: KioskStage) -> Duration {
        switch stage {
        case .pin, .newPIN, .newPINAgain: KioskTiming.entry
        case .emailConfirmation: KioskTiming.activation
        case .outcome: KioskTiming.outcome
        case .wrongPIN: KioskTiming.pause(afterWrongPINs: .max)
        case .loggingOut: KioskTiming.logout
        default: KioskTiming.session
        }
    }

    /// Stops the kiosk, and records a session that outlives it.
    func stop() {
        run.cancel()
        pump.drain()
        if stage != .stopped { observer.change { $0.broken.append("the kiosk does not stop") } }
    }
}
