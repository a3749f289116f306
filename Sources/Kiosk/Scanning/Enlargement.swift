// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Trebles a small picture, pixel for pixel, and lays it on white: for a code of hardly more than a pixel a module that
/// fills the picture to its edges.
enum Enlargement {
    /// Larger pictures are not worth it.
    static let largestSide = 480

    static let factor = 3
    static let margin = 24

    static func apply(_ frame: borrowing Frame, to target: LumaBuffer) {
        let (width, height, stride) = (
            frame.width * factor + 2 * margin, frame.height * factor + 2 * margin, frame.stride
        )
        let (sourceWidth, sourceHeight) = (frame.width, frame.height)
        target.resize(width: width, height: height)
        frame.withPixels { source in
            target.withPixels { target in
                for index in 0..<width * height { target[index] = 255 }
                for y in 0..<sourceHeight * factor {
                    let row = (y + margin) * width + margin
                    let from = y / factor * stride
                    for x in 0..<sourceWidth * factor { target[row + x] = source[from + x / factor] }
                }
            }
        }
    }
}
