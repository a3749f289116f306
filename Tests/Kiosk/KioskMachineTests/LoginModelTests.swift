// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskMachine
import KioskPorts
import LoginValues
import Patience
import Testing

/// Spin found all steps of the modelled kiosk in `Tests/model/login.pml`, over every order of events. The machine takes
/// the same ones.
@Suite("The machine takes the steps of the model that Spin checks, and no others")
struct LoginModelTests {
    static let seed: UInt64 = 0x5EED_0200
    static let walks = TestEffort.rounds(200)
    static let length = 30

    @Test func walksAlongTheModel() throws {
        let steps = try ModelStep.all()
        // Begin at each screen: a walk from the scan screen seldom goes far.
        let ways = try ModelStep.ways(to: Set(steps.map(\.screen)), steps)
        var taken: Set<ModelStep> = []
        for walk in 0..<Self.walks {
            var generator = SplitMix64(seed: Self.seed &+ UInt64(walk))
            var kiosk = ModelledKiosk()
            for event in ways[walk % ways.count].events { kiosk.take(event, using: &generator) }
            for _ in 0..<Self.length {
                let choices = steps.filter { $0.screen == kiosk.screen && kiosk.isPossible($0.event) }
                    .sorted { $0.event.rawValue < $1.event.rawValue }
                let step = try #require(choices.randomElement(using: &generator), "nothing to do at \(kiosk.screen)")
                kiosk.take(step.event, using: &generator)
                guard kiosk.screen == step.next || kiosk.outcome == step.next else {
                    Issue.record("seed \(Self.seed), walk \(walk): \(step) led to \(kiosk.outcome ?? kiosk.screen)")
                    return
                }
                taken.insert(step)
            }
        }
        let never = steps.subtracting(taken)
        #expect(never.isEmpty)
    }

    @Test func nothingElseMovesIt() throws {
        let steps = try ModelStep.all()
        var generator = SplitMix64(seed: Self.seed)
        for way in try ModelStep.ways(to: Set(steps.map(\.screen)), steps) {
            let here = Set(steps.filter { $0.screen == way.screen }.map(\.event))
            for event in ModelEvent.allCases where !here.contains(event) {
                var kiosk = ModelledKiosk()
                for event in way.events { kiosk.take(event, using: &generator) }
                #expect(kiosk.screen == way.screen)
                guard kiosk.mayTry(event) else { continue }
                kiosk.take(event, using: &generator)
                #expect(kiosk.screen == way.screen, "\(event) moved the kiosk from \(way.screen)")
            }
        }
    }
}

/// An event of the model, by its name there.
private enum ModelEvent: String, CaseIterable {
    case see, seeUsed, seeAnother
    case ok, no, cancel, pinRight, pinWrong
    case found, opened, ready, accepted, wrongPIN, isBlocked, expired, expiredLate
    case unreachable, noAnswer
    case timeOver, pauseOver, outcomeOver
    /// An answer to an earlier session; not in the table, for it changes nothing.
    case lateAnswer

    /// Whether a step ends with it.
    var isAnswer: Bool {
        switch self {
        case .found, .opened, .ready, .accepted, .wrongPIN, .isBlocked, .expired, .expiredLate, .unreachable, .noAnswer:
            true
        default: false
        }
    }
}

private struct ModelStep: Hashable {
    let screen: String
    let event: ModelEvent
    /// A screen, or the outcome with which the session ends.
    let next: String

    static func all() throws -> Set<ModelStep> {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../model/steps.txt")
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        return try Set(
            lines.map { line in
                let words = line.split(separator: " ").map(String.init)
                try #require(words.count == 3)
                return ModelStep(
                    screen: words[0], event: try #require(ModelEvent(rawValue: words[1]), "\(words[1])"),
                    next: words[2])
            })
    }

    /// The shortest events from the scan screen to each screen.
    static func ways(
        to screens: Set<String>, _ steps: Set<ModelStep>
    ) throws -> [(screen: String, events: [ModelEvent])] {
        var ways: [String: [ModelEvent]] = ["scan": []]
        var edge = ["scan"]
        while let screen = edge.first {
            edge.removeFirst()
            let from = steps.filter { $0.screen == screen && $0.event != .seeUsed }
            for step in from.sorted(by: { $0.event.rawValue < $1.event.rawValue }) {
                let next = screens.contains(step.next) ? step.next : "outcome"
                guard ways[next] == nil else { continue }
                ways[next] = (ways[screen] ?? []) + [step.event]
                edge.append(next)
            }
        }
        try #require(Set(ways.keys) == screens)
        return ways.map { (screen: $0.key, events: $0.value) }.sorted { $0.screen < $1.screen }
    }
}

