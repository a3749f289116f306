// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import MPinClient

/// The server's end of a connection of HTTP/2, which writes frames as it is told, also what RFC 9113 forbids.
final class FrameConnection {
    enum Kind: UInt8 {
        case data = 0
        case headers = 1
        case reset = 3
        case settings = 4
        case push = 5
        case ping = 6
        case goAway = 7
        case continuation = 9
    }

    struct Request {
        let stream: UInt32
        let received: HTTPTransportContract.Received
    }

    private static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    private static let longestFrame = 16_384
    /// Flags of frames.
    static let (ends, endsHeader): (UInt8, UInt8) = (1, 4)

    private let connection: ServerConnection

    /// Begins as a server that keeps no table of header fields, so that each request can be read by itself.
    /// - Returns: nil when the client does not begin.
    init?(_ connection: ServerConnection) {
        self.connection = connection
        // SETTINGS_HEADER_TABLE_SIZE: 0.
        write(.settings, on: 0, [0, 1, 0, 0, 0, 0])
        guard connection.read(Self.preface.utf8.count) == Array(Self.preface.utf8) else { return nil }
    }

    /// The next request, with its body. What the client says of the connection is read over, and settings are
    /// acknowledged.
    /// - Returns: nil when the client closed.
    func readRequest() -> Request? {
        var request: Request?
        var body: [UInt8] = []
        while let head = connection.read(9) {
            let length = head[0..<3].reduce(0) { $0 << 8 | Int($1) }
            guard let content = connection.read(length) else { return nil }
            let (kind, flags) = (Kind(rawValue: head[3]), head[4])
            let stream = head[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
            switch kind {
            case .headers:
                // Behind the stream that it depends on, and its weight, where it has them.
                request = Request(stream: stream, received: Self.request(content.dropFirst(flags & 0x20 == 0 ? 0 : 5)))
            case .data: body += content
            case .settings where flags & 1 == 0: write(.settings, 1, on: 0)
            case .ping where flags & 1 == 0: write(.ping, 1, on: 0, content)
            default: continue
            }
            guard flags & Self.ends != 0, kind == .headers || kind == .data, let request else { continue }
            var received = request.received
            received.body = body
            return Request(stream: request.stream, received: received)
        }
        return nil
    }

    private static func request(_ block: ArraySlice<UInt8>) -> HTTPTransportContract.Received {
        var received = HTTPTransportContract.Received(method: "", target: "", headers: [], body: [])
        for (name, value) in HeaderFields(block) {
            switch name {
            case ":method": received.method = value
            case ":path": received.target = value
            case ":authority": received.headers.append(HTTPHeader("host", value))
            case ":scheme": continue
            default: received.headers.append(HTTPHeader(name, value))
            }
        }
        return received
    }

    func reply(_ stream: UInt32, _ status: Int, headers: [HTTPHeader] = [], _ body: [UInt8] = []) {
        writeHead(stream, status, headers, body.isEmpty ? Self.ends : 0)
        var rest = body[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.longestFrame)
            rest = rest.dropFirst(part.count)
            write(.data, rest.isEmpty ? Self.ends : 0, on: stream, Array(part))
        }
    }

    func writeHead(_ stream: UInt32, _ status: Int = 200, _ headers: [HTTPHeader] = [], _ flags: UInt8 = 0) {
        write(.headers, Self.endsHeader | flags, on: stream, Self.head(status, headers))
    }

    /// Literals that no table keeps (RFC 7541, section 6.2.2); `:status` is entry 8 of the static one.
    static func head(_ status: Int, _ headers: [HTTPHeader]) -> [UInt8] {
        [0x08] + HeaderFields.text("\(status)")
            + headers.flatMap { [0x00] + HeaderFields.text($0.name.lowercased()) + HeaderFields.text($0.value) }
    }

    /// - Parameter code: RFC 9113, section 7.
    func reset(_ stream: UInt32, _ code: UInt8) { write(.reset, on: stream, [0, 0, 0, code]) }

    /// - Parameter last: the last stream that is answered.
    func goAway(_ last: UInt32, code: UInt8 = 0) { write(.goAway, on: 0, [0, 0, 0, UInt8(last), 0, 0, 0, code]) }

    @discardableResult
    func write(_ kind: Kind, _ flags: UInt8 = 0, on stream: UInt32, _ content: [UInt8] = []) -> Bool {
        connection.write(Self.frame(kind, flags, on: stream, content))
    }

    static func frame(_ kind: Kind, _ flags: UInt8 = 0, on stream: UInt32, _ content: [UInt8] = []) -> [UInt8] {
        [
            UInt8(content.count >> 16), UInt8(content.count >> 8 & 0xff), UInt8(content.count & 0xff), kind.rawValue,
            flags,
        ]
            + [24, 16, 8, 0].map { UInt8(stream >> $0 & 0xff) } + content
    }

    /// Waits until the client closes.
    func waitForClose() { connection.waitForClose() }
}
