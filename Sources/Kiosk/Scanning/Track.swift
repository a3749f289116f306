// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The place where a code was last read, and the pass that read it: the next frame of a camera is searched there first.
struct Track {
    /// Frames in a row that are searched only in part. After them the whole frame is searched, to find other codes.
    static let longestRun = 5
    /// Frames without the code after which it is lost.
    static let patience = 3

    let pass: ScanPass
    let sighting: SymbolSighting
    var run = 0
    var misses = 0

    init(_ pass: ScanPass, _ sighting: SymbolSighting) {
        self.pass = pass
        self.sighting = sighting
    }

    /// A part of a frame in pixels.
    struct Region: Equatable { var x: Int, y: Int, width: Int, height: Int }

    /// The code with as much again around it, for its quiet zone and a hand's movement.
    func region(width: Int, height: Int) -> Region {
        let reach = sighting.edge + 16
        let (left, top) = (max(sighting.centreX - reach, 0), max(sighting.centreY - reach, 0))
        let (right, bottom) = (min(sighting.centreX + reach, width), min(sighting.centreY + reach, height))
        return Region(x: left, y: top, width: right - left, height: bottom - top)
    }
}

extension Frame {
    /// Lends a part of the frame.
    borrowing func withRegion<Result>(_ region: Track.Region, _ body: (borrowing Frame) -> Result) -> Result {
        let start = region.y * stride + region.x
        let count = (region.height - 1) * stride + region.width
        // Safe: the region lies within the frame, and its pixels live as long as the frame does.
        return unsafe withUnsafePixels { pixels in
            unsafe body(
                Frame(
                    borrowing: UnsafeBufferPointer(rebasing: pixels[start..<start + count]), width: region.width,
                    height: region.height, stride: stride, captured: captured))
        }
    }
}
