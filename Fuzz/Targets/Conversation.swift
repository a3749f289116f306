// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskRuntime
import KioskTestKit
import LoginValues
import MPinClient
import Synchronization

extension FuzzTarget {
    /// The whole kiosk: codes, keys, time and replies, all from the input, through machine, runtime and SDK.
    static let conversation = FuzzTarget(name: "conversation", longest: 20_000) { input in
        let choices = input.byte()
        let network = Network(input)
        let kiosk = FuzzedKiosk(network, knowsAlice: choices & 1 == 1)
        kiosk.talk()
        kiosk.finish()
        network.check()
    }
}

/// A kiosk with fakes of its ports, on a clock that the input moves.
private struct FuzzedKiosk {
    let network: Network
    let keypad = FakeKeypad()
    let screen = FakeScreen()
    let scanner = FakeScanner()
    let clock = ManualClock()
    let pump = Pump.shared
    let kiosk: Kiosk
    let sessions: Sessions
    let run: Task<Void, Never>
    let watch: Task<Void, Never>

    init(_ network: Network, knowsAlice: Bool) {
        self.network = network
        let sdk = MPin(
            transport: network, storage: InMemoryStorage(knowsAlice ? FuzzedKiosk.alice : []), trust: Laboratory.trust,
            configuration: MPin.Configuration(companyID: "lab-company-id", clientVersion: "1"), clock: clock,
            wallClock: { 1_795_694_400 }, logger: Laboratory.logger)
        pump.run { try? await sdk.initialize() }
        let kiosk = Kiosk(
            sdk: sdk, trust: Laboratory.trust, keypad: keypad, screen: screen, symbols: scanner,
            features: KioskFeatures(tasks: Array(KioskTask.allCases.prefix(9))), clock: clock, logger: Laboratory.logger
        )
        self.kiosk = kiosk
        let sessions = Sessions(network: network)
        self.sessions = sessions
        watch = Task { for await event in kiosk.events { sessions.take(event) } }
        run = Task { await kiosk.run() }
        pump.drain()
    }

    /// Carries out the input, event by event.
    func talk() {
        var typedPINs = 0
        while let choice = network.withInput({ $0.isAtEnd ? nil : $0.byte() }) {
            if stage?.asksForPIN == true { typedPINs += 1 }
            switch choice % 8 {
            case 0: keypad.press(.enter)
            case 1:
                let key = network.withInput { $0.byte() }
                keypad.press(
                    [.back, .clear, .menu, .enter, .character("a"), .character("@")][Int(key) % 6],
                    isBurst: key & 0x80 != 0)
            case 2: keypad.press(.digit(network.withInput { $0.byte() } % 10))
            case 3: keypad.type(Laboratory.pin)
            case 4: scanner.show("\(Laboratory.service)/#\(Laboratory.code)")
            case 5: scanner.show(String(decoding: network.withInput { $0.piece() }, as: UTF8.self))
            case 6:
                clock.advance(
                    by: [.milliseconds(100), .seconds(1), .seconds(6), .seconds(31), .seconds(301)][
                        Int(choice >> 3) % 5])
            default:
                scanner.show(
                    "\(Laboratory.service)/#\(String(repeating: "0123456789abcdef"[choice >> 3 & 15], count: 32))")
            }
            pump.drain()
        }
        // Each proof needs a look at a screen that asks for a PIN.
        expect(network.checked <= typedPINs, "no proof is checked without a typed PIN")
    }

    /// Lets everything run out of time: the kiosk is back where a login begins, and every session has one end.
    func finish() {
        for _ in 0..<40 {
            clock.advance(by: .seconds(60))
            pump.drain()
        }
        expect(
            stage == .scan, "the kiosk comes back to the scan screen, and shows \(stage.map { "\($0)" } ?? "nothing")")
        run.cancel()
        pump.drain()
        for _ in 0..<10 {
            clock.advance(by: .seconds(60))
            pump.drain()
        }
        sessions.checkEnd()
        watch.cancel()
        pump.drain()
    }

    private var stage: KioskStage? { screen.views.last?.stage }

    /// An identity, registered once with recorded replies.
    private static let alice: [StoredIdentity] = {
        let storage = InMemoryStorage()
        let network = Network(Input([UInt8](repeating: 0, count: 40)))
        let mpin = MPin(
            transport: network, storage: storage, trust: Laboratory.trust,
            configuration: MPin.Configuration(companyID: "lab-company-id", clientVersion: "1"),
            logger: Laboratory.logger)
        Pump.shared.run {
            do {
                try await mpin.initialize()
                try await mpin.setBackend(try WebAddress(Laboratory.backend))
                let user = try await mpin.startRegistration(of: await mpin.makeNewUser("alice@example.com"))
                let confirmed = try await mpin.confirmRegistration(of: user)
                _ = try await mpin.finishRegistration(of: confirmed, pin: Laboratory.typedPIN())
            } catch { fatalError("the recorded registration fails: \(error)") }
        }
        return Laboratory.identities(of: storage)
    }()
}

/// The sessions of one conversation by the kiosk's events.
private final class Sessions: Sendable {
    private let network: Network
    private let open = Mutex<Set<SessionNumber>>([])

    init(network: Network) { self.network = network }

    func take(_ event: KioskEvent) {
        switch event {
        case .sessionOpened(let number, _), .taskBegun(let number, _, _):
            expect(open.withLock { $0.insert(number).inserted }, "a session begins once")
            network.forgetVerdict()
        case .sessionClosed(let number, let outcome):
            expect(open.withLock { $0.remove(number) } != nil, "a session has one outcome")
            if outcome == .loggedIn { expect(network.hasVerdict, "nobody is logged in without the server's word") }
        default: break
        }
    }

    func checkEnd() { expect(open.withLock { $0.isEmpty }, "every session has an outcome") }
}

extension String {
    fileprivate subscript(_ index: UInt8) -> Character { self[self.index(startIndex, offsetBy: Int(index))] }
}
