// SPDX-License-Identifier: Apache-2.0

/// The result of one decoder.
struct Score: Encodable {
    var totals = Totals()
    /// Processor time for a picture with a code in view: the median.
    var medianMs: Double?
    /// Processor time for a picture with a code in view: the 95th percentile.
    var p95Ms: Double?
    /// Processor time for a camera's frame with nothing in view: the mean.
    var emptyMs: Double?
    /// Peak resident memory of a process with this decoder alone.
    var peakKib: Int?
    /// The results of sequences, by file.
    var sequences: [String: SequenceScore] = [:]
    /// Files that broke their rule, or whose text was not read.
    var missed: [String] = []

    enum CodingKeys: String, CodingKey {
        case totals, sequences, missed
        case medianMs = "median_ms"
        case p95Ms = "p95_ms"
        case emptyMs = "empty_ms"
        case peakKib = "peak_kib"
    }
}

/// The time until a code was read in a clip.
struct SequenceScore: Encodable, Equatable {
    /// Frames from the first that any reference reads to the first that this decoder read; nil when it read none.
    var lagFrames: Int?
    /// Number of frames whose text was read.
    var framesRead = 0

    enum CodingKeys: String, CodingKey {
        case lagFrames = "lag_frames"
        case framesRead = "frames_read"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // Null instead of no member: a clip that was not read must differ from one without a measurement.
        try container.encode(lagFrames, forKey: .lagFrames)
        try container.encode(framesRead, forKey: .framesRead)
    }
}
