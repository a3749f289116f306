// SPDX-License-Identifier: Apache-2.0

/// What happened at a matrix of keys.
public enum MatrixEvent: Hashable, Sendable {
    case pressed(MatrixPosition)
    /// Still down after ``MatrixTiming/hold``, alone; once a press.
    case held(MatrixPosition)
    case released(MatrixPosition)
    /// Several keys at once: none of them counts, until all are released.
    case refused
    /// Down for ``MatrixTiming/stuck``: from here on it is no longer heard, and the others are.
    case stuck(MatrixPosition)
    /// A stuck key was released.
    case freed(MatrixPosition)
}
