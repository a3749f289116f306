// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Decides when a camera's exposure is varied so that a code is read, and by how much. Its input is the result of the
/// search in each frame, its output the shift for the frames that follow.
///
/// Shifts are in stops around the exposure that the camera's own regulation chose; one stop doubles the light. They
/// alternate between frames for a phone's bright screen and frames for paper. After four rounds the camera's regulation
/// sets the exposure again.
struct ExposureRule: Equatable {
    /// Frames in a row with bad light on a code that was not read, until its exposure is varied: the camera's own
    /// regulation has this long.
    static let delay = 20
    /// Frames with one shift. A camera may apply it three frames late, and a frame gets some of the decoders' passes
    /// only.
    static let hold = 6
    static let rounds = 4
    /// Frames with the regulation after a series that helped nothing.
    static let rest = 150

    private enum Phase: Equatable {
        /// - Parameter frames: in a row with bad light.
        case regulated(frames: Int)
        /// - Parameters:
        ///   - frame: since the exposure was first varied.
        ///   - hasCorners: whether any frame of this round showed corners. Some exposures hide them.
        case varied(CodeLight, frame: Int, hasCorners: Bool)
        case resting(frames: Int)
    }

    private var phase = Phase.regulated(frames: 0)

    /// The shifts of one round.
    static func shifts(for light: CodeLight) -> [Int] {
        switch light {
        case .tooBright: [-2, 1, -3, -1]
        case .tooDark: [2, -2, 3, 1]
        case .right: []
        }
    }

    /// - Returns: the shift for the frames that follow, in stops; nil for the camera's own regulation.
    mutating func next(after view: CodeView) -> Int? {
        switch phase {
        case .regulated(let frames): phase = ExposureRule.regulated(after: view, frames: frames)
        case .varied(let light, let frame, let hasCorners):
            phase = ExposureRule.varied(after: view, light, frame: frame + 1, hasCorners: hasCorners)
        case .resting(let frames):
            phase = frames > 1 ? .resting(frames: frames - 1) : .regulated(frames: 0)
        }
        guard case .varied(let light, let frame, _) = phase else { return nil }
        let shifts = ExposureRule.shifts(for: light)
        return shifts[frame / ExposureRule.hold % shifts.count]
    }

    private static func regulated(after view: CodeView, frames: Int) -> Phase {
        guard case .corners(let light) = view, light != .right else { return .regulated(frames: 0) }
        return frames + 1 < delay ? .regulated(frames: frames + 1) : .varied(light, frame: 0, hasCorners: false)
    }

    private static func varied(after view: CodeView, _ light: CodeLight, frame: Int, hasCorners: Bool) -> Phase {
        if view == .read { return .regulated(frames: 0) }
        let hasCorners = hasCorners || view != .nothing
        let round = hold * shifts(for: light).count
        guard frame.isMultiple(of: round) else { return .varied(light, frame: frame, hasCorners: hasCorners) }
        guard hasCorners else { return .regulated(frames: 0) }
        return frame < rounds * round ? .varied(light, frame: frame, hasCorners: false) : .resting(frames: rest)
    }
}
