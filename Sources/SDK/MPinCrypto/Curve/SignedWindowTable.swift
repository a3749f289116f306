// SPDX-License-Identifier: Apache-2.0

/// The multiples of a point by 0 ... 8. With their negatives they serve windows of four bits. A lookup reads all
/// entries.
struct SignedWindowTable<C: Curve> {
    private var multiples: InlineArray<9, ProjectivePoint<C>>

    init(_ point: ProjectivePoint<C>) {
        multiples = InlineArray(repeating: .infinity)
        multiples[1] = point
        for index in 2...8 {
            multiples[index] = index % 2 == 0 ? multiples[index / 2].doubled : multiples[index - 1] + point
        }
    }

    /// The multiple by `window` - 8, for a window in 0 ..< 16.
    @inline(__always)
    func entry(_ window: UInt64) -> ProjectivePoint<C> {
        let isNegative = (window &>> 3) &- 1
        let magnitude = ((window &- 8) ^ isNegative) &- isNegative
        var chosen = multiples[0]
        for index in 1...8 {
            chosen = .select(maskIfEqual(magnitude, UInt64(index)), multiples[index], chosen)
        }
        chosen.y = .select(isNegative, -chosen.y, chosen.y)
        return chosen
    }

    /// Returns the same entry faster, for a window that is not a secret.
    @inline(__always)
    func publicEntry(_ window: UInt64) -> ProjectivePoint<C> {
        window < 8 ? -multiples[Int(8 - window)] : multiples[Int(window - 8)]
    }
}
