// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts

/// One decoder's run through the data sets.
///
/// All decoders run side by side, entry by entry, so that a machine whose speed drifts slows all of them.
struct Course {
    /// Number of frames of an empty picture, enough for every pass of a rotating decoder.
    private static let emptyFrames = 24
    /// Number of times that a picture is timed. The quickest counts, because any disturbance only slows.
    private static let repetitions = 3

    let contestant: Contestant
    private(set) var score = Score()
    /// The symbols of the last entry.
    private(set) var symbols: [Symbol] = []
    private var pictureTimes: [Double] = []
    private var emptyTimes: [Double] = []

    init(_ contestant: Contestant) { self.contestant = contestant }

    /// Decodes an independent picture.
    mutating func run(_ picture: Picture?, of entry: ManifestEntry) {
        symbols = []
        guard let picture else { return add(Verdict([], for: entry), for: entry) }
        var decoder = contestant.decoder(isLive: false)
        var quickest = Double.infinity
        for _ in 0..<Course.repetitions {
            let start = ProcessorClock.milliseconds()
            picture.withFrame(captured: .zero) { symbols = decoder.symbols(in: $0) }
            quickest = min(quickest, ProcessorClock.milliseconds() - start)
        }
        add(Verdict(symbols, for: entry), for: entry)
        if entry.rule.asksForText { pictureTimes.append(quickest) }
        if entry.rule == .none { stay(on: picture) }
    }

    /// Decodes the frames of a clip, in order.
    mutating func run(clip frames: [Picture?], of entry: ManifestEntry) {
        var decoder = contestant.decoder(isLive: true)
        var sequence = SequenceScore()
        var all: [Symbol] = []
        for (index, frame) in frames.enumerated() {
            guard let frame else { continue }
            let instant = Duration.milliseconds(33 * index)
            let symbols = frame.withFrame(captured: instant) { decoder.symbols(in: $0) }
            if Verdict(symbols, for: entry).isRead {
                sequence.framesRead += 1
                if sequence.lagFrames == nil { sequence.lagFrames = index - (entry.firstDecodable ?? 0) }
            }
            for symbol in symbols where !all.contains(where: { $0.payload == symbol.payload }) { all.append(symbol) }
        }
        score.sequences[entry.file] = sequence
        symbols = all
        add(Verdict(all, for: entry), for: entry)
    }

    mutating func finish() {
        pictureTimes.sort()
        score.medianMs = Course.quantile(0.5, of: pictureTimes)
        score.p95Ms = Course.quantile(0.95, of: pictureTimes)
        score.emptyMs = emptyTimes.isEmpty ? nil : emptyTimes.reduce(0, +) / Double(emptyTimes.count)
    }

    private mutating func stay(on picture: Picture) {
        var decoder = contestant.decoder(isLive: true)
        let start = ProcessorClock.milliseconds()
        for index in 0..<Course.emptyFrames {
            picture.withFrame(captured: .milliseconds(33 * index)) { _ = decoder.symbols(in: $0) }
        }
        emptyTimes.append((ProcessorClock.milliseconds() - start) / Double(Course.emptyFrames))
    }

    private mutating func add(_ verdict: Verdict, for entry: ManifestEntry) {
        score.totals.add(verdict, for: entry)
        if !verdict.isMet { score.missed.append(entry.file) }
    }

    /// - Parameter times: sorted.
    private static func quantile(_ share: Double, of times: [Double]) -> Double? {
        times.isEmpty ? nil : times[min(Int(Double(times.count) * share), times.count - 1)]
    }
}
