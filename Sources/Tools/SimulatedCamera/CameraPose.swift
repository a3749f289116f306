// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The display's position relative to the camera in one frame. Angles are in radians.
struct CameraPose: Sendable {
    /// The picture's side, as a fraction of the frame's height.
    var size: Double
    var yaw: Double
    var pitch: Double
    var roll: Double
    /// The distance of the picture's centre from the frame's, as a fraction of the frame's height.
    var across: Double
    var down: Double

    /// The projection from frame pixels back to the display's plane: three rows of coefficients for (x, y, 1). The
    /// third row divides the other two. The plane's unit is the picture's side, its origin the picture's centre.
    func backProjection(width: Int, height: Int) -> [Double] {
        // A pinhole camera with a focal length of the frame's width. The plane's axes follow yaw, pitch and roll.
        let focal = Double(width)
        let distance = focal / (size * Double(height))
        let (sy, cy, sp, cp, sr, cr) = (sin(yaw), cos(yaw), sin(pitch), cos(pitch), sin(roll), cos(roll))
        let right = (cy * cr + sy * sp * sr, cp * sr, -sy * cr + cy * sp * sr)
        let under = (-cy * sr + sy * sp * cr, cp * cr, sy * sr + cy * sp * cr)
        let shift = (across * Double(height) / focal * distance, down * Double(height) / focal * distance, distance)
        let (centreX, centreY) = (Double(width) / 2, Double(height) / 2)
        let columns = [right, under, shift]
        return CameraPose.inverse(
            columns.map { focal * $0.0 + centreX * $0.2 } + columns.map { focal * $0.1 + centreY * $0.2 }
                + columns.map { $0.2 })
    }

    /// The inverse up to a factor, which does not matter for a projection.
    private static func inverse(_ m: [Double]) -> [Double] {
        [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
    }
}