/// The real machine, with the model's events and the names of its screens.
private struct ModelledKiosk {
    private var machine = KioskMachine(trustsAnything: true)
    private var step: KioskStep?
    private var lastSession = SessionNumber.none
    private var codes = 0
    /// The code of the session, and those with which a login was tried.
    private var code = 0
    private var used: [Int] = []
    /// The outcome on the screen.
    private(set) var outcome: String?

    var screen: String {
        switch machine.view.stage {
        case .scan: "scan"
        case .connecting: step == .readService ? "service" : "backend"
        case .consent: "consent"
        case .pin: "pin"
        case .wrongPIN: "pause"
        case .outcome: "outcome"
        case .authenticating: if case .finishAuthentication? = step { "proving" } else { "starting" }
        case let stage: "\(stage)"
        }
    }

    func isPossible(_ event: ModelEvent) -> Bool { event != .seeUsed || !used.isEmpty }

    /// Whether the event may come at this screen though the model has no step for it.
    func mayTry(_ event: ModelEvent) -> Bool {
        switch event {
        case .see, .seeUsed: false
        case .seeAnother: screen != "scan"
        // Keys that the model has by another name here; any key ends an outcome sooner.
        case .no: !["pin", "pause", "service", "backend", "outcome"].contains(screen)
        case .cancel: !["consent", "outcome"].contains(screen)
        case .ok, .pinRight, .pinWrong: !["consent", "outcome"].contains(screen)
        // The runtime answers a step with its own answers alone; an answer of another one is a failure.
        default: !event.isAnswer || step == nil
        }
    }

    mutating func take(_ event: ModelEvent, using generator: inout SplitMix64) {
        let number = machine.session ?? lastSession
        switch event {
        case .see:
            codes += 1
            code = codes
            obey(machine.symbolSeen(Samples.login("code \(codes)")))
        case .seeUsed:
            // It has left the view since.
            guard let old = used.randomElement(using: &generator) else { return }
            obey(machine.timerFired(.view(Samples.digest("code \(old)")), session: .none))
            obey(machine.symbolSeen(Samples.login("code \(old)")))
        case .seeAnother: obey(machine.symbolSeen(Samples.login("another code")))
        case .ok: obey(machine.keyPressed(.enter))
        case .no, .cancel: obey(machine.keyPressed(.back))
        case .pinRight, .pinWrong:
            for _ in 0..<4 { obey(machine.keyPressed(.pinDigit)) }
            obey(machine.keyPressed(.enter))
        case .found: end(.success(.serviceFound(Samples.service)))
        case .opened: end(.success(.backendOpened(BackendSession(identities: [Samples.alice]))))
        case .ready: end(.success(.authenticationStarted))
        case .accepted: end(.success(.authenticated()))
        case .wrongPIN: end(.failure(Samples.failure(.wrongPIN, passTwoWasSent: true)))
        case .isBlocked: end(.failure(Samples.failure(.blocked, passTwoWasSent: true)))
        case .expired:
            let answers: [Result<StepAnswer, KioskFailure>] = [
                .success(.backendOpened(BackendSession(obstacle: .codeExpired))),
                .failure(Samples.failure(.sessionExpired)),
            ]
            end(answers.randomElement(using: &generator) ?? answers[0])
        case .expiredLate: end(.failure(Samples.failure(.sessionExpired, passTwoWasSent: true)))
        case .unreachable: end(.failure(Samples.failure(.unreachable)))
        case .noAnswer: end(.failure(Samples.failure(.outcomeUnknown, passTwoWasSent: true)))
        case .timeOver:
            let timer = screen == "pin" && Bool.random(using: &generator) ? KioskTimer.entry : .session
            obey(machine.timerFired(timer, session: number))
        case .pauseOver: obey(machine.timerFired(.wrongPIN, session: number))
        case .outcomeOver: obey(machine.timerFired(.outcome, session: number))
        case .lateAnswer:
            obey(machine.stepEnded(.success(.authenticated()), session: SessionNumber(number.value &- 1)))
        }
        // A short wait keeps the view of before.
        obey(machine.timerFired(.wait, session: number))
    }

    private mutating func end(_ result: Result<StepAnswer, KioskFailure>) {
        step = nil
        obey(machine.stepEnded(result, session: machine.session ?? lastSession))
    }

    private mutating func obey(_ actions: [KioskAction]) {
        for action in actions {
            switch action {
            case .openSession(let number, _): (lastSession, outcome) = (number, nil)
            case .perform(let next, _): step = next
            case .cancelStep: step = nil
            case .closeSession(_, let ending): outcome = ending.rawValue
            case .stopTimer(.usedCode(let digest)): used.removeAll { Samples.digest("code \($0)") == digest }
            case .startTimer(.usedCode, _, _): if !used.contains(code) { used.append(code) }
            default: break
            }
        }
    }
}
