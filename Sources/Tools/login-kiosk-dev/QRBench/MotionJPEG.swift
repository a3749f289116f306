// SPDX-License-Identifier: Apache-2.0

/// Consecutive JPEGs.
enum MotionJPEG {
    /// The range of each JPEG: from its start marker to the next start marker after an end marker, or to the end.
    static func frames(of bytes: [UInt8]) -> [Range<Int>] {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return [] }
        var frames: [Range<Int>] = []
        var start = 0
        var index = 2
        while index + 3 < bytes.count {
            if bytes[index] == 0xFF, bytes[index + 1] == 0xD9, bytes[index + 2] == 0xFF, bytes[index + 3] == 0xD8 {
                frames.append(start..<index + 2)
                start = index + 2
                index += 4
            } else {
                index += 1
            }
        }
        return frames + [start..<bytes.count]
    }
}
