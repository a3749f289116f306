// SPDX-License-Identifier: Apache-2.0

/// The scanner's findings about a code in one frame, for a camera that can help to read it.
public enum CodeView: Sendable, Hashable {
    /// No corners of a code are in view.
    case nothing
    /// Corners of a code are in view, and it was not read.
    case corners(CodeLight)
    case read
}

/// The light on a code's corners.
public enum CodeLight: Sendable, Hashable {
    case tooDark
    case right
    case tooBright
}
