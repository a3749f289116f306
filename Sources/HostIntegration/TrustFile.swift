// SPDX-License-Identifier: Apache-2.0

import Foundation
public import LinuxSystem
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
        let bytes: [UInt8]
        do throws(FileFault) { bytes = try OwnedFile.read(path, upTo: TrustFile.maximumLength) } catch {
            if error.cause == .missing { return [] }
            throw TrustFileError(.unreadable(error), path: path)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TrustFileError(.notAList, path: path)
        }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // The newline that ends the last line begins no line of its own.
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private func write(_ lines: [Substring]) throws(TrustFileError) {
        let text = lines.map { "\($0)\n" }.joined()
        do throws(FileFault) {
            try OwnedFile.makeDirectory(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
            try OwnedFile.replace(path, with: Array(text.utf8))
        } catch {
            throw TrustFileError(.unwritable(error), path: path)
        }
    }
}

/// What is wrong with the trust list, where, and what to do about it.
public struct TrustFileError: Error, Equatable {
    public enum Cause: Equatable, Sendable {
        case unreadable(FileFault)
        case unwritable(FileFault)
        case notAList
        case malformed(line: Int, TrustEntryError)
    }

    public let cause: Cause
    public let path: String

    init(_ cause: Cause, path: String) {
        self.cause = cause
        self.path = path
    }

    /// What the operator can do.
    public var hint: String {
        switch cause {
        case .unreadable(let fault), .unwritable(let fault): fault.hint
        case .notAList, .malformed: "mend the line, or restore the file"
        }
    }
}

extension TrustFileError: CustomStringConvertible {
    public var description: String {
        switch cause {
        case .unreadable(let fault): "the trust list cannot be read: \(fault)"
        case .unwritable(let fault): "the trust list cannot be written: \(fault)"
        case .notAList: "\(path): this is no trust list: expected UTF-8 text, one [*.]host[:port] a line"
        case .malformed(let line, let error): "\(path):\(line): \(error)"
        }
    }
}
