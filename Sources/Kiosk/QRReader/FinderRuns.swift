// SPDX-License-Identifier: Apache-2.0

/// The lengths in pixels of five runs on a line, dark and light in turn.
struct FinderRuns {
    var first = 0
    var second = 0
    var middle = 0
    var fourth = 0
    var last = 0

    var total: Int { first + second + middle + fourth + last }

    /// Appends a run, and drops the first one.
    @inline(__always)
    mutating func append(_ length: Int) {
        (first, second, middle, fourth, last) = (second, middle, fourth, last, length)
    }

    /// Whether they are 1:1:3:1:1. From edge to like edge that is 2:4:4:2, however much light or dark has grown.
    @inline(__always)
    var areOfFinder: Bool {
        guard total >= 7, middle > second, middle > fourth, middle > first, middle > last else { return false }
        return isNear(first + second, 2) && isNear(second + middle, 4) && isNear(middle + fourth, 4)
            && isNear(fourth + last, 2)
    }

    /// Whether a length misses its share of the seven modules by 40 percent of it and a pixel at most.
    private func isNear(_ length: Int, _ modules: Int) -> Bool {
        abs(7 * length - modules * total) * 10 <= modules * total * 4 + 70
    }
}
