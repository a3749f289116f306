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
        let owner = try await KioskWithUser()
        let disk = try FullDisk(in: scratch)
        let state = "\(disk.path)/state"
        try FileManager.default.copyItem(atPath: owner.scratch.path("state"), toPath: state)
        try disk.fill()
        let places = ["--state", state, "--config", owner.scratch.path("config")]
        _ = owner.server.takeExchanges()
        try await kiosk.run(
            ["enroll", "--backend", owner.server.base, "--user", "bob@example.com", "--allow-loopback-http"]
                + places,
            input: "739154\n"
        ).expect(74, "No space left on device", "free some space", "hint: see what is wrong: login-kiosk doctor")
        // No mail was sent, and no share used up.
        let spent = owner.server.takeExchanges().filter { Endpoint.registration.matches($0.request) }
        #expect(spent.isEmpty)
        let doctor = try await kiosk.run(["doctor", "--source", "/nonexistent"] + places)
        #expect(doctor.output.contains("does not take the 64 KiB that a save may need"), "\(doctor)")
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: state)) == ["device-tag", "identities.sqlite"])
        try FileManager.default.removeItem(atPath: "\(disk.path)/filler")
        try await kiosk.run(
            ["enroll", "--backend", owner.server.base, "--user", "bob@example.com", "--allow-loopback-http"]
                + places,
            input: "739154\n"
        ).expect(0)
    }

    @Test func anotherKeyAndAnOlderDatabase() async throws {
        let service = try await ServiceWithUser(user: "dora@example.com", pin: "2583", in: scratch)
        let list = ["identities", "list"] + service.places
        let older = try Data(contentsOf: database)
        let key = URL(filePath: scratch.path("config/identities.key"))
        let oldKey = try Data(contentsOf: key)
        try await kiosk.run(["key", "rotate", "--json"] + service.places).expect(0, output: #""identities":1"#)
        #expect(try Data(contentsOf: key) != oldKey)
        #expect(try await kiosk.run(list).output.hasPrefix("dora@example.com"))

        // Both are older copies, which the counter shows.
        try older.write(to: database)
        try oldKey.write(to: key)
        try await kiosk.run(list).expect(78, "is an older database", "login-kiosk identities accept-restored")
        try await kiosk.run(["identities", "accept-restored"] + service.places).expect(0)
        #expect(try await kiosk.run(list).output.hasPrefix("dora@example.com"))
    }

    @Test func damageIsToldUntilItIsAccepted() async throws {
        let service = try await ServiceWithUser(user: "dora@example.com", pin: "2583", in: scratch)
        try Data().write(to: database)
        let wall = try scratch.wall()
        let shown = try BackgroundProgram(
            "login-kiosk", scratch.atAWall() + ["--plain", "--language", "en", "--allow-loopback-http"], in: scratch)
        try await shown.output(containing: "Identities lost on this device: 1.")
        try await shown.error(containing: "login-kiosk identities accept-lost")
        #expect(try await shown.end() == 0, "\(shown.errorText)")
        let doctor = try await kiosk.run(["doctor", "--source", wall] + service.places)
        #expect(doctor.output.contains("and 1 that are lost"), "\(doctor)")
        try await kiosk.run(["identities", "accept-lost"] + service.places).expect(
            0, printing: "noted: 1 identities were lost\n")
        let quiet = try await kiosk.run(["doctor", "--source", wall] + service.places)
        #expect(quiet.output.contains("0 identities in"), "\(quiet)")
    }
}
