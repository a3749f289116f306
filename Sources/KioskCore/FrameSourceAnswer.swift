// SPDX-License-Identifier: Apache-2.0

/// What a frame source had when it was asked for the next frame.
public enum FrameSourceAnswer: Sendable, Equatable {
    /// A frame was lent.
    case lent
    /// No frame came within the limit; ask again.
    case nothing
    /// The last frame of a file or stream has been lent before.
    case ended
}
