// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import ScreenTestKit
import Testing

/// A person, the servers and the time at a machine, by a script in the form of `Tests/flows`.
///
///     qr login                           the camera sees a code, by its name in ``codes``
///     key 2583 enter                     keys; digits of a PIN are kept and compared, as the interpreter does
///     type alice@example.com             each character, as from a keyboard
///     typed login                        the typed text is read as this code; `typed nothing` when it is none
///     connect alice bob named a@b.de     service and backend answer: its people, as in ``people``, and the session
///     answer registrationStarted alice   the step under way succeeds ...
///     fail notOffered cardNeedsRoom      ... or fails, with this sentence; `sent` when a proof was sent
///     time entry                         this timer fires
///     stop                               also `start`, `lost` for keys that were lost, `keypad gone`, `keypad back`
///     key enter -> consented, no abort   the actions of the last line, among others in this order, and none of these
///     session none                       also `session open`
///     key enter => consented             all its actions; `nothing` for none
///     wait outcome, title blocked        the view: ``ViewClauses``
///     or                                 another way to go on from the beginning of the script
///
/// Actions and prompts are written as words: `perform startAuthentication bob`, `documentPage(1;3)`. The first words
/// of an action suffice. A code has the name by which the script showed it, a document's hash its last digits:
/// `startTimer view login 3s`, `perform sign signer cdef`. Texts, handles and the session under way are left out. A
/// line that begins with an arrow is about the actions of the last event.
struct Visit {
    private(set) var machine: KioskMachine
    /// The session of the answers: the last one that was opened.
    private(set) var session: SessionNumber
    /// The actions of the last line.
    private(set) var actions: [KioskAction] = []
    var codes: [String: CodeReading] = [:]
    /// The names of the codes that were shown.
    private var codeNames: [CodeDigest: String] = [:]
    private var pin = (entered: "", first: "", old: "", key: "")

    var view: KioskView { machine.view }

    init(_ machine: KioskMachine = KioskMachine(trustsAnything: true), codes: [String: CodeReading] = [:]) {
        self.machine = machine
        self.codes = codes
        session = machine.session ?? .none
    }

