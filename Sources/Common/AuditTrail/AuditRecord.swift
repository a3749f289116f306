// SPDX-License-Identifier: Apache-2.0

import Encoding
import Glibc

/// A line of the audit log.
public struct AuditRecord: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        case entry(AuditEntry)
        /// The first line of every file: the hash of the last line of the previous file.
        case follows(ChainHash)
        /// A power failure or the like left the bytes before this line: their number and their digest.
        case cut(Int, ChainHash)
        /// This many entries could not be written, for example on a full disk.
        case missed(Int)
    }

    /// The line's number, from 1 without gaps, over all files: it shows the order if the clock does not.
    public let number: UInt64
    /// ISO 8601 in UTC by the device's clock, such as `2026-11-21T22:15:30Z`.
    public let time: String
    public let content: Content

    init(number: UInt64, time: String, _ content: Content) {
        self.number = number
        self.time = time
        self.content = content
    }

    /// - Parameter seconds: since 1970-01-01 UTC; times outside of the years 1 to 9999 become the nearest ones.
    static func time(_ seconds: Int64) -> String {
        var moment = time_t(min(max(seconds, -62_135_596_800), 253_402_300_799))
        var parts = unsafe tm()
        // Safe: the call reads and writes our own variables.
        guard unsafe gmtime_r(&moment, &parts) != nil else { return "0001-01-01T00:00:00Z" }
        func digits(_ number: Int32, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(count - text.count, 0)) + text
        }
        let day =
            unsafe digits(parts.tm_year + 1900, 4) + "-" + digits(parts.tm_mon + 1, 2) + "-"
            + digits(parts.tm_mday, 2)
        let hour = unsafe digits(parts.tm_hour, 2) + ":" + digits(parts.tm_min, 2) + ":" + digits(parts.tm_sec, 2)
        return "\(day)T\(hour)Z"
    }

    // The written form: one JSON object a line, with its members always in this order and its hash last. The hash
    // covers all bytes before it, so that no reader has to write JSON to check it.

    private static let chainLabel = Array(#","chain":""#.utf8)
    private static let end = Array("\"}".utf8)
    /// From `,"chain":` to the closing brace.
    private static let tailLength = chainLabel.count + ChainHash.length * 2 + end.count
    /// Longer than any line that is written.
    static let longestLine = 16 * 1024
    /// A machine that logs people in never reaches larger numbers, so such a line was not written here.
    private static let largestNumber: UInt64 = 1 << 48

    /// The bytes that are hashed: the line up to its hash.
    var body: [UInt8] {
        var text = "{\"n\":\(number),\"time\":\(RecordText.quoted(time))"
        func add(_ name: String, _ value: String?) {
            if let value { text += ",\"\(name)\":\(RecordText.quoted(value))" }
        }
        switch content {
        case .entry(let entry):
            add("event", entry.event)
            add("service", entry.service)
            add("who", entry.who)
            add("outcome", entry.outcome)
            add("detail", entry.detail)
            if entry.count > 1 { text += ",\"count\":\(entry.count)" }
        case .follows(let hash): add("follows", hash.description)
        case .cut(let count, let digest):
            text += ",\"cut\":\(count)"
            add("digest", digest.description)
        case .missed(let count): text += ",\"missed\":\(count)"
        }
        return Array(text.utf8)
    }

    /// The line with its end.
    ///
    /// - Parameter head: the hash of the previous line; becomes this line's.
    func line(after head: inout ChainHash) -> [UInt8] {
        let body = body
        head = head.next(body)
        return body + AuditRecord.chainLabel + Array(head.description.utf8) + AuditRecord.end + [UInt8(ascii: "\n")]
    }

    /// Reads a line, without its line feed, and its hash. Does not check the hash.
    ///
    /// - Returns: nil for anything that ``line(after:)`` does not write.
    static func parse(_ line: ArraySlice<UInt8>) -> (record: AuditRecord, chain: ChainHash)? {
        guard line.count > tailLength, line.count < longestLine, line.suffix(end.count) == end[...] else { return nil }
        let body = line.dropLast(tailLength)
        let tail = line.suffix(tailLength).dropLast(end.count)
        guard tail.starts(with: chainLabel), let chain = ChainHash(digits: tail.dropFirst(chainLabel.count)),
            let record = parse(body: body)
        else { return nil }
        return (record, chain)
    }

    private static func parse(body: ArraySlice<UInt8>) -> AuditRecord? {
        guard case .object(let members)? = JSONValue(reading: body + [UInt8(ascii: "}")]),
            let number = members["n"]?.integer.flatMap({ UInt64(exactly: $0) }), (1...largestNumber).contains(number),
            let time = members["time"]?.string, isTime(time), let content = content(members)
        else { return nil }
        let record = AuditRecord(number: number, time: time, content)
        // A line has one written form: lines that read the same are the same.
        return record.body.elementsEqual(body) ? record : nil
    }

    private static func content(_ members: [String: JSONValue]) -> Content? {
        func count(_ name: String) -> Int? { members[name]?.integer.flatMap { $0 < 0 ? nil : Int(exactly: $0) } }
        func hash(_ name: String) -> ChainHash? { members[name]?.string.flatMap { ChainHash($0) } }
        if let hash = hash("follows") { return .follows(hash) }
        if let count = count("missed") { return .missed(count) }
        if let count = count("cut") { return hash("digest").map { .cut(count, $0) } }
        guard let event = members["event"]?.string, let outcome = members["outcome"]?.string else { return nil }
        return .entry(
            AuditEntry(
                event: event, outcome: outcome, service: members["service"]?.string, who: members["who"]?.string,
                detail: members["detail"]?.string
            ).repeated(count("count") ?? 1))
    }

    private static func isTime(_ text: String) -> Bool {
        let pattern = Array("0000-00-00T00:00:00Z".utf8)
        return text.utf8.count == pattern.count
            && zip(text.utf8, pattern).allSatisfy { byte, wanted in
                wanted == UInt8(ascii: "0")
                    ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == wanted
            }
    }
}
