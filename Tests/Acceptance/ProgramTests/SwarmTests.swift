// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// Small swarms with the built backend.
@Suite(.fewAtATime) struct SwarmTests {
    /// The output of a swarm with `--json`.
    private struct Report: Decodable {
        struct Counts: Decodable, Equatable { let told, unclear, counted, lost, extra: Int }
        struct Percentiles: Decodable { let count: Int, p50: Double?, p99: Double? }

        let planned, notBegun, loggedIn, wrongPin, unanswered: Int
        let tryAgain, refused, errors, faults: [String: Int]
        let counts: Counts?
        let registration, lastDigitToOutcome, pageSession: Percentiles
    }

    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func startBackend(port: UInt16 = 0) async throws -> (program: BackgroundProgram, site: String) {
        try await BackgroundProgram.backend(
            ["--trusted-proxy", "127.0.0.1"], listen: "127.0.0.1:\(port)", in: scratch)
    }

    private func arguments(_ site: String, _ more: [String]) -> [String] {
        let password = scratch.path("backend/operator-password")
        return ["swarm", "--backend", site, "--operator-password-file", password, "--json"] + more
    }

    private func report(_ output: String) throws -> Report {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Report.self, from: Data(output.utf8))
    }

    @Test func eachLoginIsCheckedAndEachWrongPINCountedOnce() async throws {
        // It starts a backend of its own.
        let run = try await Program("login-kiosk-dev").run(
            [
                "swarm", "--kiosks", "8", "--browsers", "8", "--rate", "4", "--for", "3", "--wrong-share", "0.25",
                "--json",
            ]
        ).expect(0)
        let report = try report(run.output)
        #expect(report.planned == 12 && report.registration.count == 8)
        #expect(report.loggedIn + report.wrongPin + report.notBegun == 12, "\(run)")
        #expect(report.wrongPin > 0 && report.pageSession.count == 12 - report.notBegun)
        #expect(report.lastDigitToOutcome.count == report.loggedIn)
        let told = report.wrongPin
        #expect(report.counts == Report.Counts(told: told, unclear: 0, counted: told, lost: 0, extra: 0))
        #expect(report.tryAgain.isEmpty && report.refused.isEmpty && report.errors.isEmpty, "\(run)")
        #expect(Set(report.faults.values) == [0] && report.faults.count == 4)
    }

    /// There are never more logins under way than kiosks, however many people come.
    @Test func aLoginForWhichNoKioskIsFreeIsToldAndDoesNotWait() async throws {
        let (backend, site) = try await startBackend()
        let run = try await Program("login-kiosk-dev").run(
            arguments(site, ["--kiosks", "2", "--browsers", "0", "--rate", "5000", "--for", "0.2"])
        ).expect(0)
        let report = try report(run.output)
        #expect(report.planned == 1_000 && report.loggedIn > 0 && report.notBegun > 0, "\(run)")
        #expect(report.loggedIn + report.notBegun == 1_000)
        #expect(try await backend.end() == 0)
    }

    @Test func whoComesWhenTheBackendIsGoneIsToldToTryAgain() async throws {
        // Where no other test's server comes afterwards.
        let (backend, site) = try await startBackend(port: LoopbackListener.freePort())
        let swarm = try BackgroundProgram(
            "login-kiosk-dev",
            arguments(site, ["--kiosks", "4", "--browsers", "4", "--rate", "1", "--for", "6", "--wrong-share", "0.2"]),
            in: scratch)
        try await swarm.error(containing: "the load begins")
        _ = try await backend.end(by: SIGKILL)
        // The wrong PINs could not be compared.
        #expect(try await swarm.waitForEnd() == 69, "\(swarm.errorText)")
        let report = try report(swarm.outputText)
        #expect(report.tryAgain.values.reduce(0, +) > 0 && report.errors["connection_refused"] ?? 0 > 0)
        #expect(report.faults["wrong_verdicts"] == 0 && report.counts == nil && report.unanswered == 0)
        #expect(swarm.errorText.contains("wrong PINs are not compared"))
    }

    @Test func aBackendThatIsNotThereIsNamed() async throws {
        try await Program("login-kiosk-dev").run(["swarm", "--backend", "http://127.0.0.1:1"]).expect(
            69, "http://127.0.0.1:1", "hint: ")
    }

    @Test(arguments: [
        (["--backend", "nowhere"], "--backend nowhere"), (["--kiosks", "0"], "--kiosks"),
        (["--kiosks", "5001"], "--kiosks"), (["--browsers", "-1"], "--browsers"), (["--rate", "0"], "--rate"),
        (["--typing", "61"], "--typing"),
        (["--rate", "1000", "--for", "2000"], "1000000 logins"),
        (["--wrong-share", "0.1"], "--operator-password-file"),
        (["--wrong-share", "0.6", "--operator-password-file", "x"], "0 to 0.5"),
        (["--wrong-share", "0.5", "--kiosks", "9", "--operator-password-file", "x"], "more than half"),
    ])
    func whatMakesNoSenseIsRefused(_ options: [String], _ told: String) async throws {
        let place = options.contains("--backend") ? [String]() : ["--backend", "http://127.0.0.1:1"]
        try await Program("login-kiosk-dev").run(["swarm"] + place + options).expect(64, told)
    }
}
