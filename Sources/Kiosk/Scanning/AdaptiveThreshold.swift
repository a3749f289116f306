// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Makes a picture black and white: a pixel is black when it is darker than the mean of the window around it by more
/// than the offset. Uneven light and washed-out displays lose their hold by that.
///
/// The window is cut off at the picture's edges. Sums are carried along, so that the work does not depend
/// on the window.
struct AdaptiveThreshold {
    /// The luma by which a black pixel is darker than the mean. The noise of an even area stays white.
    static let offset = 5

    private var sums = ColumnSums()

    /// - Parameter isInverted: whether what is lighter than its surroundings becomes black.
    mutating func apply(
        _ frame: borrowing Frame, window: ScanPass.Window, isInverted: Bool = false, to target: LumaBuffer
    ) {
        let (width, height, stride, reach) = (frame.width, frame.height, frame.stride, window.reach)
        target.resize(width: width, height: height)
        sums.begin(width: width)
        frame.withPixels { source in
            target.withPixels { target in
                for y in 0..<min(reach, height) { sums.add(source, rowAt: y * stride) }
                for y in 0..<height {
                    if y + reach < height { sums.add(source, rowAt: (y + reach) * stride) }
                    if y > reach { sums.subtract(source, rowAt: (y - reach - 1) * stride) }
                    sums.accumulate()
                    let rows = min(y + reach, height - 1) - max(y - reach, 0) + 1
                    let line = Line(
                        source: y * stride, target: y * width, width: width, reach: reach, rows: rows,
                        isInverted: isInverted)
                    line.compare(source, by: sums.left.span, to: &target)
                }
            }
        }
    }
}
