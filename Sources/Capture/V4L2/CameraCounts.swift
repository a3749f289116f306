// SPDX-License-Identifier: Apache-2.0

/// What a camera did since it was opened first.
public struct CameraCounts: Sendable, Equatable {
    /// Frames that a newer one replaced before they were asked for.
    public var replaced: UInt64 = 0
    /// Frames that the driver lost, told by gaps in its numbers.
    public var missed: UInt64 = 0
    /// Frames that were cut off or damaged.
    public var damaged: UInt64 = 0
    /// How often the camera was opened again, after it had gone or was silent.
    public var reopened: UInt64 = 0
}
