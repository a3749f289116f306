// SPDX-License-Identifier: Apache-2.0

/// A buffer of the driver with a frame in it, on its way to the consumer. The consumer gives it back to the stream.
struct CapturedBuffer: Sendable {
    let stream: VideoStream
    let index: Int
    /// How much of it the frame takes, in bytes.
    let count: Int
    let captured: Duration
}
