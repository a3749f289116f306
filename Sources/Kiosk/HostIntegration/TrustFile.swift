// SPDX-License-Identifier: Apache-2.0

public import LinuxSystem
public import LoginValues

/// The trust list as a file: one service a line (``TrustLine``), `#` begins a comment.
///
/// Adding and removing keep comments and order, and replace the file in one step, so that a power cut leaves the old
/// list or the new one. Of two commands that change it at once, one waits for the other.
public struct TrustFile: Sendable {
    /// A list longer than this is a mistake, not a list.
    public static let maximumLength = 256 * 1024

    public let path: String

    public init(path: String) { self.path = path }

    /// The services in file order; a file that is not there is an empty list.
    public func services() throws(TrustFileError) -> [TrustLine] { try services(in: try lines()) }

    /// The services of a list that is no file yet.
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

    /// Adds a service, or to a service that is there what else it may use and which keys its hosts may have.
    ///
    /// - Returns: false when all of it was there already.
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

    /// Removes a service with all that stands in its line; where pins or an arrow are given, only those.
    ///
    /// - Returns: false when there was nothing of it.
    public func remove(_ service: TrustLine) throws(TrustFileError) -> Bool {
        // In a directory that is missing there is nothing to lock.
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
        // By scalars: a sign with an accent begins a comment, too.
        let text = line.unicodeScalars.prefix { $0 != "#" }
        return text.contains { $0 != " " && $0 != "\t" } ? Substring(text) : ""
    }

    private static func service(in line: Substring) -> TrustLine? { try? TrustLine(content(of: line)) }

    /// The line with another content and its own comment.
    private static func replacing(_ line: Substring, with service: TrustLine) -> Substring {
        let comment = Substring(line.unicodeScalars.drop { $0 != "#" })
        return Substring(comment.isEmpty ? "\(service)" : "\(service)  \(comment)")
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
        /// Its text says which.
        case controlCharacter(line: Int, String)
        /// The line of a service has no room for the entry that was to be added.
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
        case .notAList, .controlCharacter: "mend the line, or restore the file"
        case .malformed(_, let error): "mend the line, or restore the file" + (error.hint.map { "; \($0)" } ?? "")
        case .full(_, let error): error.hint ?? "remove something of it first"
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
        case .controlCharacter(let line, let problem): "\(path):\(line): \(problem)"
        case .full(let service, let error): "\(path): \(service): \(error)"
        }
    }
}