    /// Plays a script, up to its first statement that is not true. Statements stand on lines of their own, or behind a
    /// semicolon.
    ///
    /// - Returns: the visit afterwards. The receiver can play other scripts from where it is.
    @discardableResult func play(_ script: String, at place: SourceLocation = #_sourceLocation) -> Visit {
        var visit = self
        var place = place
        for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
            // The text begins below the call.
            if script.contains("\n") { place.line += 1 }
            for statement in line.split("; ").map({ $0.drop { $0 == " " } }) where !statement.hasPrefix("#") {
                if statement == "or" { visit = self }
                do { if statement != "or" { try visit.take(String(statement)) } } catch {
                    Issue.record("\(statement)\n\(error)\n\(visit)", sourceLocation: place)
                    return visit
                }
            }
        }
        return visit
    }

    /// Answers the step under way with what has no words in a script.
    func answered(_ answer: StepAnswer) -> Visit {
        var visit = self
        visit.actions = []
        visit.end(.success(answer))
        return visit
    }

    /// Changes the machine in a way that has no words in a script.
    func after(_ event: (inout KioskMachine) -> [KioskAction]) -> Visit {
        var visit = self
        visit.actions = []
        visit.note(event(&visit.machine))
        return visit
    }

    private mutating func take(_ line: String) throws {
        let verb = line.prefix { $0 != " " && $0 != "," }
        if ViewClauses.verbs.contains(String(verb)) {
            if let fault = ViewClauses(line).fault(in: view) { throw Fault(fault) }
            return
        }
        let arrow = line.firstRange(of: #/[-=]> /#)
        let event = line[..<(arrow?.lowerBound ?? line.endIndex)]
        if !event.isEmpty {
            if verb != "session" { actions = [] }
            try happen(String(event))
        }
        guard let arrow else { return }
        try compare(line[arrow.upperBound...].split(", "), isExact: line[arrow.lowerBound] == "=")
    }

    // Events.

    private mutating func happen(_ event: String) throws {
        let words = event.split(separator: " ").map(String.init)
        let rest = Array(words.dropFirst())
        switch words[0] {
        case "key", "type":
            guard case .press(let keys) = try FlowScript(event).lines[0].action else { return }
            for key in keys { press(key) }
        case "qr": note(machine.symbolSeen(try code(rest)))
        case "typed": note(machine.codeTyped(rest == ["nothing"] ? nil : try code(rest)))
        case "connect":
            end(.success(.serviceFound(Samples.service)))
            end(.success(.backendOpened(try Visit.backend(rest))))
        case "answer": end(.success(try Visit.answer(rest)))
        case "fail":
            guard let reason = rest.first.flatMap(SessionOutcome.init(rawValue:)) else {
                throw Fault("fail needs an outcome")
            }
            let sentences = try rest.dropFirst().filter { $0 != "sent" }.map { word in
                guard let sentence = PromptKey(rawValue: word) else { throw UnknownWord(word: word) }
                return sentence
            }
            end(.failure(Samples.failure(reason, sentences.first, passTwoWasSent: rest.contains("sent"))))
        case "time":
            let fired = try timer(rest)
            note(machine.timerFired(fired.timer, session: fired.session))
        case "start": note(machine.start())
        case "stop": note(machine.stop())
        case "session":
            guard rest == [machine.session == nil ? "none" : "open"] else { throw Fault(event) }
        case "lost": note(machine.keysLost())
        case "keypad" where rest == ["back"] || rest == ["gone"]:
            note(machine.keypadChanged(isWorking: rest == ["back"]))
        default: throw Fault("an unknown event")
        }
    }

    private mutating func press(_ key: Key) {
        let secret = machine.secretEntry
        let known: KnownKey =
            switch key {
            case .digit(let digit): secret == nil ? .digit(digit) : secret == .pin ? .pinDigit : .codeKey
            case .character(let character): secret == nil || secret == .pin ? .character(character) : .codeKey
            case .enter: .enter
            case .clear: .clear
            case .back: .back
            case .menu: .menu
            }
        if case .digit(let digit) = key { pin.key = "\(digit)" }
        note(machine.keyPressed(known))
    }

    private mutating func end(_ result: Result<StepAnswer, KioskFailure>) {
        note(machine.stepEnded(result, session: session))
    }

    /// Notes actions, and answers those about the digits of a PIN.
    private mutating func note(_ new: [KioskAction]) {
        actions += new
        for action in new {
            switch action {
            case .openSession(let number, _), .openTask(let number, _, _): session = number
            case .entry(.append): pin.entered += pin.key
            case .entry(.removeLast): _ = pin.entered.popLast()
            case .entry(.clear), .entry(.complete): pin.entered = ""
            case .entry(.wipe): (pin.entered, pin.first) = ("", "")
            case .entry(.keepOld): (pin.old, pin.entered) = (pin.entered, "")
            case .entry(.checkNew):
                (pin.first, pin.entered) = (pin.entered, "")
                note(machine.newPINChecked(result(of: pin.first)))
            case .entry(.compareNew):
                let isEqual = pin.entered == pin.first
                pin.entered = ""
                note(machine.newPINsCompared(areEqual: isEqual))
            default: break
            }
        }
    }

    private func result(of pin: String) -> NewPINResult {
        if pin == self.pin.old { return .unchanged }
        if pin.allSatisfy({ $0 == "0" }) { return .allZeros }
        return pin.hasPrefix("1234") ? .easyToGuess : .good
    }

    /// A code of ``codes``, a login page's (`login`, `login 2`), or one that is nothing (`other`).
    private mutating func code(_ words: [String]) throws -> CodeReading {
        let name = words.joined(separator: " ")
        let code = try reading(name)
        codeNames[code.digest] = name
        return code
    }

    private func reading(_ name: String) throws -> CodeReading {
        if let code = codes[name] { return code }
        let words = name.split(" ")
        if words.first == "login" { return Samples.login("code \(words.count > 1 ? words[1] : "1")") }
        guard name == "other" else { throw Fault("no code has this name") }
        return CodeReading(digest: Samples.digest("other"), decision: .refused(.notALogin(.noAccessCode)))
    }

    private mutating func timer(_ words: [String]) throws -> (timer: KioskTimer, session: SessionNumber) {
        let ofSession: [String: KioskTimer] = [
            "session": .session, "entry": .entry, "wrongPIN": .wrongPIN, "outcome": .outcome, "wait": .wait,
            "codeLife": .codeLife, "tap": .tap,
        ]
        let others: [String: KioskTimer] = ["typing": .typing, "notice": .notice, "rest": .rest, "boot": .boot]
        let name = words.first ?? ""
        if let timer = ofSession[name] { return (timer, session) }
        if let timer = others[name] { return (timer, .none) }
        let digest = try code(Array(words.dropFirst())).digest
        return (name == "view" ? .view(digest) : .usedCode(digest), .none)
    }

    // Expectations.

    /// The actions that a script can deny, with any values: a misspelt one would never be found.
    private static let deniable: [KioskAction] = [
        .abort(.none), .applyProfile(.nothing), .cancelStep(.none), .code(.wipe), .deleteIdentity(Samples.alice),
        .dropCard, .entry(.wipe), .forgetShares(Samples.alice), .keepCard(.nothing),
        .openTask(.none, .login, service: 0), .openSession(.none, .nothing), .perform(.readService, .none),
        .unverifiedWrongPIN(.none), .registrationHeldUp(.none), .reset, .startTimer(.rest, .zero, .none),
    ]

    private func compare(_ expected: [String], isExact: Bool) throws {
        let done = actions.map { words($0) }
        func isMet(_ action: String, by words: String) -> Bool { words == action || words.hasPrefix(action + " ") }
        var rest = done[...]
        for text in expected where text != "nothing" {
            if text.hasPrefix("no ") {
                let denied = String(text.dropFirst(3))
                guard Visit.deniable.contains(where: { words($0).split(" ").first == denied.split(" ").first })
                else { throw Fault("it denies what is no action: \(denied)") }
                guard !done.contains(where: { isMet(denied, by: $0) }) else { throw Fault(text) }
            } else {
                // An action for another session than the last one is none that a script can mean.
                guard let index = rest.firstIndex(where: { isMet(text, by: $0) && !$0.contains(" of session ") }),
                    !isExact || index == rest.startIndex
                else { throw Fault("it lacks here: \(text)") }
                rest = rest[(index + 1)...]
            }
        }
        guard !isExact || rest.isEmpty else { throw Fault("there is more: \(rest.joined(separator: ", "))") }
    }
}

