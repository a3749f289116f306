// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Measures the light on a code's corners. A camera's regulation looks at the whole picture, and a phone's screen in
/// a dark hall is small.
enum CornerLight {
    /// A code has three corners; one alone is a picture frame.
    private static let fewest = 2
    /// The most corners that are looked at.
    private static let most = 8
    /// Six tenths of a corner and its rim are light modules.
    private static let whiteShare = 0.4
    private static let darkShare = 0.98
    private static let white: UInt8 = 235
    private static let dark: UInt8 = 60

    /// - Parameter hint: of the picture as a whole.
    static func view(of finders: [FinderSearch.Finder], in frame: borrowing Frame, hint: ScannerHint?) -> CodeView {
        guard finders.count >= fewest else { return .nothing }
        var (bright, dim) = (0, 0)
        for finder in finders.prefix(most) {
            switch light(on: finder, in: frame) {
            case .tooBright: bright += 1
            case .tooDark: dim += 1
            case .right: break
            }
        }
        if bright >= fewest || hint == .tooBright { return .corners(.tooBright) }
        if dim >= fewest || hint == .tooDark { return .corners(.tooDark) }
        return .corners(.right)
    }

    /// Looks at nine modules each way: the corner's seven, and its rim.
    private static func light(on finder: FinderSearch.Finder, in frame: borrowing Frame) -> CodeLight {
        let reach = max(Int(4.5 * finder.module), 1)
        let step = max(reach / 16, 1)
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        var (count, whites, darks) = (0, 0, 0)
        frame.withPixels { pixels in
            var y = max(finder.y - reach, 0)
            while y <= min(finder.y + reach, height - 1) {
                var x = max(finder.x - reach, 0)
                while x <= min(finder.x + reach, width - 1) {
                    let luma = pixels[y * stride + x]
                    count += 1
                    if luma >= white { whites += 1 }
                    if luma < dark { darks += 1 }
                    x += step
                }
                y += step
            }
        }
        if Double(whites) >= whiteShare * Double(count) { return .tooBright }
        return Double(darks) >= darkShare * Double(count) ? .tooDark : .right
    }
}
