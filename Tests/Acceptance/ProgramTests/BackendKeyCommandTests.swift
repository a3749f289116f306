// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `login-kiosk-backend signing-key` and `operator-password`, as a script uses them.
@Suite(.fewAtATime) struct BackendKeyCommandTests {
    private struct Keys: Decodable {
        struct Next: Decodable {
            let kid: String
            let signsFrom: String
        }
        let version: Int
        let current: String
        let next: Next?
        let previous: [String]
    }

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func backend(_ arguments: String...) async throws -> Program.Run {
        try await Program("login-kiosk-backend").run(arguments + ["--state", scratch.path])
    }

    private func keys(_ arguments: String...) async throws -> Keys {
        let run = try await Program("login-kiosk-backend").run(
            ["signing-key", "--json"] + arguments + ["--state", scratch.path])
        try #require(run.status == 0 && run.errors.isEmpty, "\(run)")
        return try JSONDecoder().decode(Keys.self, from: Data(run.output.utf8))
    }

    @Test func theKeysAreAnObject() async throws {
        let first = try await keys()
        #expect(first.version == 1 && first.next == nil && first.previous.isEmpty)
        let renewed = try await keys("--renew")
        let next = try #require(renewed.next)
        #expect(renewed.current == first.current && next.kid != first.current)
        try await backend("signing-key").expect(
            0, printing: "signs with \(first.current)\nsigns from \(next.signsFrom) with \(next.kid)\n")
        let replaced = try await keys("--renew", "--drop-previous")
        #expect(replaced.next == nil && ![first.current, next.kid].contains(replaced.current))
    }

    @Test func thePasswordIsAnObject() async throws {
        let password = try await backend("operator-password").output.trimmingCharacters(in: .newlines)
        #expect(password.count == 29)
        try await backend("operator-password", "--json").expect(
            0, printing: "{\"password\":\"\(password)\",\"version\":1}\n")
        let renewed = try await backend("operator-password", "--renew", "--json")
        #expect(renewed.status == 0 && !renewed.output.contains(password) && renewed.errors.isEmpty, "\(renewed)")
    }
}
