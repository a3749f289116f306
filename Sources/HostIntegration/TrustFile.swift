// SPDX-License-Identifier: Apache-2.0

import Foundation
public import LoginValues

/// The trust list as a file: one `[*.]host[:port]` a line, `#` begins a comment.
///
/// Adding and removing keep comments and order, and replace the file in one step, so that a power cut leaves the old list
/// or the new one.
public struct TrustFile: Sendable {
    /// A list longer than this is a mistake, not a list.
    public static let maximumLength = 256 * 1024

    public let path: String

    public init(path: String) { self.path = path }

    /// The entries in file order; a file that is not there is an empty list.
    public func entries() throws(TrustFileError) -> [TrustEntry] {
        var entries: [TrustEntry] = []
        for (index, line) in try lines().enumerated() {
            let text = TrustFile.content(of: line)
            guard !text.isEmpty else { continue }
            do { entries.append(try TrustEntry(text)) } catch {
                throw TrustFileError(.malformed(line: index + 1, error), path: path)
            }
        }
        return entries
    }

    /// - Returns: false when the entry was there already.
    public func add(_ entry: TrustEntry) throws(TrustFileError) -> Bool {
        guard try !entries().contains(entry) else { return false }
        try write(try lines() + ["\(entry)"])
        return true
    }

    /// - Returns: false when there was no such entry.
    public func remove(_ entry: TrustEntry) throws(TrustFileError) -> Bool {
        guard try entries().contains(entry) else { return false }
        try write(try lines().filter { (try? TrustEntry(TrustFile.content(of: $0))) != entry })
        return true
    }

    private static func content(of line: Substring) -> Substring {
        let text = line.prefix { $0 != "#" }
        return Substring(text.trimmingCharacters(in: .whitespaces))
    }

    private func lines() throws(TrustFileError) -> [Substring] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw TrustFileError(.unreadable(error.localizedDescription), path: path)
        }
        guard data.count <= TrustFile.maximumLength, let text = String(data: data, encoding: .utf8) else {
            throw TrustFileError(.notAList, path: path)
        }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // The newline that ends the last line begins no line of its own.
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private func write(_ lines: [Substring]) throws(TrustFileError) {
        let text = lines.map { "\($0)\n" }.joined()
        let file = URL(filePath: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw TrustFileError(.unwritable(error.localizedDescription), path: path)
        }
    }
}

/// What is wrong with the trust list, where, and what to do about it.
public struct TrustFileError: Error, Equatable {
    public enum Cause: Equatable, Sendable {
        case unreadable(String)
        case unwritable(String)
        case notAList
        case malformed(line: Int, TrustEntryError)
    }

    public let cause: Cause
    public let path: String

    init(_ cause: Cause, path: String) {
        self.cause = cause
        self.path = path
    }
}

extension TrustFileError: CustomStringConvertible {
    public var description: String {
        switch cause {
        case .unreadable(let reason): "\(path): cannot read the trust list: \(reason)"
        case .unwritable(let reason): "\(path): cannot write the trust list: \(reason)"
        case .notAList: "\(path): this is no trust list: expected UTF-8 text, one [*.]host[:port] a line"
        case .malformed(let line, let error): "\(path):\(line): \(error)"
        }
    }
}
