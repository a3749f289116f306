// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Order of a picture's rows. A camera for television takes a picture in two fields of every second row. The second
/// field is a fiftieth or a sixtieth of a second younger, so that moving things are in another place there.
enum Fields: Sendable, Equatable {
    /// All rows are of one instant.
    case together
    /// The rows of one field alone.
    case alone
    /// The rows of the two fields alternate.
    case woven
    /// The rows of one field above those of the other.
    case stacked

    /// Makes a whole picture of the first field: a row that is missing is the mean of its neighbours.
    ///
    /// - Parameter spare: memory that is used again and again.
    func complete(_ picture: inout FrameBuffer, with spare: inout FrameBuffer) {
        let (width, height) = (picture.width, picture.height)
        let step = self == .woven ? 2 : 1
        let rows = self == .alone ? height : height / 2
        guard self != .together, rows > 0, 2 * rows <= Frame.maximumSide else { return }
        spare.resize(width, 2 * rows)
        spare.captured = picture.captured
        Fields.double(picture, rows: rows, step: step, into: &spare)
        swap(&picture, &spare)
    }

    /// - Parameters:
    ///   - rows: of the field.
    ///   - step: from a row of the field to the next, in rows of the picture.
    private static func double(_ picture: FrameBuffer, rows: Int, step: Int, into whole: inout FrameBuffer) {
        // Without checks of bounds: with them a copy would take longer than the search for codes.
        let width = picture.width
        let source = picture.pixels.span
        var target = whole.pixels.mutableSpan
        for row in 0..<rows {
            let upper = row * step * width
            // Safe: the last row has no neighbour below.
            let lower = row + 1 < rows ? upper + step * width : upper
            let start = 2 * row * width
            for x in 0..<width {
                let (above, below) = unsafe (source[unchecked: upper + x], source[unchecked: lower + x])
                unsafe target[unchecked: start + x] = above
                unsafe target[unchecked: start + width + x] = UInt8((UInt16(above) + UInt16(below) + 1) / 2)
            }
        }
    }
}
