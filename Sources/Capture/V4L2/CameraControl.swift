// SPDX-License-Identifier: Apache-2.0

/// A setting of a camera that its driver offers.
public struct CameraControl: Sendable, Equatable {
    let id: UInt32
    /// In lower case with `_` between the words, such as `exposure_time_absolute`.
    public let name: String
    public let minimum: Int32
    public let maximum: Int32
    public let standard: Int32
    /// As it is set now; nil when the driver does not tell.
    public let value: Int32?
}
