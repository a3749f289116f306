// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Levels in sequence.
struct SignalPattern: Sendable, Hashable {
    struct Step: Sendable, Hashable {
        var level: SignalLevel
        var length: Duration

        init(_ level: SignalLevel, _ milliseconds: Int) {
            self.level = level
            length = .milliseconds(milliseconds)
        }
    }

    /// Played once.
    var opening: [Step]
    /// Repeated after the opening; a single step is a steady light, an empty cycle the end.
    var cycle: [Step] = []

    /// The level after the given time, and its duration; nil when the pattern is over, no duration when it stays for
    /// good.
    func level(after elapsed: Duration) -> (level: SignalLevel, length: Duration?)? {
        var rest = max(elapsed, .zero)
        for step in opening {
            if rest < step.length { return (step.level, step.length - rest) }
            rest -= step.length
        }
        guard let first = cycle.first else { return nil }
        guard cycle.count > 1 else { return (first.level, nil) }
        let round = cycle.reduce(Duration.zero) { $0 + $1.length }
        rest -= round * Int(rest / round)
        for step in cycle {
            if rest < step.length { return (step.level, step.length - rest) }
            rest -= step.length
        }
        return (first.level, first.length)
    }

    var length: Duration { opening.reduce(.zero) { $0 + $1.length } }
}

extension Signal {
    /// Every signal is recognisable by its light alone and, if it is news, by its sound alone. A buzzer has one pitch,
    /// so good news is short-short and bad news long.
    var pattern: SignalPattern {
        typealias Step = SignalPattern.Step
        return switch self {
        case .ready: SignalPattern(opening: [], cycle: [Step(.green, 100), Step([], 2_900)])
        case .seen: SignalPattern(opening: [Step([.green, .buzzer], 80), Step(.green, 220)])
        case .key: SignalPattern(opening: [Step(.buzzer, 20), Step([], 60)])
        case .working: SignalPattern(opening: [], cycle: [Step(.green, 250), Step([], 250)])
        case .ask: SignalPattern(opening: [Step([.green, .red, .buzzer], 60)], cycle: [Step([.green, .red], 1_000)])
        case .success:
            SignalPattern(
                opening: [Step([.green, .buzzer], 90), Step(.green, 90), Step([.green, .buzzer], 90)],
                cycle: [Step(.green, 1_000)])
        case .failure: SignalPattern(opening: [Step([.red, .buzzer], 600)], cycle: [Step(.red, 1_000)])
        case .trouble: SignalPattern(opening: [], cycle: [Step(.red, 100), Step([], 900)])
        }
    }
}
