// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A number that only grows.
public final class Counter: Metric {
    public let name: String
    public let help: String
    public var kind: MetricKind { .counter }
    private let count = Mutex(0.0)

    public init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }

    public var value: Double { count.withLock { $0 } }

    public func add(_ amount: Double = 1) {
        precondition(amount >= 0)
        count.withLock { $0 += amount }
    }

    /// Sets a count of another part. It may begin at 0 again when that part restarts.
    public func set(total: Double) { count.withLock { $0 = total } }

    public func samples() -> [MetricSample] { [MetricSample(value)] }
}

/// Counters, one for each case of a type, all present from the start.
public final class LabelledCounter<Label: MetricLabel>: Metric {
    public let name: String
    public let help: String
    public var kind: MetricKind { .counter }
    private let label: String
    private let counts = Mutex<[Label: Double]>([:])

    public init(_ name: String, label: String, _ help: String) {
        self.name = name
        self.label = label
        self.help = help
    }

    public func add(_ value: Label) { counts.withLock { $0[value, default: 0] += 1 } }

    public subscript(_ value: Label) -> Double { counts.withLock { $0[value] ?? 0 } }

    public func samples() -> [MetricSample] {
        let counts = counts.withLock { $0 }
        return Label.allCases.map { MetricSample(counts[$0] ?? 0, labels: [(label, $0.metricValue)]) }
    }
}

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

/// Counts values up to each of a few bounds, all values, and their sum.
public final class Histogram: Metric {
    public let name: String
    public let help: String
    public var kind: MetricKind { .histogram }
    private let bounds: [Double]
    private let state: Mutex<(counts: [Double], sum: Double)>

    /// - Parameter bounds: ascending.
    public init(_ name: String, bounds: [Double], _ help: String) {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 } && bounds.allSatisfy(\.isFinite))
        self.name = name
        self.help = help
        self.bounds = bounds
        state = Mutex(([Double](repeating: 0, count: bounds.count + 1), 0))
    }

    public func observe(_ value: Double) {
        guard value.isFinite else { return }
        let place = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[place] += 1
            state.sum += value
        }
    }

    /// In seconds.
    public func observe(_ duration: Duration) { observe(duration / .seconds(1)) }

    public func samples() -> [MetricSample] {
        let (counts, sum) = state.withLock { $0 }
        var total = 0.0
        var samples: [MetricSample] = []
        for (bound, count) in zip(bounds + [.infinity], counts) {
            total += count
            samples.append(MetricSample("_bucket", total, labels: [("le", MetricText.number(bound))]))
        }
        return samples + [MetricSample("_sum", sum), MetricSample("_count", total)]
    }
}
