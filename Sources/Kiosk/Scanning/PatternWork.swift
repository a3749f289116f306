// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Bounds the work of zxing-cpp in one frame. The library tries each set of three finder patterns, so that its work
/// grows with the cube of their number.
struct PatternWork {
    /// Most finder patterns of a picture that zxing-cpp gets.
    static let mostFinders = 60

    /// The most sets that it gets in all passes together.
    let mostSets: Int
    /// The sets that it got.
    private(set) var sets = 0
    /// Whether a picture of the frame was refused because it shows too many finder patterns.
    private(set) var isCrowded = false
    /// The changes between black and white, as a share of the pixels: 0.5 in noise.
    private(set) var density = 0.0

    init(mostSets: Int) { self.mostSets = mostSets }

    /// Counts the finder patterns of a black and white picture.
    ///
    /// - Returns: whether zxing-cpp may have the picture.
    mutating func admits(_ picture: borrowing Frame) -> Bool {
        let (count, density) = FinderSearch.count(in: picture, atMost: PatternWork.mostFinders + 1)
        self.density = max(self.density, density)
        let added = count * (count - 1) * (count - 2) / 6
        guard count <= PatternWork.mostFinders, sets + added <= mostSets else {
            isCrowded = true
            return false
        }
        sets += added
        return true
    }
}
