// SPDX-License-Identifier: Apache-2.0

/// What ended a wait for a camera.
enum VideoEvent: Sendable, Equatable {
    case frame
    /// The driver reports an error, as it does when the camera was unplugged.
    case error
    case order
    case timeout
}
