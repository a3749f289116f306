// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A frame at full size, at half of it, at a quarter, and so on.
struct Pyramid: ~Copyable {
    static let most = 5
    /// A side that needs no smaller level.
    private static let smallSide = 150

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
            min(frame.width, frame.height) >> levels > 32
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

    /// Pixels of the frame in one of a level.
    func scale(_ level: Int) -> Float { Float(1 << level) }

    /// The level at which modules of that many pixels of the frame are large enough to be told apart, and not larger.
    func level(module: Float) -> Int {
        var level = 0
        while level + 1 < levels, module / scale(level + 1) > 3 { level += 1 }
        return level
    }
}
