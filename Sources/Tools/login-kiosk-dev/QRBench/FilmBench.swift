// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import KioskPorts
import Scanning

/// Counts the hard films that are read: those of which no frame alone gives a text.
struct FilmBench {
    struct Tally: Encodable {
        /// Films of which no frame alone gives a text.
        var hard = 0
        /// Hard films that were read.
        var read = 0
        /// Films of which frames alone are read at every strength.
        var easy = 0
        /// Texts that are not in the picture, of frames alone and of films.
        var wrong = 0
    }

    let manifests: [Manifest]
    /// The number of pictures that are filmed, evenly spread over the data sets.
    let count: Int
    /// Told of each film its strength, and the frame in which it was read.
    let onFilm: (ManifestEntry, HardFilm.Kind, Int, Int?) -> Void

    /// - Returns: the counts by `photographs` or `drawn`, and by kind of film.
    func run() throws(ManifestError) -> [String: [String: Tally]] {
        var tallies: [String: [String: Tally]] = [:]
        let all = manifests.flatMap { manifest in
            manifest.entries.filter { $0.rule == .text && !$0.isSequence }.map { (manifest.folder, $0) }
        }
        for number in all.indices where number * count / all.count != (number + 1) * count / all.count {
            let (folder, entry) = all[number]
            guard let picture = try FrameFile.pictures(of: entry, in: folder)[0],
                let subject = FilmBench.subject(of: picture, entry)
            else { continue }
            for kind in HardFilm.Kind.allCases {
                let group = entry.isPhotograph ? "photographs" : "drawn"
                var tally = tallies[group]?[kind.rawValue] ?? Tally()
                run(subject, entry, kind, seed: UInt64(number), &tally)
                tallies[group, default: [:]][kind.rawValue] = tally
            }
        }
        return tallies
    }

    /// - Returns: nil when the expected text is not read.
    private static func subject(of picture: Picture, _ entry: ManifestEntry) -> FilmSubject? {
        var scanner = Scanner(effort: .untilFound)
        let symbols = picture.withFrame(captured: .zero) { scanner.symbols(in: $0) }
        return symbols.first { Verdict([$0], for: entry).isRead }.map { FilmSubject(picture, $0.sighting) }
    }

    /// Films with the least strength, found by bisection, at which no frame alone is read.
    private func run(
        _ subject: FilmSubject, _ entry: ManifestEntry, _ kind: HardFilm.Kind, seed: UInt64, _ tally: inout Tally
    ) {
        var (read, unread) = (0, HardFilm.strengths.upperBound + 1)
        while unread - read > 1 {
            let middle = (read + unread) / 2
            if isReadAlone(HardFilm(subject, kind, strength: middle, seed: seed), entry, &tally) {
                read = middle
            } else {
                unread = middle
            }
        }
        guard HardFilm.strengths.contains(unread) else { return tally.easy += 1 }
        let film = HardFilm(subject, kind, strength: unread, seed: seed)
        tally.hard += 1
        let frame = frameRead(film, entry, &tally)
        if frame != nil { tally.read += 1 }
        onFilm(entry, kind, unread, frame)
    }

    private func isReadAlone(_ film: HardFilm, _ entry: ManifestEntry, _ tally: inout Tally) -> Bool {
        for number in 0..<HardFilm.frameCount {
            var scanner = Scanner(effort: .untilFound)
            let symbols = film.frame(number).withFrame(captured: .zero) { scanner.symbols(in: $0) }
            guard !symbols.isEmpty else { continue }
            tally.wrong += Verdict(symbols, for: entry).wrong
            return true
        }
        return false
    }

    private func frameRead(_ film: HardFilm, _ entry: ManifestEntry, _ tally: inout Tally) -> Int? {
        var scanner = Scanner(effort: .withinBudget)
        for number in 0..<HardFilm.frameCount {
            let instant = Duration.milliseconds(33 * number)
            let symbols = film.frame(number).withFrame(captured: instant) { scanner.symbols(in: $0) }
            let verdict = Verdict(symbols, for: entry)
            tally.wrong += verdict.wrong
            if verdict.isRead { return number }
        }
        return nil
    }

    static func table(_ tallies: [String: [String: Tally]]) -> String {
        var lines: [String] = []
        for (group, kinds) in tallies.sorted(by: { $0.key < $1.key }) {
            var all = Tally()
            for (kind, tally) in kinds.sorted(by: { $0.key < $1.key }) {
                lines.append("\(group) \(kind): \(text(tally))")
                (all.hard, all.read) = (all.hard + tally.hard, all.read + tally.read)
                (all.easy, all.wrong) = (all.easy + tally.easy, all.wrong + tally.wrong)
            }
            lines.append("\(group): \(text(all))")
        }
        return lines.joined(separator: "\n")
    }

    private static func text(_ tally: Tally) -> String {
        "\(tally.read) of \(tally.hard) hard films read, \(tally.easy) too easy, \(tally.wrong) wrong texts"
    }
}
