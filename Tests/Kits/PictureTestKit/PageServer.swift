// SPDX-License-Identifier: Apache-2.0

import Patience

/// A web server for pages with pictures on a loopback port, for one GET per connection.
public final class PageServer: Sendable {
    public struct Reply: Sendable {
        public var status: Int
        /// Complete lines.
        public var headers: [String]
        public var body: [UInt8]

        public init(status: Int = 200, headers: [String] = [], body: [UInt8] = []) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        public static func html(_ text: String) -> Reply {
            Reply(headers: ["Content-Type: text/html"], body: Array(text.utf8))
        }
    }

    public struct Request: Sendable {
        public var path: String
        public var cookie: String
    }

    public var port: UInt16 { listener.port }
    private let listener: LoopbackListener

    public init(_ answer: @escaping @Sendable (Request) -> Reply) {
        guard let listener = try? LoopbackListener() else { preconditionFailure("no port is free") }
        self.listener = listener
        listener.serve { PageServer.serve($0, answer) }
    }

    deinit { listener.stop() }

    public func address(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    private static func serve(_ connection: LoopbackConnection, _ answer: (Request) -> Reply) {
        guard connection.receive(until: "\r\n\r\n") else { return }
        let lines = connection.text.split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        let cookie = lines.first { $0.lowercased().hasPrefix("cookie:") }?.dropFirst(7) ?? ""
        let reply = answer(Request(path: String(words[1]), cookie: String(cookie.drop { $0 == " " })))
        var head = "HTTP/1.1 \(reply.status) Reason\r\nConnection: close\r\nContent-Length: \(reply.body.count)\r\n"
        for header in reply.headers { head += header + "\r\n" }
        connection.send(Array((head + "\r\n").utf8) + reply.body)
    }
}
