// SPDX-License-Identifier: Apache-2.0

/// A reply of a hostile or broken server, made from the request and the honest reply.
struct HostileReply: Sendable {
    let name: String
    let make: @Sendable (WireMessage, WireMessage) -> [UInt8]

    init(_ name: String, _ make: @escaping @Sendable (WireMessage, WireMessage) -> [UInt8]) {
        self.name = name
        self.make = make
    }

    /// Complete replies with status 200 that make no sense.
    static let senseless = [
        HostileReply("HTML") { _, _ in WireMessage.reply("200 OK", "<html><title>Wi-Fi login</title></html>").bytes },
        HostileReply("an array") { _, _ in WireMessage.reply("200 OK", "[]").bytes },
        HostileReply("a body that ends early") { _, honest in
            WireMessage.reply("200 OK", String(honest.bodyText.dropLast(2))).bytes
        },
        HostileReply("deep nesting") { _, _ in
            WireMessage.reply("200 OK", #"{"x":"# + String(repeating: "[", count: 20_000)).bytes
        },
        HostileReply("no UTF-8") { _, _ in
            Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"x\":\"".utf8) + [0xFF, 0x22, 0x7D]
        },
        HostileReply("every key twice") { _, honest in
            let members = honest.bodyText.dropFirst().dropLast()
            return WireMessage.reply("200 OK", "{\(members),\(members)}").bytes
        },
    ]

    /// Incomplete replies.
    static let missing = [
        HostileReply("nothing") { _, _ in [] },
        HostileReply("half a body") { _, _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{".utf8) },
        HostileReply("garbled chunks") { _, _ in
            Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}".utf8)
        },
        HostileReply("too much") { _, _ in
            WireMessage.reply("200 OK", #"{"x":""# + String(repeating: "x", count: 1 << 20) + "\"}").bytes
        },
    ]
}
