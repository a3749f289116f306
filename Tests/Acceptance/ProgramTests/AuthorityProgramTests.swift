// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// Two D-TAs in processes of their own, a backend without a half, and a kiosk.
@Suite(.fewAtATime) struct AuthorityProgramTests {
    private static let user = "alice@example.com"
    private static let pin = "1234"

    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func startAuthority(_ half: Int, port: UInt16) throws -> BackgroundProgram {
        try BackgroundProgram(
            "login-kiosk-backend",
            ["dta", "--half", "\(half)", "--listen", "127.0.0.1:\(port)", "--state", scratch.path("machine\(half)")],
            in: scratch)
    }

    /// Copies the file that the operator carries from a D-TA's machine to the backend's.
    private func copyCredentials(of half: Int, from program: BackgroundProgram) async throws {
        let file = try await program.line(after: "for the backend, a copy of: ")
        #expect(file == scratch.path("machine\(half)/dta\(half)/credentials"))
        let folder = scratch.path("backend/dta\(half)")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(atPath: file, toPath: folder + "/credentials")
    }

    @Test func aKioskLogsInWithThreePrograms() async throws {
        // Both come back to their ports later. One that is served is chosen for no other.
        let firstPort = try LoopbackListener.freePort()
        let one = try startAuthority(1, port: firstPort)
        let first = try await one.line(after: "serving ")
        let secondPort = try LoopbackListener.freePort()
        let two = try startAuthority(2, port: secondPort)
        let urls = [first, try await two.line(after: "serving ")]
        try FileManager.default.createDirectory(
            atPath: scratch.path("backend"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try await copyCredentials(of: 1, from: one)
        try await copyCredentials(of: 2, from: two)
        let service = try await ServiceWithUser(
            in: scratch, options: ["--dta1", urls[0], "--dta2", urls[1], "--log-level", "info"])
        try await service.allow(String(urls[1].dropFirst("http://".count)))
        try await service.waitForLogins()
        try await service.enroll(Self.user, pin: Self.pin)
        try await logIn(service, expecting: 0)

        // The backend has no half, and no half is in two places.
        for file in ["dta1/master", "dta2/master"] {
            #expect(!FileManager.default.fileExists(atPath: scratch.path("backend/" + file)))
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path("machine1/dta2")))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("machine2/dta1")))
        let halves = try (1...2).map { try Data(contentsOf: file("machine\($0)/dta\($0)/master")).suffix(32) }
        #expect(halves[0] != halves[1])
        for name in try FileManager.default.subpathsOfDirectory(atPath: scratch.path("backend")) {
            guard let content = try? Data(contentsOf: file("backend/" + name)) else { continue }
            for half in halves {
                #expect(content.range(of: half) == nil, "\(name)")
                #expect(content.range(of: Data(half.map { String(format: "%02x", $0) }.joined().utf8)) == nil)
            }
        }

        // A registered user with today's permit logs in without the first D-TA. Without the second a new user cannot
        // register, and can when it is back.
        #expect(try await one.end() == 0, "\(one.errorText)")
        try await logIn(service, expecting: 0)
        #expect(try await two.end() == 0, "\(two.errorText)")
        let kiosk = try Program("login-kiosk")
        let registration =
            ["enroll", "--backend", service.site, "--user", "bob@example.com", "--wait", "0"]
            + service.options(service.places)
        try await kiosk.run(registration).expect(88)
        try await service.activate("bob@example.com")
        let refused = try await kiosk.run(registration, input: "4321\n")
        #expect(refused.status == 69 || refused.status == 75, "\(refused)")
        let again = (try startAuthority(1, port: firstPort), try startAuthority(2, port: secondPort))
        _ = try await again.0.line(after: "serving ")
        _ = try await again.1.line(after: "serving ")
        try await kiosk.run(registration, input: "4321\n").expect(0)
        try await logIn(service, expecting: 0)
        try await service.end()
        #expect(try await again.0.end() == 0)
        #expect(try await again.1.end() == 0)
    }

    private func file(_ name: String) -> URL { scratch.url.appending(path: name) }

    private func logIn(_ service: ServiceWithUser, expecting status: Int32) async throws {
        try await Program("login-kiosk").run(
            ["otp", "--user", Self.user] + service.options(service.places), input: Self.pin + "\n"
        ).expect(status)
    }

    @Test func mistakesOfTheOperatorAreNamed() async throws {
        let program = try Program("login-kiosk-backend")
        let state = ["--state", scratch.path("state")]
        func expect(_ status: Int32, _ words: String, _ arguments: [String]) async throws {
            let run = try await program.run(arguments + state)
            #expect(run.status == status && run.errors.contains(words), "\(arguments): \(run)")
        }
        try await expect(64, "'--half <half>': it has to be 1 to 2", ["dta", "--half", "3"])
        try await expect(64, "missing expected argument '--half <half>'", ["dta"])
        try await expect(64, "needs a certificate", ["dta", "--half", "1", "--listen", "0.0.0.0:0"])
        try await expect(64, "--tls-cert and --tls-key go together", ["dta", "--half", "1", "--tls-cert", "x"])
        try await expect(64, "--dta1 and --dta2 go together", ["--dta1", "https://a"])
        try await expect(64, "--dta-ca is for", ["--dta-ca", "x"])
        let addresses = ["--dta1", "https://a.invalid", "--dta2", "https://b.invalid"]
        try await expect(64, "http:// on this machine", ["--dta1", "http://a.invalid", "--dta2", "https://b.invalid"])
        try await expect(66, "does not exist", addresses + ["--dta-ca", scratch.path("none.pem")])
        try await expect(66, "from the machine of D-TA 1", addresses)
        // A state directory that has both halves from before.
        let inside = try BackgroundProgram(
            "login-kiosk-backend", ["--listen", "127.0.0.1:0", "--admit", "anybody"] + state, in: scratch)
        _ = try await inside.line(after: "serving ")
        #expect(try await inside.end() == 0)
        try await expect(64, "dta1/master is half 1 of the master secret", addresses)
        try await expect(64, "dta2/master is half 2 of the master secret", ["dta", "--half", "1"])
    }
}
