// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import KioskPorts
import Patience
import Testing

/// The programs on a disk that fails by a plan: a library between them and the kernel (Tests/preloaded) decides by a
/// seed which calls end in EIO, ENOSPC or EINTR, or write half.
@Suite("A disk that fails by a plan", .fewAtATime)
struct FaultyDiskTests {
    private static let seeds = TestEffort.rounds(4)
    private static let (user, pin) = ("carol@example.com", "2583")

    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Under faults, another person begins to register, and a person logs in at the kiosk. Each program ends with an
    /// exit code of its own, and the screen tells of a login only if the browser is logged in. Afterwards the person is
    /// still registered, and logs in; the other one's registration goes on.
    @Test(Preloaded.isPossible)
    func everyIdentityIsWhole() async throws {
        var (faults, logins) = (0, 0)
        // The order of calls differs from run to run, and with it the faults of a seed: a login is waited for.
        for seed in 0..<10 * Self.seeds where seed < Self.seeds || logins == 0 {
            let disk = try Scratch()
            let service = try await ServiceWithUser(user: Self.user, pin: Self.pin, in: disk)
            var kiosk = try Program("login-kiosk")
            kiosk.environment = try await brokenDisk(disk, seed, oneIn: 4 + 4 * (seed % 4))
            let registration =
                ["enroll", "--backend", service.site, "--user", "dave@example.com", "--wait", "0"]
                + service.options(service.places)
            let begun = try await kiosk.run(registration)
            #expect(Self.isOwnEnd(begun.status), "seed \(seed): \(begun)")
            faults += Self.faults(in: begun.errors)

            let (isLoggedIn, errors) = try await logIn(at: service, disk, seed)
            if isLoggedIn { logins += 1 }
            faults += Self.faults(in: errors)
            let told = "seed \(seed): \(begun.errors)\n\(errors)"
            // Faults are told in the project's own words.
            #expect(!told.contains("Error Domain="), "\(told)")

            kiosk.environment = [:]
            let list = try await kiosk.run(["identities", "list", "--json"] + service.places).expect(0)
            let isWhole = list.output.contains(/"state":"registered"[^}]*"user":"carol@example.com"/)
            #expect(isWhole, "\(list)\n\(told)")
            try await kiosk.run(registration).expect(88)
            let another = try Scratch()
            let (camera, browser) = try await camera(at: service, in: another)
            defer { camera.stop() }
            try await service.logIn(source: camera.source, in: another, polling: [browser])
            #expect(try await browser.page("/protected").contains(Self.user), "\(told)")
            try await service.end()
        }
        #expect(faults > 0)
        #expect(logins > 0)
    }

    /// The environment of a program whose files in a folder are on a broken disk.
    private func brokenDisk(_ disk: Scratch, _ seed: Int, oneIn: Int) async throws -> [String: String] {
        let plan = [
            "FAULTS_SEED": "\(seed)", "FAULTS_ONE_IN": "\(oneIn)",
            "FAULTS_FOLDER": disk.url.resolvingSymlinksInPath().path(),
        ]
        return try await Preloaded.environment("faults", in: scratch).merging(plan) { $1 }
    }

    private static func faults(in errors: String) -> Int { errors.matches(of: /fault: [a-z]/).count }

    /// Whether a program has ended by itself, and not by a signal: docs/commands.md.
    private static func isOwnEnd(_ status: Int32) -> Bool { status == 0 || (64..<100).contains(status) }

    /// A camera that sees the code of a new browser.
    private func camera(at service: ServiceWithUser, in place: Scratch) async throws -> (FlowCamera, SiteClient) {
        let (camera, browser) = (try FlowCamera(in: place), try await SiteClient(opening: service.site))
        camera.show(try Picture(decoding: Array(try await browser.picture()), from: "/qr.png"))
        return (camera, browser)
    }

    /// Holds a code up, agrees and types the PIN, as far as the kiosk gets.
    ///
    /// - Returns: whether the kiosk tells of a login, and its standard error.
    private func logIn(
        at service: ServiceWithUser, _ disk: Scratch, _ seed: Int
    ) async throws -> (isLoggedIn: Bool, errors: String) {
        let (camera, browser) = try await camera(at: service, in: disk)
        defer { camera.stop() }
        let terminal = try FlowTerminal(
            ["run", "--source", camera.source, "--allow-loopback-http"] + service.places,
            settings: try await brokenDisk(disk, seed, oneIn: 32 + 32 * (seed % 4)), in: disk)
        var hasTyped = false
        let end = try await Patience.wait(
            Program.patience, every: .milliseconds(200), progress: { terminal.text.hashValue }
        ) { () async throws -> Bool? in
            guard terminal.isRunning else { return false }
            try await browser.poll()
            let text = terminal.flatText
            if text.contains("[Enter] Continue") { return text.contains("Login successful") }
            if text.contains("Do you want to log in here?") { try await terminal.press(.enter) }
            if text.contains("Enter your PIN"), !hasTyped {
                hasTyped = true
                try await terminal.press(digits: Self.pin)
                try await terminal.press(.enter)
            }
            return nil
        }
        try #require(end != nil, "seed \(seed): \(terminal.text)\n\(terminal.errorText)")
        let isLoggedIn = end == true
        let status = terminal.isRunning ? try await terminal.end() : try await terminal.waitForEnd()
        #expect(Self.isOwnEnd(status), "seed \(seed): \(status)\n\(terminal.text)\n\(terminal.errorText)")
        if isLoggedIn {
            #expect(try await browser.page("/protected").contains(Self.user), "seed \(seed): \(terminal.errorText)")
        }
        return (isLoggedIn, terminal.errorText)
    }
}
