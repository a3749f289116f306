// SPDX-License-Identifier: Apache-2.0

public import LinuxSystem
public import LoginValues

/// The trust list as a file: one service a line (``TrustLine``), `#` begins a comment.
///
/// Adding and removing keep comments and order, and replace the file in one step, so that a power cut leaves the old
/// list or the new one. If two commands change it at once, one waits for the other.
public struct TrustFile: Sendable {
    /// A longer list is a mistake, not a list.
    public static let maximumLength = 256 * 1024

    public let path: String

    public init(path: String) { self.path = path }

    /// The services in file order. A missing file is an empty list.
    public func services() throws(TrustFileError) -> [TrustLine] { try services(in: try lines()) }

    /// The services of a list that is not in a file yet.
    func services(of text: String) throws(TrustFileError) -> [TrustLine] {
        guard text.utf8.count <= TrustFile.maximumLength else { throw TrustFileError(.notAList, path: path) }
        return try services(in: try split(text))
    }

    private func services(in lines: [Substring]) throws(TrustFileError) -> [TrustLine] {
        var services: [TrustLine] = []
        for (index, line) in lines.enumerated() {
            let text = TrustFile.content(of: line)
            guard !text.isEmpty else { continue }
            do { services.append(try TrustLine(text)) } catch {
                throw TrustFileError(.malformed(line: index + 1, error), path: path)
            }
        }
        return services
    }

    /// Adds a service. If it exists, adds further targets and pins to it.
    ///
    /// - Returns: false when all of it existed already.
    public func add(_ service: TrustLine) throws(TrustFileError) -> Bool {
        let lock = try lock()
        defer { lock.release() }
        let known = try services().filter { $0.entry == service.entry }
        guard let first = known.first else {
            try write(try lines() + ["\(service)"])
            return true
        }
        var changed = first
        var all = first
        do throws(TrustEntryError) {
            for line in known { try all.add(line) }
            guard !all.contains(service) else { return false }
            try all.add(service)
            try changed.add(service)
        } catch {
            throw TrustFileError(.full(service.entry, error), path: path)
        }
        var isAdded = false
        try write(
            try lines().map { line in
                guard !isAdded, TrustFile.service(in: line) == first else { return line }
                isAdded = true
                return TrustFile.replacing(line, with: changed)
            })
        return true
    }

    /// Removes a service with its whole line; if it has pins or targets, removes only those.
    ///
    /// - Returns: false when none of it existed.
    public func remove(_ service: TrustLine) throws(TrustFileError) -> Bool {
        // A missing directory has no lock.
        guard try services().contains(where: { $0.entry == service.entry }) else { return false }
        let lock = try lock()
        defer { lock.release() }
        let known = try services().filter { $0.entry == service.entry }
        guard known.contains(where: { $0.contains(service) }) else { return false }
        try write(
            try lines().compactMap { line in
                guard var changed = TrustFile.service(in: line), changed.entry == service.entry else { return line }
                guard !service.isBare else { return nil }
                let before = changed
                changed.remove(service)
                return changed == before ? line : TrustFile.replacing(line, with: changed)
            })
        return true
    }

    private static func content(of line: Substring) -> Substring {
        // Splits scalars: a `#` with an accent begins a comment too.
        let text = line.unicodeScalars.prefix { $0 != "#" }
        return text.contains { $0 != " " && $0 != "\t" } ? Substring(text) : ""
    }

    private static func service(in line: Substring) -> TrustLine? { try? TrustLine(content(of: line)) }

    /// The line with a new entry and its old comment.
    private static func replacing(_ line: Substring, with service: TrustLine) -> Substring {
        let comment = Substring(line.unicodeScalars.drop { $0 != "#" })
        return Substring(comment.isEmpty ? "\(service)" : "\(service)  \(comment)")
    }

    private func lines() throws(TrustFileError) -> [Substring] {
        let bytes: [UInt8]?
        do throws(FileFault) { bytes = try OwnedFile.find(path)?.read(upTo: TrustFile.maximumLength) } catch {
            throw TrustFileError(.unreadable(error), path: path)
        }
        guard let bytes else { return [] }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TrustFileError(.notAList, path: path)
        }
        return try split(text)
    }

    private func split(_ text: String) throws(TrustFileError) -> [Substring] {
        do throws(TextLines.ControlCharacter) { return try TextLines.split(text) } catch {
            throw TrustFileError(.controlCharacter(line: error.line, "\(error)"), path: path)
        }
    }

    private func lock() throws(TrustFileError) -> FileLock {
        do throws(FileFault) {
            try OwnedFile.makeDirectory(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
            return try FileLock(path)
        } catch { throw TrustFileError(.unwritable(error), path: path) }
    }

    private func write(_ lines: [Substring]) throws(TrustFileError) {
        let text = lines.map { "\($0)\n" }.joined()
        do throws(FileFault) { try OwnedFile.replace(path, with: Array(text.utf8)) } catch {
            throw TrustFileError(.unwritable(error), path: path)
        }
    }
}

/// A fault in the trust list, with its place and a remedy.
public struct TrustFileError: Error, Equatable {
    public enum Cause: Equatable, Sendable {
        case unreadable(FileFault)
        case unwritable(FileFault)
        case notAList
        case malformed(line: Int, TrustEntryError)
        /// The text names the character.
        case controlCharacter(line: Int, String)
        /// The line of a service has no room for another entry.
        case full(TrustEntry, TrustEntryError)
    }

    public let cause: Cause
    public let path: String

    init(_ cause: Cause, path: String) {
        self.cause = cause
        self.path = path
    }

    /// The remedy for the operator.
    public var hint: String {
        switch cause {
        case .unreadable(let fault), .unwritable(let fault): fault.hint
        case .notAList, .controlCharacter: "correct the line, or restore the file"
        case .malformed(_, let error): "correct the line, or restore the file" + (error.hint.map { "; \($0)" } ?? "")
        case .full(_, let error): error.hint ?? "remove something of it first"
        }
    }
}

extension TrustFileError: CustomStringConvertible {
    public var description: String {
        switch cause {
        case .unreadable(let fault): "the trust list cannot be read: \(fault)"
        case .unwritable(let fault): "the trust list cannot be written: \(fault)"
        case .notAList: "\(path): this is not a trust list: expected UTF-8 text, one [*.]host[:port] a line"
        case .malformed(let line, let error): "\(path):\(line): \(error)"
        case .controlCharacter(let line, let problem): "\(path):\(line): \(problem)"
        case .full(let service, let error): "\(path): \(service): \(error)"
        }
    }
}
