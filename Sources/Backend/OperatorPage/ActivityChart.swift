// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer

/// A picture in SVG of the bars of a day.
struct ActivityChart {
    /// A layer of a bar. Layers are stacked from below.
    struct Layer: Sendable {
        /// The class in the style sheet.
        let name: String
        let label: PageWord
        let count: @Sendable (LoginCounts) -> Int64
    }

    /// The counted verdicts, and their words.
    struct Subject: Sendable {
        let title: PageWord
        let sum: PageWord
        let none: PageWord
        let layers: [Layer]

        static let logins = Subject(
            title: .logins, sum: .sumOfLogins, none: .noLogins,
            layers: [Layer(name: "right", label: .logins) { $0.right }])
        static let failures = Subject(
            title: .failures, sum: .sumOfFailures, none: .noFailures,
            layers: [
                Layer(name: "wrong", label: .wrongPIN) { $0.wrongPIN },
                Layer(name: "refused", label: .refused) { $0.refused },
            ])
    }

    // In the picture's units, about a pixel each.
    private static let (left, base, height) = (52, 136, 116)
    private static let (barWidth, gap, leastBarHeight) = (9, 1, 2.0)
    private static let right = left + barWidth * ActivityPlot.barCount
    private static let (pictureWidth, pictureHeight) = (right + 8, base + 26)
    private static let (tick, hourBelowBase, valueBesideAxis) = (5, 20, 6)
    /// Half of a text's height, by which its baseline is below the middle.
    private static let (halfOfValue, halfOfSentence) = (4, 5)

    private static let labelledTimes = ["00:00", "06:00", "12:00", "18:00"]

    private let subject: Subject
    private let bars: [ActivityPlot.Bar]
    private let words: PageWords
    private let sums: [Int64]
    private let most: Int64
    private let top: Int64

    init(_ subject: Subject, _ bars: [ActivityPlot.Bar], _ words: PageWords) {
        (self.subject, self.bars, self.words) = (subject, bars, words)
        sums = bars.map { bar in subject.layers.reduce(0) { $0 + $1.count(bar.counts) } }
        most = sums.max() ?? 0
        top = Self.top(for: most)
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

    var figure: String {
        let (id, title) = (subject.title.rawValue, words(subject.title))
        return """
            <figure>
            <figcaption><strong>\(title)</strong> <span class="sum">\(sumText)</span>\
            \(legend)</figcaption>
            <svg role="img" aria-labelledby="\(id)-title \(id)-text" \
            viewBox="0 0 \(Self.pictureWidth) \(Self.pictureHeight)">
            <title id="\(id)-title">\(title)</title>
            <desc id="\(id)-text">\(description)</desc>
            \(valueAxis)
            \(timeAxis)
            \(bars.indices.map(column).joined(separator: "\n"))
            \(most == 0 ? emptyText : "")
            </svg>
            </figure>
            """
    }

    private var description: String {
        guard most > 0, let highest = sums.firstIndex(of: most) else { return words(subject.none) }
        let gaps = ["sum": sumText, "most": words.number(most), "time": bars[highest].timeOfDay]
        return words(subject.sum, gaps)
    }

    private var sumText: String { words.number(sums.reduce(0, +)) }

    private var legend: String {
        guard subject.layers.count > 1 else { return "" }
        let labels = subject.layers.map { "<span class=\"\($0.name)\">\(words($0.label))</span>" }
        return "<span class=\"legend\">\(labels.joined())</span>"
    }

    private var valueAxis: String {
        [0, top / 2, top].enumerated().map { index, value in
            let y = Self.base - index * Self.height / 2
            return """
                <line class="\(index == 0 ? "base" : "grid")" x1="\(Self.left)" y1="\(y)" x2="\(Self.right)" \
                y2="\(y)"/><text class="tick value" x="\(Self.left - Self.valueBesideAxis)" \
                y="\(y + Self.halfOfValue)">\(words.number(value))</text>
                """
        }.joined(separator: "\n")
    }

    private var timeAxis: String {
        bars.enumerated().compactMap { index, bar -> String? in
            guard Self.labelledTimes.contains(bar.timeOfDay) else { return nil }
            let x = Self.left + index * Self.barWidth
            return """
                <line class="base" x1="\(x)" y1="\(Self.base)" x2="\(x)" y2="\(Self.base + Self.tick)"/>\
                <text class="tick hour" x="\(x)" y="\(Self.base + Self.hourBelowBase)">\
                \(words(.hourFormat, ["hour": String(bar.timeOfDay.prefix(2))]))</text>
                """
        }.joined(separator: "\n")
    }

    private func column(_ index: Int) -> String {
        let bar = bars[index]
        var (rectangles, y) = ("", Double(Self.base))
        for layer in subject.layers {
            let count = layer.count(bar.counts)
            guard count > 0 else { continue }
            // Even one login among thousands stays visible.
            let height = max(Self.leastBarHeight, Double(count) / Double(top) * Double(Self.height))
            y = max(0, y - height)
            rectangles += """
                <rect class="\(layer.name)" x="\(Self.left + index * Self.barWidth + Self.gap)" \
                y="\(Self.tenths(y))" width="\(Self.barWidth - 2 * Self.gap)" height="\(Self.tenths(height))">\
                <title>\(bar.timeOfDay) – \(words(layer.label)): \(words.number(count))</title></rect>
                """
        }
        return rectangles
    }

    private var emptyText: String {
        let (x, y) = ((Self.left + Self.right) / 2, Self.base - Self.height / 4 + Self.halfOfSentence)
        return "<text class=\"none\" x=\"\(x)\" y=\"\(y)\">\(words(subject.none))</text>"
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
