// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import PostgreSQLTestKit
import Testing

@Suite("Kiosks that share their people's identities", .oneACore)
struct SharedIdentitiesTests {
    private static let user = "alice@example.com"
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func share(_ places: [String], _ address: String, cache: Bool = true) throws {
        let config = try #require(places.last)
        // Each kiosk has a copy of the key of its own, which goes when it is reset.
        let key = "\(config)/fleet.key"
        if !FileManager.default.fileExists(atPath: key) {
            try Data(repeating: 7, count: 32).write(to: URL(filePath: key))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        }
        try FileManager.default.createDirectory(
            atPath: "\(config)/config.d", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let settings = "fleet: {key-file: \"\(key)\"}\nstore: {database: \"\(address)\", cache: \(cache)}\n"
        try Data(settings.utf8).write(to: URL(filePath: "\(config)/config.d/store.yaml"))
    }

    private func run(_ arguments: [String], lines: String...) async throws -> Program.Run {
        try await Program("login-kiosk").run(arguments, input: lines.map { $0 + "\n" }.joined())
    }

    private func changePIN(_ old: String, _ new: String, _ options: [String]) async throws -> Program.Run {
        try await run(["identities", "change-pin", "--user", Self.user] + options, lines: old, new)
    }

    private func list(_ options: [String]) async throws -> Program.Run {
        try await run(["identities", "list"] + options)
    }

    @Test(.disabled(if: !PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
    func whoEnrolsAtOneIsKnownAtTheNext() async throws {
        let server = try PostgreSQLServer()
        let service = try await EnrolledService(in: scratch)
        let second = try await service.otherDevice("two", in: scratch)
        let strict = try await service.otherDevice("strict", in: scratch)
        for places in [service.places, second] { try share(places, server.address) }
        try share(strict, server.address, cache: false)
        let (one, two) = (service.options(service.places), service.options(second))
        try await service.enroll(Self.user, pin: "2580")
        let seen = try await list(two)
        #expect(seen.status == 0 && seen.output.hasPrefix("\(Self.user) "), "\(seen)")

        // The PIN is the same everywhere, and the server judges it.
        let changed = try await changePIN("2580", "7391", two)
        #expect(changed.status == 0, "\(changed)")
        let wrong = try await changePIN("2580", "1379", one)
        #expect(wrong.status != 0 && !wrong.errors.contains("changed at another"), "\(wrong)")
        let again = try await changePIN("7391", "4682", one)
        #expect(again.status == 0, "\(again)")
        let nothing = try await run(["identities", "accept-lost"] + second)
        #expect(nothing.status == 0 && nothing.output == "no identity was lost\n", "\(nothing)")
        let doctor = try await run(["doctor", "--json"] + two)
        #expect(doctor.output.contains("1 identities in PostgreSQL"), "\(doctor)")

        // Away: what was seen is there, nothing is changed, and each says so.
        try share(second, server.address.replacing("host=", with: "host=/nowhere"))
        try share(strict, server.address.replacing("host=", with: "host=/nowhere"), cache: false)
        let cached = try await list(two)
        #expect(cached.status == 0 && cached.output.hasPrefix("\(Self.user) "), "\(cached)")
        let unchanged = try await changePIN("4682", "1379", two)
        #expect(unchanged.status == 74, "\(unchanged)")
        let told = try await list(service.options(strict))
        #expect(told.status == 74, "\(told)")
        let away = try await run(["doctor", "--json"] + two)
        #expect(away.output.contains("/nowhere"), "\(away)")
        try share(second, server.address)

        // Deleted at one is deleted at all; a reset of one deletes no person of the others.
        let reset = try await run(["reset", "--yes"] + second)
        #expect(reset.status == 0 && reset.output.contains("copy of the shared identities"), "\(reset)")
        #expect(try await list(one).output.hasPrefix("\(Self.user) "))
        // From then on its people are its own, whatever the settings say.
        let anew = try await run(["reset", "--yes"] + second)
        #expect(anew.status == 0 && anew.output.contains("all identities of this kiosk"), "\(anew)")
        let deleted = try await run(["identities", "delete", "--user", Self.user, "--yes"] + one)
        #expect(deleted.status == 0, "\(deleted)")
        try share(strict, server.address, cache: false)
        let gone = try await list(service.options(strict))
        #expect(gone.status == 0 && !gone.output.contains(Self.user), "\(gone)")
    }

    @Test(.disabled(if: !PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
    func theOperatorHearsWhetherTheDatabaseAnswers() async throws {
        let server = try PostgreSQLServer()
        let service = try await EnrolledService(in: scratch)
        try Data("P5 4 4 255\n0123456789abcdef".utf8).write(to: scratch.url.appending(path: "a.pgm"))
        try Data("wait 600\n".utf8).write(to: scratch.url.appending(path: "keys"))
        let sight = ["--source", "file,loop:\(scratch.path("a.pgm"))", "--keys", scratch.path("keys")]
        let nowhere = server.address.replacing("host=", with: "host=/nowhere")
        for (address, answers) in [(server.address, true), (nowhere, false)] {
            try share(service.places, address)
            let kiosk = try BackgroundProgram(
                "login-kiosk", ["run"] + sight + service.options(service.places), in: scratch)
            let word = #""identitiesDatabaseAnswers":\#(answers)"#
            let status = try await Patience.wait(Program.patience, every: .milliseconds(100), progress: { 0 }) {
                let run = try await self.run(["status", "--json"] + service.places)
                return run.output.contains(word) ? run : nil
            }
            #expect(status != nil, "\(kiosk.errorText)")
            let words = try await self.run(["status"] + service.places).output
            #expect(words.contains(/has not answered for \d+ d \d+ h \d+ min: login-kiosk doctor/) == !answers)
            #expect(status?.output.contains(#""identitiesDatabaseSilentSeconds":"#) == !answers)
            #expect(try await kiosk.end() == 0)
        }
    }

    @Test func settingsThatCannotBeMeantAreRefused() async throws {
        let service = try await EnrolledService(in: scratch)
        let options = service.options(service.places)
        try share(service.places, "host=/run/postgresql dbname=people password=hunter2")
        let secret = try await list(options)
        #expect(secret.status == 78 && !"\(secret)".contains("hunter2"), "\(secret)")
        #expect(secret.errors.contains("passfile"), "\(secret)")
        try share(service.places, "host=/run/postgresql dbname=people")
        try FileManager.default.removeItem(atPath: "\(try #require(service.places.last))/fleet.key")
        let keyless = try await list(options)
        #expect(keyless.status == 78 && keyless.errors.contains("fleet.key"), "\(keyless)")
    }
}
