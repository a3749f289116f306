// SPDX-License-Identifier: Apache-2.0

/// Metrics in the text format of Prometheus, version 0.0.4.
public enum MetricText {
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// - Precondition: names are unique, and as ``Metric`` requires.
    public static func text(of metrics: [any Metric]) -> String {
        var names: Set<String> = []
        var text = ""
        for metric in metrics {
            precondition(isName(metric.name) && names.insert(metric.name).inserted, "\(metric.name) is not a name")
            let samples = metric.samples()
            guard !samples.isEmpty else { continue }
            text += "# HELP \(metric.name) \(escaped(metric.help, quotes: false))\n"
            text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
            for sample in samples {
                let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
                let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
                text += "\(metric.name)\(sample.suffix)\(list) \(number(sample.value))\n"
            }
        }
        return text
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        // Whole numbers without a fraction.
        if value == value.rounded(), value.magnitude < 1e15 { return String(Int64(value)) }
        return "\(value)"
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == 0x5F }
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
            case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
            case "\"" where quotes: escaped.append(contentsOf: "\\\"".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
