// SPDX-License-Identifier: Apache-2.0

import Glibc
public import LinuxSystem

/// Reads an audit log from its directory, the oldest line first, also while it is written. It reads files of any length
/// in pieces.
public struct AuditReader: Sendable {
    /// A line in a file.
    public struct Line: Sendable {
        public let file: String
        /// The line's number, from 1.
        public let lineNumber: Int
        /// Nil when it is not a line of an audit log.
        public let record: AuditRecord?
        /// The hash that the line claims.
        public let chain: ChainHash?
        /// The line without its end; only the beginning of one that is too long.
        public let bytes: ArraySlice<UInt8>
        /// False for a last line that was cut off, or is being written.
        public let isEnded: Bool
        /// The number of bytes left out of ``bytes``.
        let omitted: Int
    }

    private static let piece = 64 * 1024

    private let files: AuditFiles

    public init(in directory: String) { files = AuditFiles(directory: directory) }

    /// The files of the audit log, the oldest first; none without a directory.
    ///
    /// - Throws: ``FileFault`` for a directory that this process may not read.
    public func paths() throws(FileFault) -> [String] { try files.present() }

    /// - Parameter see: called with each line, in order.
    /// - Throws: ``FileFault`` for a file that cannot be read, and errors of `see`.
    public func read(_ see: (Line) throws -> Void) throws {
        for path in try paths() { try AuditReader.read(path, see) }
    }

    /// The files with lines about a person, the oldest first.
    public func paths(about who: String) throws -> [String] {
        var paths: [String] = []
        try read { line in
            guard case .entry(let entry)? = line.record?.content, entry.who == who, paths.last != line.file else {
                return
            }
            paths.append(line.file)
        }
        return paths
    }

    private static func read(_ path: String, _ see: (Line) throws -> Void) throws {
        let file = try OpenedFile.open(path)
        var splitter = LineSplitter(file: path)
        var buffer = [UInt8](repeating: 0, count: piece)
        while true {
            // Safe: the array is lent for the call.
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe Glibc.read(file.descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFault(.refused(errno), path: path) }
            guard count > 0 else { break }
            try splitter.take(buffer[..<count], see)
        }
        try splitter.finish(see)
    }
}

/// Joins pieces and splits them into lines.
struct LineSplitter {
    private let file: String
    private var lineNumber = 1
    private var line: [UInt8] = []
    private var omitted = 0

    init(file: String) { self.file = file }

    mutating func take(_ piece: ArraySlice<UInt8>, _ see: (AuditReader.Line) throws -> Void) throws {
        var rest = piece
        while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
            keep(rest[..<newline])
            try see(made(isEnded: true))
            lineNumber += 1
            line.removeAll(keepingCapacity: true)
            omitted = 0
            rest = rest[(newline + 1)...]
        }
        keep(rest)
    }

    mutating func finish(_ see: (AuditReader.Line) throws -> Void) throws {
        if !line.isEmpty { try see(made(isEnded: false)) }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let room = AuditRecord.longestLine - line.count
        line += bytes.prefix(room)
        omitted += max(bytes.count - room, 0)
    }

    private func made(isEnded: Bool) -> AuditReader.Line {
        let parsed = omitted == 0 && isEnded ? AuditRecord.parse(line[...]) : nil
        return AuditReader.Line(
            file: file, lineNumber: lineNumber, record: parsed?.record, chain: parsed?.chain, bytes: line[...],
            isEnded: isEnded, omitted: omitted)
    }
}
