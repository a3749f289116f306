// SPDX-License-Identifier: Apache-2.0

/// The result that one decoder reached.
struct Score: Encodable {
    var totals = Totals()
    /// Processor time for a picture with a code in view: the middle one of all.
    var medianMs: Double?
    /// The same, of which 95 per cent are not slower.
    var p95Ms: Double?
    /// Processor time for a frame with nothing in view, as frames of a camera come: the mean.
    var emptyMs: Double?
    /// The most memory that a process with this decoder alone had resident.
    var peakKib: Int?
    /// By file.
    var sequences: [String: SequenceScore] = [:]
    /// Files whose rule is not met, or whose text was not read.
    var missed: [String] = []

    enum CodingKeys: String, CodingKey {
        case totals, sequences, missed
        case medianMs = "median_ms"
        case p95Ms = "p95_ms"
        case emptyMs = "empty_ms"
        case peakKib = "peak_kib"
    }
}

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
