// SPDX-License-Identifier: Apache-2.0

import Patience

extension FakeTransport {
    /// A plan of network faults. A seed determines them, so that a failure can be repeated.
    public struct FaultPlan: Sendable {
        public enum Fault: Sendable, CaseIterable {
            case beforeSending, afterSending, silence
        }

        public let seed: UInt64
        private let faults: [Fault]
        private let oneIn: UInt64
        private var random: SplitMix64

        /// - Parameters:
        ///   - faults: the possible faults.
        ///   - oneIn: average number of requests per fault.
        public init(seed: UInt64, faults: [Fault] = [.beforeSending, .afterSending], oneIn: UInt64 = 3) {
            self.seed = seed
            self.faults = faults
            self.oneIn = oneIn
            random = SplitMix64(seed: seed)
        }

        /// The fault of the next request.
        public mutating func next() -> Fault? {
            guard !faults.isEmpty, random.next() % oneIn == 0 else { return nil }
            return faults[Int(random.next() % UInt64(faults.count))]
        }
    }
}
