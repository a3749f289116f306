// SPDX-License-Identifier: Apache-2.0

/// The sum of multiples of many points, which share their doublings (Straus, 1964). The time depends on the scalars,
/// which must not be secret.
struct MultiScalarSum<C: Curve> {
    private struct Term {
        let multiples: SignedWindowTable<C>
        let halves: SplitScalar
    }

    private var terms: [Term] = []

    /// Adds a multiple of a point of the group of order r.
    mutating func add(_ point: ProjectivePoint<C>, times halves: SplitScalar) {
        terms.append(Term(multiples: SignedWindowTable(point), halves: halves))
    }

    var value: ProjectivePoint<C> {
        var result = ProjectivePoint<C>.infinity
        for index in (0..<SplitScalar.windows).reversed() {
            result = result.doubled.doubled.doubled.doubled
            for term in terms {
                let window = term.halves.window(index)
                // The window of a digit that is zero.
                if window.first != 8 { result = result + term.multiples.publicEntry(window.first) }
                if window.second != 8 {
                    result = result + C.endomorphism(term.multiples.publicEntry(window.second))
                }
            }
        }
        return result
    }
}
