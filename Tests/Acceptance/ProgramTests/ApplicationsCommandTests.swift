// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `login-kiosk-backend applications`, as an operator uses it.
@Suite(.fewAtATime) struct ApplicationsCommandTests {
    private struct Added: Decodable {
        struct Application: Decodable {
            let clientId: String
            let clientSecret: String?
            let name: String
            let redirectUris: [String]
            let `public`: Bool
        }
        let version: Int
        let application: Application
    }

    private struct Listed: Decodable {
        let version: Int
        let applications: [Added.Application]
    }

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func applications(_ arguments: String...) async throws -> Program.Run {
        try await Program("login-kiosk-backend").run(["applications"] + arguments + ["--state", scratch.path])
    }

    private func decoded<Value: Decodable>(_ run: Program.Run, as _: Value.Type = Value.self) throws -> Value {
        try #require(run.status == 0, "\(run)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Value.self, from: Data(run.output.utf8))
    }

    @Test func aSecretIsShownOnce() async throws {
        let uri = "https://time.example.com/back"
        let run = try await applications("add", "Time sheets", "--redirect-uri", uri, "--json")
        let added = try decoded(run, as: Added.self).application
        let secret = try #require(added.clientSecret)
        #expect(secret.count == 43 && !added.public && added.redirectUris == [uri])
        let list = try await applications("list", "--json")
        #expect(!list.output.contains(secret))
        let listed = try decoded(list, as: Listed.self)
        #expect(listed.version == 1 && listed.applications.map(\.clientId) == [added.clientId])
        let renewed = try decoded(try await applications("new-secret", "Time sheets", "--json"), as: Added.self)
        let other = try #require(renewed.application.clientSecret)
        #expect(other != secret && renewed.application.clientId == added.clientId)
        try await applications("add", "Lists", "--redirect-uri", uri, "--public").expect(0)
        let removed = try decoded(try await applications("remove", "Lists", "--json"), as: Added.self)
        #expect(removed.version == 1 && removed.application.name == "Lists")
        try await applications("remove", added.clientId).expect(0, printing: "removed: Time sheets\n")
        #expect(try await applications().output == "no applications yet\n")
    }

    @Test func mistakesAreExplained() async throws {
        let (uri, plain) = ("https://app.example.com/back", try await applications("add", "Plain"))
        #expect(plain.status == 64 && plain.errors.contains("hint: name the address"), "\(plain)")
        try await applications("add", "Shop", "--redirect-uri", uri, "--public").expect(0, output: "no secret")
        try await applications("add", "Shop", "--redirect-uri", uri).expect(
            64, "there is an application with the name Shop")
        try await applications("new-secret", "Shop").expect(64, "has no secret")
        for command in ["remove", "new-secret"] {
            try await applications(command, "Nobody").expect(65, "Nobody: no such application")
        }
    }
}
