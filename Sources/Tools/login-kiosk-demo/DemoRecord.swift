// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The events of the demonstration. They are printed as they happen, and kept as steps with their durations.
final class DemoRecord: Sendable {
    struct Step: Encodable, Sendable {
        let name: String
        let seconds: Double
    }

    private struct State {
        var steps: [Step] = []
        var underWay: String?
        var isComplete = false
    }

    private let start = ContinuousClock.now
    private let state = Mutex(State())
    /// Nil when a script reads the output.
    private let narration: FileHandle?

    init(narration: FileHandle?) { self.narration = narration }

    var steps: [Step] { state.withLock { $0.steps } }
    /// The current step.
    var underWay: String? { state.withLock { $0.underWay } }
    var isComplete: Bool { state.withLock { $0.isComplete } }

    func complete() { state.withLock { $0.isComplete = true } }

    /// - Parameter who: a word for the table's second column, such as `kiosk`.
    func say(_ who: String, _ what: String) {
        guard let narration else { return }
        let seconds = DemoRecord.text((ContinuousClock.now - start).seconds, width: 6)
        narration.write(Data("\(seconds)  \(who.padding(toLength: 8, withPad: " ", startingAt: 0)) \(what)\n".utf8))
    }

    /// Does one step and measures its time.
    ///
    /// - Throws: ``DemoFailure`` that names the step, or `CancellationError`.
    func step(_ name: String, _ work: () async throws -> Void) async throws {
        state.withLock { $0.underWay = name }
        let begin = ContinuousClock.now
        do { try await work() } catch is CancellationError { throw CancellationError() } catch {
            // A cancelled step throws `CancellationError` instead of its own error.
            try Task.checkCancellation()
            throw DemoFailure("'\(name)' did not succeed: \(error)")
        }
        note(name, ContinuousClock.now - begin)
    }

    /// Records a step that took `duration`.
    func note(_ name: String, _ duration: Duration) {
        state.withLock { state in
            state.steps.append(Step(name: name, seconds: duration.seconds))
            state.underWay = nil
        }
    }

    /// The steps as a table for people.
    var table: String {
        let steps = steps
        let width = (steps.map(\.name.count) + ["step".count]).max() ?? 0
        func row(_ name: String, _ time: String) -> String {
            name.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + time + "\n"
        }
        let total = steps.reduce(0) { $0 + $1.seconds }
        return row("step", "seconds") + steps.map { row($0.name, DemoRecord.text($0.seconds, width: 7)) }.joined()
            + row("all", DemoRecord.text(total, width: 7))
    }

    private static func text(_ seconds: Double, width: Int) -> String {
        String(format: "%\(width).2f", seconds)
    }
}

extension Duration {
    /// The duration as a fraction, for people and JSON.
    var seconds: Double { self / .seconds(1) }
}

/// The reason why the demonstration failed.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
