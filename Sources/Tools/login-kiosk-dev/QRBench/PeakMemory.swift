// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import KioskPorts
import Scanning

/// The peak memory of a decoder. A process of its own measures it, because memory that a process once used cannot be
/// attributed to a decoder.
enum PeakMemory {
    /// - Returns: KiB; nil when the process failed.
    static func measured(of contestant: Contestant, manifests: [String]) -> Int? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["qrbench", "--peak-memory-of", contestant.rawValue] + manifests
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return Int(String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// The peak memory of this process, which was started for the measurement.
    static func ofThisProcess(with contestant: Contestant, over manifests: [Manifest]) throws(ManifestError) -> Int {
        for manifest in manifests {
            for entry in manifest.entries where !entry.isSequence {
                guard let picture = try FrameFile.pictures(of: entry, in: manifest.folder)[0] else { continue }
                var decoder = contestant.decoder(isLive: false)
                picture.withFrame(captured: .zero) { _ = decoder.symbols(in: $0) }
            }
        }
        // Not getrusage, whose value begins with that of the parent process.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
