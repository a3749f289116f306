// SPDX-License-Identifier: Apache-2.0

import Synchronization

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
