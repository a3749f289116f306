// SPDX-License-Identifier: Apache-2.0

// Counters and gauges of a program, and their output for an operator's tools: in the text format of Prometheus, and as
// a word about the program's health. This module does not know what is counted. Labels have cases of a type as values,
// and no texts, so that nothing that a stranger shows makes a new series.

/// A quantity that is counted or measured under one name.
public protocol Metric: Sendable {
    /// `[a-z_]+`, with the unit at its end, and `_total` if it only grows.
    var name: String { get }
    /// A sentence for people.
    var help: String { get }
    var kind: MetricKind { get }
    /// The current samples; none while the value is unknown.
    func samples() -> [MetricSample]
}

public enum MetricKind: String, Sendable {
    case counter, gauge, histogram
}

/// One line of the output.
public struct MetricSample: Sendable, Equatable {
    /// Follows the metric's name, such as `_bucket`.
    var suffix = ""
    var labels: [(name: String, value: String)] = []
    var value: Double

    public init(_ value: Double, labels: [(name: String, value: String)] = []) {
        self.value = value
        self.labels = labels
    }

    init(_ suffix: String, _ value: Double, labels: [(name: String, value: String)] = []) {
        self.init(value, labels: labels)
        self.suffix = suffix
    }

    public static func == (left: MetricSample, right: MetricSample) -> Bool {
        left.suffix == right.suffix && left.value == right.value
            && left.labels.elementsEqual(right.labels) { $0.name == $1.name && $0.value == $1.value }
    }
}

/// A label whose values are the cases of a type.
public protocol MetricLabel: CaseIterable, Hashable, Sendable {
    var metricValue: String { get }
}

extension MetricLabel where Self: RawRepresentable, RawValue == String {
    public var metricValue: String { rawValue }
}
