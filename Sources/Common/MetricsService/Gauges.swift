// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A number that goes up and down; unknown at first.
public final class Gauge: Metric {
    public let name: String
    public let help: String
    public var kind: MetricKind { .gauge }
    private let read: (@Sendable () -> Double?)?
    private let known = Mutex<Double?>(nil)

    public init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
        read = nil
    }

    /// - Parameter read: called for each request of the metrics; nil when the value is unknown. It must not wait.
    public init(_ name: String, _ help: String, read: @escaping @Sendable () -> Double?) {
        self.name = name
        self.help = help
        self.read = read
    }

    public var value: Double? { read.map { $0() } ?? known.withLock { $0 } }

    public func set(_ value: Double?) { known.withLock { $0 = value } }

    public func samples() -> [MetricSample] { value.map { [MetricSample($0)] } ?? [] }
}

/// The current case of a type: 1 for that case, and 0 for the others.
public final class StateGauge<Label: MetricLabel>: Metric {
    public let name: String
    public let help: String
    public var kind: MetricKind { .gauge }
    private let label: String
    private let known = Mutex<Label?>(nil)

    public init(_ name: String, label: String, _ help: String) {
        self.name = name
        self.label = label
        self.help = help
    }

    public var value: Label? { known.withLock { $0 } }

    public func set(_ value: Label) { known.withLock { $0 = value } }

    public func samples() -> [MetricSample] {
        guard let value else { return [] }
        return Label.allCases.map { MetricSample($0 == value ? 1 : 0, labels: [(label, $0.metricValue)]) }
    }
}

/// One value for each case of a type, and none while it is unknown.
public final class LabelledGauge<Label: MetricLabel>: Metric {
    public let name: String
    public let help: String
    public var kind: MetricKind { .gauge }
    private let label: String
    private let known = Mutex<[Label: Double]>([:])

    public init(_ name: String, label: String, _ help: String) {
        self.name = name
        self.label = label
        self.help = help
    }

    public func set(_ value: Double, for label: Label) { known.withLock { $0[label] = value } }

    public func samples() -> [MetricSample] {
        let known = known.withLock { $0 }
        return Label.allCases.compactMap { value in
            known[value].map { MetricSample($0, labels: [(label, value.metricValue)]) }
        }
    }
}

/// A fact that never changes, as labels: 1.
public struct ConstantLabels: Metric {
    public let name: String
    public let help: String
    public var kind: MetricKind { .gauge }
    private let label: String
    private let value: String

    public init(_ name: String, label: String, value: String, _ help: String) {
        self.name = name
        self.label = label
        self.value = value
        self.help = help
    }

    public func samples() -> [MetricSample] { [MetricSample(1, labels: [(label, value)])] }
}
