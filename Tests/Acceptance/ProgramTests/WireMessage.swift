// SPDX-License-Identifier: Apache-2.0

import Patience

/// An HTTP request or reply on the wire, with its length in `Content-Length`.
struct WireMessage: Sendable {
    /// The head, with the empty line.
    var head: String
    var body: [UInt8]

    var bytes: [UInt8] { Array(head.utf8) + body }
    var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The first two words: of a request `GET /path`, of a reply `HTTP/1.1 200`.
    var start: String { head.split(separator: "\r\n")[0].split(separator: " ").prefix(2).joined(separator: " ") }

    init(head: String, body: [UInt8]) {
        self.head = head
        self.body = body
    }

    /// - Returns: nil when the bytes are no complete message.
    init?(wire bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
        head = String(decoding: bytes[..<end], as: UTF8.self)
        let length = head.firstMatch(of: /(?i)content-length: *([0-9]+)/).flatMap { Int($0.output.1) } ?? 0
        guard bytes.count >= end + length else { return nil }
        body = Array(bytes[end..<(end + length)])
    }

    /// - Returns: nil when the connection ends within the message.
    init?(from connection: LoopbackConnection) {
        var bytes: [UInt8] = []
        while let more = connection.receive() {
            bytes += more
            if let message = WireMessage(wire: bytes) {
                self = message
                return
            }
        }
        return nil
    }

    /// A reply after which the connection ends.
    ///
    /// - Parameter status: code and phrase.
    static func reply(_ status: String, _ body: String, headers: [String] = []) -> WireMessage {
        let lines = ["HTTP/1.1 \(status)", "Connection: close", "Content-Length: \(body.utf8.count)"] + headers
        return WireMessage(head: lines.joined(separator: "\r\n") + "\r\n\r\n", body: Array(body.utf8))
    }
}
