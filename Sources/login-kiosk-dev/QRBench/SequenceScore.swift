// SPDX-License-Identifier: Apache-2.0

/// How soon a code was read on a clip.
struct SequenceScore: Encodable, Equatable {
    /// Frames from the first that any reference reads to the first that this decoder read; nil when it read none.
    var lagFrames: Int?
    /// Frames of which the text was read.
    var framesRead = 0

    enum CodingKeys: String, CodingKey {
        case lagFrames = "lag_frames"
        case framesRead = "frames_read"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // Null rather than no key: a clip that was not read must not look like one without a figure.
        try container.encode(lagFrames, forKey: .lagFrames)
        try container.encode(framesRead, forKey: .framesRead)
    }
}
