// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A picture of more codes than zxing-cpp can separate at once, such as a page of labels: it takes corners of different
/// codes together. Such a picture is read in parts.
enum Crowd {
    /// Corners of codes from which on a picture is a crowd: those of a dozen codes.
    static let fewest = 36

    /// The divisions of the shorter side, from parts for large codes to parts for small ones.
    private static let divisions = [3.0, 4, 6, 8]
    /// The same for a code that is larger than those of the crowd around it.
    private static let largeDivisions = [1.5, 2]
    /// The number of parts that begin within the length of one, so that each code is whole in one of them.
    private static let overlap = 3

    /// The cost of reading all parts, as a share of plain zbar on the whole picture.
    static var cost: Double { Double(divisions.count * overlap * overlap) * ScanPlan.everyFrame.cost }

    static func regions(width: Int, height: Int) -> [Track.Region] {
        regions(width: width, height: height, divisions)
    }

    /// - Returns: parts in which one code may be met beside many others, or beside a pattern, the largest first.
    static func largeRegions(width: Int, height: Int) -> [Track.Region] {
        regions(width: width, height: height, largeDivisions)
    }

    private static func regions(width: Int, height: Int, _ divisions: [Double]) -> [Track.Region] {
        divisions.flatMap { division in
            let side = max(Int(Double(min(width, height)) / division), overlap)
            return starts(in: height, of: side).flatMap { y in
                starts(in: width, of: side).map { x in
                    Track.Region(x: x, y: y, width: min(side, width - x), height: min(side, height - y))
                }
            }
        }
    }

    /// The beginnings of parts of that length; the last part ends with the picture.
    private static func starts(in length: Int, of side: Int) -> [Int] {
        Array(stride(from: 0, to: max(length - side, 0), by: side / overlap)) + [max(length - side, 0)]
    }
}
