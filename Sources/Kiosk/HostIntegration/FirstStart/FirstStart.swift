// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The steps of a guided first start, and what was chosen so far. Nothing is written before the last step.
public struct FirstStart: Sendable, Equatable {
    public enum Step: String, Sendable, CaseIterable {
        case language, camera, keypad, display, lamps, network, service, clock, summary
    }

    /// A line that a person typed.
    public enum Input: Sendable, Equatable {
        /// An empty line: the present value is right.
        case accepted
        /// One of the offered numbers.
        case number(Int)
        /// Leave the step's settings as they were before this program.
        case skipped
        case repeated
        case back
        case left
        case text(String)

        /// - Parameter line: without its end.
        public init(line: some StringProtocol) {
            let word = line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
            let text = String(word)
            switch text.lowercased() {
            case "": self = .accepted
            case "s": self = .skipped
            case "r": self = .repeated
            case "b": self = .back
            case "q": self = .left
            default: self = Int(text).map(Input.number) ?? .text(text)
            }
        }
    }

    public enum Turn: Sendable, Equatable {
        /// Show the step, which may be the same again.
        case show(Step)
        case write
        case leave
        /// The line makes no sense here; the sentence names what does. Ask again.
        case refused(Prompt)
    }

    /// The choice of one step.
    public struct Choice: Sendable, Equatable {
        /// The settings to write, by name. Nil removes an earlier choice.
        public let settings: [String: String?]
        /// A line for the summary.
        public let words: Prompt

        public init(_ settings: [String: String?], _ words: Prompt) {
            self.settings = settings
            self.words = words
        }

        /// A choice of one setting.
        public init<Value>(_ setting: KeyPath<Settings, Setting<Value>>, _ text: String, _ words: Prompt) {
            self.init([Settings.all[keyPath: setting].key.name: text], words)
        }
    }

    public static let agreement = "yes"

    public private(set) var step = Step.language
    public private(set) var choices: [Step: Choice] = [:]

    public init() {}

    /// Notes what was chosen in this step, in the place of an earlier choice.
    public mutating func choose(_ choice: Choice) { choices[step] = choice }

    /// Drops what was chosen in this step.
    public mutating func forget() { choices[step] = nil }

    public mutating func obey(_ input: Input) -> Turn {
        switch input {
        case .left: return .leave
        case .repeated: break
        case .back: move(by: -1)
        case .text(FirstStart.agreement) where step == .summary: return .write
        case _ where step == .summary: return .refused(Prompt(.guideAgree, [.name: FirstStart.agreement]))
        case .accepted: move(by: 1)
        case .skipped:
            forget()
            move(by: 1)
        case .number, .text: return .refused(Prompt(.guideKeys))
        }
        return .show(step)
    }

    private mutating func move(by steps: Int) {
        let all = Step.allCases
        guard let index = all.firstIndex(of: step), all.indices.contains(index + steps) else { return }
        step = all[index + steps]
    }

    /// All chosen settings. Those of a later step win.
    public var settings: [String: String?] {
        Step.allCases.reduce(into: [:]) { settings, step in
            settings.merge(choices[step]?.settings ?? [:]) { $1 }
        }
    }

    /// The chosen text of a setting; nil when none is chosen.
    public subscript<Value>(_ setting: KeyPath<Settings, Setting<Value>>) -> String? {
        settings[Settings.all[keyPath: setting].key.name] ?? nil
    }

    /// One line for each choice, in the order of the steps.
    public var summary: [Prompt] { Step.allCases.compactMap { choices[$0]?.words } }
}
