// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A data set: a `manifest.json` and the files in its folder.
struct Manifest {
    private struct Content: Decodable {
        var version: Int
        var images: [ManifestEntry]
    }

    static let version = 1
    private static let maximumSize = 64 << 20

    let path: String
    let entries: [ManifestEntry]

    /// The folder of the entries' files.
    var folder: URL { URL(fileURLWithPath: path).deletingLastPathComponent() }

    init(path: String) throws(ManifestError) {
        let json: Data
        do { json = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw ManifestError(
                place: path, problem: "cannot be read (\(error.localizedDescription))",
                remedy: "give the path of a manifest.json")
        }
        try self.init(json: json, path: path)
    }

    init(json: Data, path: String) throws(ManifestError) {
        guard json.count <= Manifest.maximumSize else {
            throw ManifestError(
                place: path, problem: "is larger than \(Manifest.maximumSize >> 20) MiB", remedy: "split the data set")
        }
        let content: Content
        do { content = try JSONDecoder().decode(Content.self, from: json) } catch {
            throw Manifest.described(error, at: path)
        }
        guard content.version == Manifest.version else {
            throw ManifestError(
                place: path, problem: "has version \(content.version)", remedy: "give version \(Manifest.version)")
        }
        guard !content.images.isEmpty else {
            throw ManifestError(place: path, problem: "lists no images", remedy: "add entries to \"images\"")
        }
        for (index, entry) in content.images.enumerated() {
            try entry.check(at: "\(path): images[\(index)] (\(entry.file))")
        }
        self.path = path
        entries = content.images
    }

    private static func described(_ error: any Error, at path: String) -> ManifestError {
        let remedy = "write it as docs/scanner.md describes"
        let context: DecodingError.Context
        var problem = "does not fit"
        switch error as? DecodingError {
        case .keyNotFound(let key, let found)?:
            (context, problem) = (found, "lacks \"\(key.stringValue)\"")
        case .typeMismatch(_, let found)?, .valueNotFound(_, let found)?: context = found
        case .dataCorrupted(let found)?: context = found
        default: return ManifestError(place: path, problem: "is not JSON", remedy: remedy)
        }
        let steps = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        let place = steps.isEmpty ? path : "\(path): \(steps.joined().drop { $0 == "." })"
        if problem == "does not fit" { problem += " (\(context.debugDescription))" }
        return ManifestError(place: place, problem: problem, remedy: remedy)
    }
}

/// The reason why a data set cannot be run: the fault, its place and the remedy.
struct ManifestError: Error, Equatable, CustomStringConvertible {
    let place: String
    let problem: String
    let remedy: String

    var description: String { "\(place): \(problem); \(remedy)" }
}
