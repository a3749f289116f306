// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation

/// The result of a swarm, for people and programs. Times are seconds.
struct SwarmReport: Sendable {
    let run: Run
    let outcomes: Outcomes
    let times: Times
    let problems: Problems
    let course: Course

    init(
        settings: Swarm.Settings, begins: Double, seconds: Double, planned: Int, tally: SwarmTally.State,
        counts: SwarmCounts?, notCompared: String? = nil
    ) {
        run = Run(
            backend: settings.backend, kiosks: settings.kiosks, browsers: settings.browsers, rate: settings.rate,
            seed: settings.seed, begins: begins, seconds: seconds, planned: planned)
        outcomes = Outcomes(tally, seconds: seconds)
        times = Times(tally)
        problems = Problems(tally, counts: counts, notCompared: notCompared)
        course = Course(tally.logins, seconds: seconds)
    }
}

extension SwarmReport: Encodable {
    /// The members of all parts in one object. Its keys are in snake case by the encoder's strategy.
    func encode(to encoder: any Encoder) throws {
        let parts: [any Encodable] = [run, outcomes, times, problems, course]
        for part in parts { try part.encode(to: encoder) }
    }
}

extension SwarmReport {
    /// Text for people.
    var text: String {
        var lines = [
            "\(run.kiosks) kiosks, \(run.browsers) browsers, \(run.planned) logins planned in "
                + "\(Self.number(run.seconds)) s",
            "logged in \(outcomes.loggedIn), \(Self.number(outcomes.perSecond)) a second; "
                + "wrong PIN \(outcomes.wrongPIN); no kiosk free \(outcomes.notBegun); "
                + "unanswered \(outcomes.unanswered)",
            "try again: \(Self.list(outcomes.tryAgain))", "refused: \(Self.list(outcomes.refused))",
            "requests that failed: \(Self.list(problems.errors))", "faults: \(Self.list(problems.faults))",
        ]
        if let counts = problems.counts {
            lines.append(
                "wrong PINs: told \(counts.told), unclear \(counts.unclear), counted \(counts.counted), "
                    + "lost \(counts.lost), twice \(counts.extra)")
        }
        var table = ResultTable(rows: [["seconds", "p50", "p90", "p99", "max"]])
        for (name, value) in [
            ("registration", times.registration), ("page's session", times.pageSession),
            ("last digit to outcome", times.lastDigitToOutcome), ("outcome to the page", times.outcomeToPage),
            ("wrong PIN to outcome", times.wrongPINToOutcome),
        ] {
            table.rows.append(
                [name]
                    + [value.p50, value.p90, value.p99, value.max].map { value in
                        value.map { String(format: "%.3f", $0) } ?? "-"
                    })
        }
        return (lines + [table.text]).joined(separator: "\n")
    }

    private static func list(_ counts: [String: Int]) -> String {
        let parts = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }

    private static func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
