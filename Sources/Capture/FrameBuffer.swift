// SPDX-License-Identifier: Apache-2.0

/// A frame's pixels in memory of our own, used again and again.
struct FrameBuffer {
    var width = 0
    var height = 0
    var captured = Duration.zero
    var pixels: [UInt8] = []
}
