// SPDX-License-Identifier: Apache-2.0

extension [Double] {
    /// The sample that `fraction` of them lie below, nearest rank. There must be samples.
    ///
    /// - Parameter fraction: 0...1.
    func percentile(_ fraction: Double) -> Double {
        sorted()[Int((Double(count - 1) * fraction).rounded())]
    }
}
