// SPDX-License-Identifier: Apache-2.0

/// How many passes a frame gets.
public enum ScanEffort: Sendable, Equatable {
    /// One pass a frame, the next one with the next frame, staying with the one that finds: for cameras, where a frame
    /// that was missed is followed by a similar one.
    case onePassPerFrame
    /// Pass after pass until one finds: for pictures, where each frame is shown once.
    case untilFound
}
