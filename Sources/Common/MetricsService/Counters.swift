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
