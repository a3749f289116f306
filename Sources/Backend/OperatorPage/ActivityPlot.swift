// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer

/// The logins of the last 24 hours as pictures without a script, and as a table. Each bar is half an hour.
struct ActivityPlot: Sendable {
    /// The verdicts of half an hour.
    struct Bar: Sendable, Equatable {
        let start: WallTime
        let counts: LoginCounts

        /// The time of its start, `14:30`.
        var timeOfDay: String { String(start.zonedText.dropFirst(11).prefix(5)) }
    }

    static let barCount = 48

    let bars: [Bar]
    private let words: PageWords

    init(_ activity: LoginActivity, _ words: PageWords) {
        self.words = words
        let last = activity.present.flooredQuotient(by: 2)
        bars = (last - Int64(Self.barCount) + 1...last).map { half in
            let quarter = 2 * half
            let counts = [quarter, quarter + 1].compactMap { activity.quarters[$0] }.reduce(LoginCounts(), +)
            let start: Int64 = quarter * LoginActivity.quarter.wholeMilliseconds
            return Bar(start: WallTime(milliseconds: start), counts: counts)
        }
    }

    /// Both pictures, and the table of their numbers.
    var section: String {
        """
        <section class="day" aria-labelledby="day">
        <h2 id="day">\(words(.day))</h2>
        <div class="plots">
        \(ActivityChart(.logins, bars, words).figure)
        \(ActivityChart(.failures, bars, words).figure)
        </div>
        <p class="note">\(words(.axis))</p>
        <details><summary>\(words(.figures))</summary>
        \(table)
        </details>
        </section>
        """
    }

    private var table: String {
        let layers = ActivityChart.Subject.logins.layers + ActivityChart.Subject.failures.layers
        let head = layers.map { "<th scope=\"col\" class=\"number\">\(words($0.label))</th>" }
        let rows = bars.reversed().map { bar in
            let numbers = layers.map { "<td class=\"number\">\(words.number($0.count(bar.counts)))</td>" }
            let text = bar.start.zonedText
            return """
                <tr><th scope="row"><time datetime="\(text)">\(words.time(text))</time></th>\(numbers.joined())</tr>
                """
        }
        return """
            <table class="figures">
            <thead><tr><th scope="col">\(words(.barStart))</th>\(head.joined())</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            """
    }
}
