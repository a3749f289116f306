// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import Testing

/// Events of the store besides logins: a full disk, damage, an older database, another key.
@Suite("The identity store", .fewAtATime)
struct StoreCommandTests {
    let scratch: Scratch
    let kiosk: Program

    init() throws {
        scratch = try Scratch()
        kiosk = try Program("login-kiosk")
    }

    private var database: URL { URL(filePath: scratch.path("kiosk/identities.sqlite")) }

    @Test(.enabled(if: FullDisk.canMount, "needs the right to mount a tmpfs"))
    func aFullDiskSpendsNothing() async throws {
        let enrolled = try await EnrolledKiosk()
        let disk = try FullDisk(in: scratch)
        let state = "\(disk.path)/state"
        try FileManager.default.copyItem(atPath: enrolled.scratch.path("state"), toPath: state)
        try disk.fill()
        let places = ["--state", state, "--config", enrolled.scratch.path("config")]
        _ = enrolled.server.takeExchanges()
        let run = try await kiosk.run(
            ["enroll", "--backend", enrolled.server.base, "--user", "bob@example.com", "--allow-loopback-http"]
                + places,
            input: "739154\n")
        #expect(run.status == 74, "\(run)")
        #expect(run.errors.contains("No space left on device") && run.errors.contains("free some space"), "\(run)")
        #expect(run.errors.contains("hint: see what is wrong: login-kiosk doctor"), "\(run)")
        // No mail was sent, and no share used up.
        let spent = enrolled.server.takeExchanges().filter { Endpoint.registration.matches($0.request) }
        #expect(spent.isEmpty)
        let doctor = try await kiosk.run(["doctor", "--source", "/nonexistent"] + places)
        #expect(doctor.output.contains("does not take the 64 KiB that a save may need"), "\(doctor)")
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: state)) == ["device-tag", "identities.sqlite"])
        try FileManager.default.removeItem(atPath: "\(disk.path)/filler")
        let again = try await kiosk.run(
            ["enroll", "--backend", enrolled.server.base, "--user", "bob@example.com", "--allow-loopback-http"]
                + places,
            input: "739154\n")
        #expect(again.status == 0, "\(again)")
    }

    @Test func anotherKeyAndAnOlderDatabase() async throws {
        let service = try await EnrolledService(user: "dora@example.com", pin: "2583", in: scratch)
        let list = ["identities", "list"] + service.places
        let older = try Data(contentsOf: database)
        let key = URL(filePath: scratch.path("config/identities.key"))
        let oldKey = try Data(contentsOf: key)
        let rotation = try await kiosk.run(["key", "rotate", "--json"] + service.places)
        #expect(rotation.status == 0 && rotation.output.contains(#""identities":1"#), "\(rotation)")
        #expect(try Data(contentsOf: key) != oldKey)
        #expect(try await kiosk.run(list).output.hasPrefix("dora@example.com"))

        // Both are older copies, which the counter shows.
        try older.write(to: database)
        try oldKey.write(to: key)
        let refused = try await kiosk.run(list)
        #expect(refused.status == 78 && refused.errors.contains("is an older database"), "\(refused)")
        #expect(refused.errors.contains("login-kiosk identities accept-restored"), "\(refused)")
        let accepted = try await kiosk.run(["identities", "accept-restored"] + service.places)
        #expect(accepted.status == 0, "\(accepted)")
        #expect(try await kiosk.run(list).output.hasPrefix("dora@example.com"))
    }

    @Test func damageIsToldUntilItIsAccepted() async throws {
        let service = try await EnrolledService(user: "dora@example.com", pin: "2583", in: scratch)
        try Data().write(to: database)
        let wall = scratch.path("wall.y4m")
        try Data("YUV4MPEG2 W4 H4 Cmono\nFRAME\n0123456789abcdef".utf8).write(to: URL(filePath: wall))
        let keys = scratch.path("keys")
        try Data("wait 3600\n".utf8).write(to: URL(filePath: keys))
        let shown = try BackgroundProgram(
            "login-kiosk",
            ["run", "--source", wall, "--keys", keys, "--plain", "--language", "en"] + service.options(service.places),
            in: scratch)
        try await shown.output(containing: "Identities lost on this device: 1.")
        try await shown.error(containing: "login-kiosk identities accept-lost")
        #expect(try await shown.end() == 0, "\(shown.errorText)")
        let doctor = try await kiosk.run(["doctor", "--source", wall] + service.places)
        #expect(doctor.output.contains("and 1 that are lost"), "\(doctor)")
        let accepted = try await kiosk.run(["identities", "accept-lost"] + service.places)
        #expect(accepted.status == 0 && accepted.output == "noted: 1 identities were lost\n", "\(accepted)")
        let quiet = try await kiosk.run(["doctor", "--source", wall] + service.places)
        #expect(quiet.output.contains("0 identities in"), "\(quiet)")
    }
}
