// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A chart of a swarm's moments: logins per second, waiting times, and events of the servers.
struct SwarmPlot {
    /// An event of a server.
    struct Mark: Sendable, Equatable {
        /// Time since the load began.
        var second: Double
        var text: String
    }

    /// More lines would hide the chart.
    static let maximumMarks = 200
    static let maximumMarkLength = 40

    private static let (width, left, right) = (960.0, 60.0, 20.0)
    private static let panels = [(top: 50.0, bottom: 250.0), (top: 310.0, bottom: 510.0)]

    let report: SwarmReport
    let marks: [Mark]

    /// Reads lines of `SECONDS-SINCE-1970 TEXT` and skips others.
    ///
    /// - Parameter begins: seconds since 1970 when the load began.
    static func marks(_ text: String, begins: Double) -> [Mark] {
        Array(
            text.split(separator: "\n").lazy.compactMap { line -> Mark? in
                let parts = line.split(separator: " ", maxSplits: 1)
                guard parts.count == 2, let time = Double(parts[0]), time.isFinite else { return nil }
                return Mark(second: time - begins, text: String(parts[1].prefix(maximumMarkLength)))
            }.prefix(maximumMarks))
    }

    var svg: String {
        let moments = report.moments
        let end = max(1, (moments.last?.second ?? 0) + report.momentSeconds)
        func x(_ second: Double) -> Double {
            Self.left + min(max(0, second / end), 1) * (Self.width - Self.left - Self.right)
        }
        var parts = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -40 960 600" "#
                + #"font-family="sans-serif" font-size="12">"#,
            #"<rect y="-40" width="960" height="600" fill="white"/>"#,
        ]
        for mark in marks where (0...end).contains(mark.second) {
            let at = Self.number(x(mark.second))
            parts.append(#"<path d="M\#(at) 30V510" stroke="silver" stroke-dasharray="3 3"/>"#)
            parts.append(
                #"<text x="\#(at)" y="26" fill="dimgray" transform="rotate(-12 \#(at) 26)">"#
                    + Self.escaped(mark.text) + "</text>")
        }
        let middle = moments.map { x($0.second + report.momentSeconds / 2) }
        let wellEnded = moments.map { Optional(Double($0.loggedIn) / report.momentSeconds) }
        let again = moments.map { Optional(Double($0.tryAgain) / report.momentSeconds) }
        parts += Self.panel(
            Self.panels[0], title: "logins a second", end: end, x: middle,
            lines: [("logged in", "#2166ac", wellEnded), ("told to try again", "#b2182b", again)])
        parts += Self.panel(
            Self.panels[1], title: "seconds from the last digit to the outcome", end: end, x: middle,
            lines: [
                ("p50", "#1b7837", moments.map(\.p50)), ("p90", "#bf812d", moments.map(\.p90)),
                ("p99", "#b2182b", moments.map(\.p99)),
            ])
        return (parts + ["</svg>", ""]).joined(separator: "\n")
    }

    private static func panel(
        _ frame: (top: Double, bottom: Double), title: String, end: Double, x: [Double],
        lines: [(name: String, colour: String, values: [Double?])]
    ) -> [String] {
        let top = ceiling(lines.flatMap(\.values).compactMap(\.self).max() ?? 0)
        let height = frame.bottom - frame.top
        func y(_ value: Double) -> String { number(frame.bottom - min(value / top, 1) * height) }
        var parts = [#"<text x="60" y="\#(number(frame.bottom + 34))" font-weight="bold">\#(title)</text>"#]
        for share in [0.0, 0.5, 1] {
            parts.append(#"<path d="M60 \#(y(top * share))H940" stroke="gainsboro"/>"#)
            parts.append(
                #"<text x="54" y="\#(y(top * share))" text-anchor="end" dominant-baseline="middle">"#
                    + label(top * share) + "</text>")
            let at = number(left + share * (width - left - right))
            parts.append(
                #"<text x="\#(at)" y="\#(number(frame.bottom + 16))" text-anchor="middle">"#
                    + label(end * share) + " s</text>")
        }
        for (index, line) in lines.enumerated() {
            parts.append(
                #"<text x="\#(400 + 150 * index)" y="\#(number(frame.bottom + 34))" fill="\#(line.colour)">"#
                    + line.name + "</text>")
            // A moment without a value makes a gap, and one between two gaps a dot.
            var path = ""
            var isDown = false
            for (at, value) in zip(x, line.values) {
                if let value {
                    path += "\(isDown ? "L" : "M")\(number(at)) \(y(value))" + (isDown ? "" : "h0.1")
                }
                isDown = value != nil
            }
            parts.append(
                #"<path d="\#(path)" fill="none" stroke="\#(line.colour)" stroke-width="1.5" stroke-linecap="round"/>"#)
        }
        return parts
    }

    /// The next of 1, 2, 5, 10, 20 and so on, also below 1.
    static func ceiling(_ value: Double) -> Double {
        guard value > 0.001, value < 1e12 else { return 0.001 }
        var scale = 0.001
        while true {
            for step in [1.0, 2, 5] where step * scale >= value { return step * scale }
            scale *= 10
        }
    }

    private static func label(_ value: Double) -> String { String(format: "%g", (value * 1000).rounded() / 1000) }

    private static func number(_ value: Double) -> String { String(format: "%.1f", value) }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .filter { !$0.isNewline && $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } }
    }
}
