// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import KioskPorts

/// The frames of an entry's file.
enum FrameFile {
    private static let maximumSize = 256 << 20

    /// - Returns: one picture, those of a sequence in order, or nil for a damaged frame, which a camera's driver
    ///   drops too.
    static func pictures(of entry: ManifestEntry, in folder: URL) throws(ManifestError) -> [Picture?] {
        let path = folder.appendingPathComponent(entry.file).path
        let bytes: [UInt8]
        do { bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
            throw ManifestError(
                place: path, problem: "cannot be read (\(error.localizedDescription))",
                remedy: "put the file beside its manifest")
        }
        guard bytes.count <= maximumSize else {
            throw ManifestError(
                place: path, problem: "is larger than \(maximumSize >> 20) MiB", remedy: "give a shorter file")
        }
        if let layout = entry.layout { return [layout.picture(bytes)] }
        guard entry.isSequence else { return [try? Picture(decoding: bytes, from: path)] }
        let frames = MotionJPEG.frames(of: bytes)
        guard !frames.isEmpty else {
            throw ManifestError(
                place: path, problem: "holds no JPEG", remedy: "put JPEGs one behind the other")
        }
        return frames.map { try? Picture(decoding: Array(bytes[$0]), from: path) }
    }
}
