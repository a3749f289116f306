// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A frame at full size, at half of it, at a quarter, and so on.
struct Pyramid: ~Copyable {
    private static let most = 5
    /// A longer side that needs no smaller level.
    private static let smallSide = 150
    /// Pixels of the shorter side below which a level shows no symbol: version 1 has 21 modules.
    private static let leastSide = 32
    /// Pixels of a module that are enough to distinguish it from its neighbours.
    private static let plainModule: Float = 3

    private var full = GreyPicture()
    private var half = GreyPicture()
    private var quarter = GreyPicture()
    private var eighth = GreyPicture()
    private var sixteenth = GreyPicture()
    private(set) var levels = 1

    mutating func fill(_ frame: borrowing Frame) {
        full.copy(frame)
        levels = 1
        while levels < Pyramid.most, max(frame.width, frame.height) >> levels >= Pyramid.smallSide,
            min(frame.width, frame.height) >> levels > Pyramid.leastSide
        {
            switch levels {
            case 1: half.halve(full)
            case 2: quarter.halve(half)
            case 3: eighth.halve(quarter)
            default: sixteenth.halve(eighth)
            }
            levels += 1
        }
    }

    subscript(level: Int) -> GreyPicture {
        _read {
            switch level {
            case 0: yield full
            case 1: yield half
            case 2: yield quarter
            case 3: yield eighth
            default: yield sixteenth
            }
        }
    }

    /// The smallest level that shows modules of that many pixels of the frame plainly.
    func level(module: Float) -> Int {
        var level = 0
        while level + 1 < levels, module / Float(1 << (level + 1)) > Pyramid.plainModule { level += 1 }
        return level
    }
}
