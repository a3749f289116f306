// SPDX-License-Identifier: Apache-2.0

import Patience

/// A server that greets like PostgreSQL and answers the first request with given bytes.
final class FakeServer: Sendable {
    /// The address for libpq.
    let address: String
    private let listener: LoopbackListener

    /// - Parameters:
    ///   - answer: the answer to the first request. Then the connection ends.
    ///   - isEndless: whether the answer is repeated until the client leaves.
    init(answering answer: [UInt8], isEndless: Bool = false) throws {
        listener = try LoopbackListener()
        address = Self.address(of: listener)
        listener.serve { connection in
            guard connection.receive() != nil, connection.send(Self.greeting), connection.receive() != nil else {
                return
            }
            repeat {} while connection.send(answer) && isEndless
            // Unread bytes at closing would end the connection before the client reads the answer.
            connection.endSending()
            connection.receiveToEnd()
        }
    }

    deinit { listener.stop() }

    static func address(of listener: LoopbackListener) -> String {
        "hostaddr=127.0.0.1 port=\(listener.port) user=tester dbname=postgres sslmode=disable gssencmode=disable"
    }

    /// One message of the protocol (section 55.7 of PostgreSQL's manual).
    static func message(_ kind: Character, _ content: [UInt8]) -> [UInt8] {
        Array(String(kind).utf8) + integer(content.count + 4, bytes: 4) + content
    }

    static func integer(_ value: Int, bytes count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    static let end = message("Z", Array("I".utf8))

    private static let greeting: [UInt8] =
        message("R", integer(0, bytes: 4))
        + [
            ("server_version", "15.0"), ("server_encoding", "UTF8"), ("client_encoding", "UTF8"),
            ("default_transaction_read_only", "off"), ("in_hot_standby", "off"), ("standard_conforming_strings", "on"),
        ].flatMap { message("S", Array("\($0.0)\0\($0.1)\0".utf8)) } + end
}
