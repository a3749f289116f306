// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts

/// Runs all decoders over all data sets.
struct Competition {
    let manifests: [Manifest]
    let contestants: [Contestant]
    /// Called after each entry with the number of finished entries and of all.
    let onProgress: (Int, Int) -> Void
    /// Told the symbols that each decoder read of each entry.
    var onEntry: ((ManifestEntry, Contestant, [Symbol]) -> Void)?

    func run() throws(ManifestError) -> [Contestant: Score] {
        var courses = contestants.map(Course.init)
        let count = manifests.reduce(0) { $0 + $1.entries.count }
        var done = 0
        for manifest in manifests {
            for entry in manifest.entries {
                let pictures = try FrameFile.pictures(of: entry, in: manifest.folder)
                for index in courses.indices {
                    if entry.isSequence {
                        courses[index].run(clip: pictures, of: entry)
                    } else {
                        courses[index].run(pictures[0], of: entry)
                    }
                    onEntry?(entry, courses[index].contestant, courses[index].symbols)
                }
                done += 1
                onProgress(done, count)
            }
        }
        var scores: [Contestant: Score] = [:]
        for index in courses.indices {
            courses[index].finish()
            scores[courses[index].contestant] = courses[index].score
        }
        return scores
    }
}
