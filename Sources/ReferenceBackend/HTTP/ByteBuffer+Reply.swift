// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1

extension ByteBuffer {
    /// Writes a reply as HTTP/1.1 has it (RFC 9112), with its length: the client need not wait for an end.
    /// - Parameters:
    ///   - date: the value of its `Date`.
    ///   - answersHead: whether the request was for the head alone.
    mutating func writeReply(_ head: HTTPResponse, _ body: [ByteBuffer], date: String, answersHead: Bool = false) {
        let length = body.reduce(0) { $0 + $1.readableBytes }
        reserveCapacity(minimumWritableBytes: 512 + length)
        writeString("HTTP/1.1 ")
        writeString(String(head.status.code))
        writeString(" ")
        let phrase = head.status.reasonPhrase
        writeString(phrase.isEmpty ? HTTPResponseStatus(statusCode: head.status.code).reasonPhrase : phrase)
        writeField("Date", date)
        for field in head.headerFields where field.name != .contentLength && field.name != .date {
            writeField(field.name.rawName, field.value)
        }
        let isEmpty = head.status == .noContent || head.status == .notModified || head.status.kind == .informational
        if !isEmpty { writeField("Content-Length", String(length)) }
        writeString("\r\n\r\n")
        if !answersHead { for piece in body { writeImmutableBuffer(piece) } }
    }

    /// The values are free of line breaks since they were made.
    private mutating func writeField(_ name: String, _ value: String) {
        writeString("\r\n")
        writeString(name)
        writeString(": ")
        writeString(value)
    }
}
