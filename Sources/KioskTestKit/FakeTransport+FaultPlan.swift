// SPDX-License-Identifier: Apache-2.0

extension FakeTransport {
    /// What goes wrong on the way, decided by a seed, so that a failure can be repeated.
    public struct FaultPlan: Sendable {
        public enum Fault: Sendable, CaseIterable {
            case beforeSending, afterSending, silence
        }

        public let seed: UInt64
        private let faults: [Fault]
        private let oneIn: UInt64
        private var state: UInt64

        /// - Parameters:
        ///   - faults: which ones may happen.
        ///   - oneIn: how many requests there are to one fault, on average.
        public init(seed: UInt64, faults: [Fault] = [.beforeSending, .afterSending], oneIn: UInt64 = 3) {
            self.seed = seed
            self.faults = faults
            self.oneIn = oneIn
            state = seed
        }

        /// The fault of the next request.
        public mutating func next() -> Fault? {
            guard !faults.isEmpty, number() % oneIn == 0 else { return nil }
            return faults[Int(number() % UInt64(faults.count))]
        }

        /// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
        private mutating func number() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
