// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer

/// The logins of the last 24 hours as pictures without a script, and as a table. Each bar is half an hour.
struct ActivityPlot: Sendable {
    /// The verdicts of half an hour.
    struct Bar: Sendable, Equatable {
        let start: WallTime
        let counts: LoginCounts
    }

    /// A layer of a bar. Layers are stacked from below.
    struct Layer {
        /// The class in the style sheet.
        let name: String
        let label: PageWord
        let count: @Sendable (LoginCounts) -> Int64
    }

    static let barCount = 48
    static let logins = [Layer(name: "right", label: .logins) { $0.right }]
    static let failures = [
        Layer(name: "wrong", label: .wrongPIN) { $0.wrongPIN },
        Layer(name: "refused", label: .refused) { $0.refused },
    ]

    let bars: [Bar]
    private let words: PageWords

    init(_ activity: LoginActivity, _ words: PageWords) {
        self.words = words
        let last = activity.present.flooredQuotient(by: 2)
        bars = (last - Int64(Self.barCount) + 1...last).map { half in
            let quarter = 2 * half
            var counts = activity.quarters[quarter] ?? LoginCounts()
            counts += activity.quarters[quarter + 1] ?? LoginCounts()
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
        \(figure("logins", .logins, Self.logins, sum: .sumOfLogins, none: .noLogins))
        \(figure("failures", .failures, Self.failures, sum: .sumOfFailures, none: .noFailures))
        </div>
        <p class="note">\(words(.axis))</p>
        <details><summary>\(words(.figures))</summary>
        \(table)
        </details>
        </section>
        """
    }

    // In the picture's units, about a pixel each.
    private static let (left, base, height, width) = (52, 136, 116, 9)
    private static let (pictureWidth, pictureHeight) = (left + width * barCount + 8, base + 26)

    private func figure(
        _ id: String, _ title: PageWord, _ layers: [Layer], sum sentence: PageWord, none: PageWord
    ) -> String {
        let sums = bars.map { bar in layers.reduce(0) { $0 + $1.count(bar.counts) } }
        let (total, most) = (sums.reduce(0, +), sums.max() ?? 0)
        let description =
            total == 0
            ? words(none)
            : words(
                sentence,
                [
                    "sum": words.number(total), "most": words.number(most),
                    "time": clock(bars[sums.firstIndex(of: most) ?? 0].start),
                ])
        let top = Self.top(for: most)
        let legend =
            layers.count < 2
            ? ""
            : "<span class=\"legend\">"
                + layers.map { "<span class=\"\($0.name)\">\(words($0.label))</span>" }.joined() + "</span>"
        return """
            <figure>
            <figcaption><strong>\(words(title))</strong> <span class="sum">\(words.number(total))</span>\
            \(legend)</figcaption>
            <svg role="img" aria-labelledby="\(id)-title \(id)-text" \
            viewBox="0 0 \(Self.pictureWidth) \(Self.pictureHeight)">
            <title id="\(id)-title">\(words(title))</title>
            <desc id="\(id)-text">\(description)</desc>
            \(grid(top))
            \(bars.indices.map { column($0, layers, top) }.joined(separator: "\n"))
            \(total == 0 ? emptyText(none) : "")
            </svg>
            </figure>
            """
    }

    /// The upper end of the axis: the smallest of 2, 4, 6, 8, 10, 12, 16, 20, 40 and so on that is at least `most`.
    /// Its half is a whole number.
    static func top(for most: Int64) -> Int64 {
        var decade: Int64 = 1
        while decade < .max / 100 {
            for step: Int64 in [2, 4, 6, 8, 10, 12, 16] where step * decade >= most { return step * decade }
            decade *= 10
        }
        return most
    }

    private func grid(_ top: Int64) -> String {
        let right = Self.left + Self.width * Self.barCount
        let lines = [0, top / 2, top].map { value in
            let y = Self.base - Int(value / max(1, top / 2)) * Self.height / 2
            return """
                <line class="\(value == 0 ? "base" : "grid")" x1="\(Self.left)" y1="\(y)" x2="\(right)" y2="\(y)"/>\
                <text class="tick value" x="\(Self.left - 6)" y="\(y + 4)">\(words.number(value))</text>
                """
        }
        let hours = bars.enumerated().compactMap { index, bar -> String? in
            let minutes = bar.start.seconds.flooredQuotient(by: 60)
            let ofDay = minutes - minutes.flooredQuotient(by: 1440) * 1440
            guard ofDay.isMultiple(of: 360) else { return nil }
            let x = Self.left + index * Self.width
            return """
                <line class="base" x1="\(x)" y1="\(Self.base)" x2="\(x)" y2="\(Self.base + 5)"/>\
                <text class="tick hour" x="\(x)" y="\(Self.base + 20)">\
                \(words(.hourFormat, ["hour": Self.twoDigits(ofDay / 60)]))</text>
                """
        }
        return (lines + hours).joined(separator: "\n")
    }

    private func column(_ index: Int, _ layers: [Layer], _ top: Int64) -> String {
        let bar = bars[index]
        var (rows, y) = ([String](), Double(Self.base))
        for layer in layers {
            let count = layer.count(bar.counts)
            guard count > 0 else { continue }
            // Even one login among thousands stays visible.
            let height = max(2, Double(count) / Double(top) * Double(Self.height))
            y = max(0, y - height)
            rows.append(
                """
                <rect class="\(layer.name)" x="\(Self.left + index * Self.width + 1)" y="\(Self.tenths(y))" \
                width="\(Self.width - 2)" height="\(Self.tenths(height))">\
                <title>\(clock(bar.start)) – \(words(layer.label)): \(words.number(count))</title></rect>
                """)
        }
        return rows.joined()
    }

    private func emptyText(_ word: PageWord) -> String {
        let middle = Self.left + Self.width * Self.barCount / 2
        return "<text class=\"none\" x=\"\(middle)\" y=\"\(Self.base - Self.height / 4 + 5)\">\(words(word))</text>"
    }

    private var table: String {
        let head = [PageWord.logins, .wrongPIN, .refused].map {
            "<th scope=\"col\" class=\"number\">\(words($0))</th>"
        }
        let rows = bars.reversed().map { bar in
            let numbers = [bar.counts.right, bar.counts.wrongPIN, bar.counts.refused].map {
                "<td class=\"number\">\(words.number($0))</td>"
            }
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

    /// A time of day, `14:30`.
    private func clock(_ time: WallTime) -> String { String(time.zonedText.dropFirst(11).prefix(5)) }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func tenths(_ value: Double) -> String {
        let whole = Int((value * 10).rounded())
        return "\(whole / 10).\(whole % 10)"
    }
}
