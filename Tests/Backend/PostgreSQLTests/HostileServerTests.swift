// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

@testable import PostgreSQL

/// A server that lies, and a broken one.
@Suite struct HostileServerTests {
    private static let question = Call(Statement("SELECT $1::bigint"), .integer(1))

    private static func connection(to server: FakeServer) throws -> ServerConnection {
        try ServerConnection(to: ServerTarget(server.address))
    }

    private static func fault(of server: FakeServer, limit: Duration = .seconds(60)) throws -> DatabaseFault? {
        let connection = try connection(to: server)
        do throws(DatabaseFault) {
            try connection.run(question, until: .now + limit)
            return nil
        } catch {
            return error
        }
    }

    /// Bytes never end, and no answer comes.
    @Test(.timeLimit(.minutes(10)))
    func talksForEver() throws {
        let notice = FakeServer.message("N", Array("SNOTICE\0C00000\0Mnothing\0\0".utf8))
        let server = try FakeServer(answering: (0..<500).flatMap { _ in notice }, isEndless: true)
        let fault = try Self.fault(of: server, limit: .milliseconds(200))
        #expect(fault?.kind == .late)
    }

    /// The server asks for data that the client did not offer.
    @Test(.timeLimit(.minutes(10)), arguments: ["G", "H", "W"])
    func wantsToCopy(_ kind: Character) throws {
        let copy = FakeServer.message(kind, [0, 0, 0])
        let parsed = FakeServer.message("1", []) + FakeServer.message("2", [])
        let server = try FakeServer(answering: parsed + copy + FakeServer.end)
        let fault = try #require(try Self.fault(of: server))
        #expect(fault.endsConnection, "\(fault)")
    }

    /// More answers than requests.
    @Test(.timeLimit(.minutes(10)))
    func answersAgainAndAgain() throws {
        let done = FakeServer.message("C", Array("SELECT 0\0".utf8))
        let server = try FakeServer(
            answering: FakeServer.message("1", []) + FakeServer.message("2", []) + done, isEndless: true)
        let fault = try Self.fault(of: server, limit: .seconds(1))
        #expect(fault?.endsConnection == true)
    }

    private static func answer(of columns: [[UInt8]?]) -> [UInt8] {
        let column =
            Array("a\0".utf8) + FakeServer.integer(0, bytes: 6) + FakeServer.integer(20, bytes: 4)
            + FakeServer.integer(8, bytes: 2) + FakeServer.integer(-1, bytes: 4) + FakeServer.integer(1, bytes: 2)
        let count = FakeServer.integer(columns.count, bytes: 2)
        let row = columns.flatMap { value in
            FakeServer.integer(value?.count ?? -1, bytes: 4) + (value ?? [])
        }
        return FakeServer.message("1", []) + FakeServer.message("2", [])
            + FakeServer.message("T", count + columns.flatMap { _ in column })
            + FakeServer.message("D", count + row) + FakeServer.message("C", Array("SELECT 1\0".utf8)) + FakeServer.end
    }

    @Test func answersInAnotherForm() throws {
        let answer = Self.answer(of: [[1, 2, 3], [], nil, [0xff, 0xfe], Array(repeating: 0, count: 9)])
        let rows = try Self.connection(to: try FakeServer(answering: answer))
            .run(Self.question, until: .now + .seconds(60))
        #expect(rows.count == 1)
        for column in -1...5 {
            #expect(throws: DatabaseFault.self) { try rows.integer(0, column) }
            #expect(throws: DatabaseFault.self) { try rows.boolean(0, column) }
        }
        #expect(throws: DatabaseFault.self) { try rows.text(0, 3) }
        #expect(rows.bytesIfAny(-1, 0) == nil && rows.bytesIfAny(1, 0) == nil && rows.bytesIfAny(0, 5) == nil)
    }

    /// The server's message becomes one line of text, and contains nothing else.
    @Test func complainsInManyLines() throws {
        let words = Array("SERROR\0C23505\0Mfirst line\nsecond line ".utf8) + [0xff] + Array("\0Dhunter2\0\0".utf8)
        let server = try FakeServer(answering: FakeServer.message("E", words) + FakeServer.end)
        let fault = try #require(try Self.fault(of: server))
        #expect(fault.kind == .refused(sqlState: "23505"))
        #expect(!fault.problem.contains("\n") && !fault.problem.contains("hunter2"))
    }

    @Test(
        arguments: [
            // A row of a gigabyte that never arrives.
            Array("D".utf8) + FakeServer.integer(1 << 30, bytes: 4) + [0, 1],
            Array("D".utf8) + FakeServer.integer(-1, bytes: 4), FakeServer.message("T", [0xff, 0xff]), [],
        ] as [[UInt8]])
    func breaksOff(_ answer: [UInt8]) throws {
        let server = try FakeServer(answering: answer)
        let fault = try #require(try Self.fault(of: server))
        #expect(fault.endsConnection, "\(fault)")
    }

    /// Any bytes give rows or an error.
    @Test func survivesAnything() throws {
        var random = SplitMix64(seed: 69)
        let right = Self.answer(of: [[0, 0, 0, 0, 0, 0, 0, 1]])
        for _ in 0..<150 {
            var bytes = right
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                } else {
                    bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            let fault = try Self.fault(of: try FakeServer(answering: bytes))
            #expect(fault?.problem.isEmpty != true)
        }
    }
}
