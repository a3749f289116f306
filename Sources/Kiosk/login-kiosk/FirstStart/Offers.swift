// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskPorts

/// The numbered offers of a step, each with its value.
struct Offers<Value: Equatable> {
    /// The value that Enter keeps.
    private let current: Value
    private var words: [Prompt] = []
    private var values: [Value] = []

    init(current: Value) { self.current = current }

    mutating func add(_ words: Prompt, _ value: Value) {
        self.words.append(words)
        values.append(value)
    }

    var question: SetupQuestion { .offers(words, current: values.firstIndex(of: current)) }

    /// The value that the person chose or kept; nil for an input that does neither.
    func value(of input: FirstStart.Input) -> Value? {
        switch input {
        case .accepted: current
        case .number(let number) where values.indices.contains(number - 1): values[number - 1]
        default: nil
        }
    }
}

/// A device that the person may choose.
struct OfferedDevice: Equatable {
    /// A name that stays after a restart, if there is one.
    let path: String
    /// Words that a panel has room for: a stable name has no place to break.
    let name: String

    init(_ node: String, _ stableNames: [String], identity: String?) {
        path = stableNames.first ?? node
        name = identity.map { "\(PrintableText($0).line) (\(node))" } ?? node
    }
}
