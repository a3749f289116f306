// SPDX-License-Identifier: Apache-2.0

/// The lengths in pixels of five runs on a line, black and white in turn.
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
}

/// Goes along a row from edge to edge.
struct RowRuns {
    let y: Int
    /// The last five runs, the newest last.
    private(set) var runs = FinderRuns()
    /// The pixel after them.
    private(set) var end = 0
    /// The pixel to look at next.
    private var x = 0
    /// The colour of the run that begins at ``end``.
    private var isBlack = false

    /// The number of pixels looked at in one step.
    private static let block = 16

    init(y: Int) { self.y = y }

    /// Whether the newest run is black.
    var endsBlack: Bool { !isBlack }

    /// Goes to the end of the next run. The last run ends with the row.
    ///
    /// - Returns: false where no run is left.
    @inline(__always)
    mutating func advance(in picture: BlackAndWhite) -> Bool {
        let (width, block) = (picture.width, RowRuns.block)
        while x <= width {
            if x % block == 0, x + block <= width, picture.isPlain(x, y, black: isBlack) {
                x += block
                continue
            }
            if x == width || picture.isBlack(x, y) != isBlack {
                runs.append(x - end)
                (end, isBlack) = (x, !isBlack)
                x += 1
                return true
            }
            x += 1
        }
        return false
    }
}
