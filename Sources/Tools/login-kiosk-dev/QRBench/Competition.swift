// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts

/// Runs decoders over data sets.
///
/// They run side by side, entry by entry, so that a machine whose speed drifts slows all of them.
struct Competition {
    let manifests: [Manifest]
    let contestants: [Contestant]
    /// Receives, after each entry, the symbols that each decoder read of it.
    let onEntry: (ManifestEntry, [(Contestant, [Symbol])]) -> Void

    func run() throws(ManifestError) -> [Contestant: Score] {
        var courses = contestants.map(Course.init)
        for manifest in manifests {
            for entry in manifest.entries {
                let pictures = try FrameFile.pictures(of: entry, in: manifest.folder)
                for index in courses.indices { courses[index].run(pictures, of: entry) }
                onEntry(entry, courses.map { ($0.contestant, $0.symbols) })
            }
        }
        return Dictionary(uniqueKeysWithValues: courses.map { ($0.contestant, $0.finished) })
    }
}

/// One decoder's run through the data sets.
private struct Course {
    /// Number of frames of an empty picture, enough for every pass of a rotating decoder.
    private static let emptyFrames = 24
    /// Number of times that a picture is timed. The shortest time is used, because disturbances only add time.
    private static let repetitions = 3
    /// The time between two frames of a camera.
    private static let frameInterval = Duration.milliseconds(33)

    let contestant: Contestant
    /// The symbols of the last entry.
    private(set) var symbols: [Symbol] = []
    private var score = Score()
    private var pictureTimes: [Double] = []
    private var emptyTimes: [Double] = []

    init(_ contestant: Contestant) { self.contestant = contestant }

    /// - Parameter pictures: one, or the frames of a clip in order.
    mutating func run(_ pictures: [Picture?], of entry: ManifestEntry) {
        symbols = []
        if entry.isSequence {
            show(clip: pictures, of: entry)
        } else if let picture = pictures[0] {
            show(picture, of: entry)
        }
        let verdict = Verdict(symbols, for: entry)
        score.totals.add(verdict, for: entry)
        if !verdict.isMet { score.missed.append(entry.file) }
    }

    var finished: Score {
        var score = score
        if !pictureTimes.isEmpty {
            (score.medianMs, score.p95Ms) = (pictureTimes.percentile(0.5), pictureTimes.percentile(0.95))
        }
        if !emptyTimes.isEmpty { score.emptyMs = emptyTimes.reduce(0, +) / Double(emptyTimes.count) }
        return score
    }

    private mutating func show(_ picture: Picture, of entry: ManifestEntry) {
        var decoder = contestant.decoder(isLive: false)
        var quickest = Double.infinity
        for _ in 0..<Course.repetitions {
            let start = ProcessorClock.milliseconds()
            picture.withFrame(captured: .zero) { symbols = decoder.symbols(in: $0) }
            quickest = min(quickest, ProcessorClock.milliseconds() - start)
        }
        if entry.rule.asksForText { pictureTimes.append(quickest) }
        if entry.rule == .none { stay(on: picture) }
    }

    private mutating func show(clip frames: [Picture?], of entry: ManifestEntry) {
        var decoder = contestant.decoder(isLive: true)
        var sequence = SequenceScore()
        for (index, frame) in frames.enumerated() {
            guard let frame else { continue }
            let found = frame.withFrame(captured: Course.frameInterval * index) { decoder.symbols(in: $0) }
            if Verdict(found, for: entry).isRead {
                sequence.framesRead += 1
                if sequence.lagFrames == nil { sequence.lagFrames = index - (entry.firstDecodable ?? 0) }
            }
            for symbol in found where !symbols.contains(where: { $0.payload == symbol.payload }) {
                symbols.append(symbol)
            }
        }
        score.sequences[entry.file] = sequence
    }

    private mutating func stay(on picture: Picture) {
        var decoder = contestant.decoder(isLive: true)
        let start = ProcessorClock.milliseconds()
        for index in 0..<Course.emptyFrames {
            picture.withFrame(captured: Course.frameInterval * index) { _ = decoder.symbols(in: $0) }
        }
        emptyTimes.append((ProcessorClock.milliseconds() - start) / Double(Course.emptyFrames))
    }
}