extension Visit: CustomStringConvertible {
    /// The last actions and the view, in the words of scripts.
    var description: String { "-> \(actions.map { words($0) }.joined(separator: ", "))\n\(view.clauses)" }

    /// Writes an action: its name and the names of what it is about.
    private func words(_ value: Any) -> String {
        switch value {
        case is Handle,
            is SessionNumber where value as? SessionNumber == session:
            return ""
        case let number as SessionNumber: return number == .none ? "" : "of session \(number)"
        case let identity as KioskIdentity:
            return Visit.people.first { $0.value == identity }?.key ?? identity.userID
        case let duration as Duration: return "\(Double(duration.components.seconds) + duration.fraction)".seconds
        case let digest as CodeDigest: return codeNames[digest] ?? "an unnamed code"
        case let hash as DocumentHash: return String(hash.hexadecimal.suffix(4))
        case is DocumentText: return ""
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .enum:
            guard let child = mirror.children.first else { return "\(value)" }
            return [child.label ?? "", words(child.value)].filter { !$0.isEmpty }.joined(separator: " ")
        case .tuple: return mirror.children.map { words($0.value) }.filter { !$0.isEmpty }.joined(separator: " ")
        default: return "\(value)"
        }
    }
}

private struct Fault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension Duration {
    fileprivate var fraction: Double { Double(components.attoseconds) / 1e18 }
}

extension StringProtocol {
    fileprivate func split(_ separator: String) -> [String] { split(separator: separator).map { String($0) } }
    /// `60.0` as `60s`.
    fileprivate var seconds: String { (hasSuffix(".0") ? String(dropLast(2)) : String(self)) + "s" }
}
