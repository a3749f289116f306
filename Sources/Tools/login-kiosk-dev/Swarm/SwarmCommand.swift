// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import LinuxSystem

struct SwarmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swarm", abstract: "Log in with many kiosks and browsers at once, at any backend.",
        discussion: """
            Each kiosk is the SDK with an identity of its own, registered before the load; each browser opens the \
            login page and waits for its login, as the page's script does. docs/load.md has the figures. It ends by \
            itself: with 1 when a verdict was wrong, a login was lost, or a wrong PIN was not counted exactly once.

            The backend has to know that each kiosk is somewhere else, or it bounds all of them as one address: let \
            it trust this machine as a proxy, --trusted-proxy 127.0.0.1.
            """)

    @Option(
        help: """
            Address of the login page: a backend's own, or a balancer's. Without one a backend is started beside it, \
            with SQLite, and ends with it.
            """)
    var backend: String?
    @Option(help: "Kiosks, up to 5000.") var kiosks = 100
    @Option(help: "Browsers, up to 5000; 0: the devices log themselves in.") var browsers = 100
    @Option(help: "Logins a second.") var rate = 10.0
    @Option(name: .customLong("for"), help: "Seconds in which people come.") var seconds = 10.0
    @Option(help: "Share of the logins at which a wrong PIN is typed, 0 to 0.5; needs the operator's password.")
    var wrongShare = 0.0
    @Option(help: "Seconds that a person at a browser takes until the last digit, 0 to 60.") var typing = 2.0
    @Flag(help: "People type the number that stands beside the picture, as where no camera works.") var typed = false
    @Option(help: "What the order of things comes from.") var seed: UInt64 = 1
    @Option(help: "PEM file of the authorities that vouch for the backend's certificate.") var caFile: String?
    @Option(
        help: """
            The file operator-password of the backend's state directory: to confirm registrations, and to read at the \
            end how many wrong PINs are counted.
            """)
    var operatorPasswordFile: String?
    @Flag(help: "Print an object; its members are in docs/load.md.") var json = false

    private static let maximumPlaces = 5_000
    private static let maximumSeconds = 86_400.0
    /// Descriptors of each kiosk and browser: a thread's pipe, a kept connection, and those that are used once.
    private static let descriptorsPerPlace = 8

    func validate() throws {
        guard (1...Self.maximumPlaces).contains(kiosks), (0...Self.maximumPlaces).contains(browsers) else {
            throw ValidationError("--kiosks takes 1 to 5000, --browsers 0 to 5000")
        }
        guard rate > 0, rate <= 100_000, seconds > 0, seconds <= Self.maximumSeconds,
            rate * seconds <= Double(SwarmPlan.maximumLogins)
        else { throw ValidationError("--rate and --for: at most 1000000 logins within a day") }
        guard (0...60).contains(typing) else { throw ValidationError("--typing takes 0 to 60") }
        guard (0...0.5).contains(wrongShare) else { throw ValidationError("--wrong-share takes 0 to 0.5") }
        guard wrongShare == 0 || operatorPasswordFile != nil || backend == nil else {
            throw ValidationError(
                "--wrong-share needs --operator-password-file: else the counts of wrong PINs cannot be compared")
        }
        let wrong = (rate * seconds * wrongShare).rounded()
        guard wrong * 2 <= Double(kiosks) else {
            throw ValidationError(
                "--wrong-share: each of \(Int(wrong)) wrong PINs puts a kiosk aside, which are more than half of them")
        }
    }

    func run() async throws {
        try Self.raiseDescriptors(to: (kiosks + browsers) * Self.descriptorsPerPlace + 256)
        guard let backend else { return try await runAtBackendOfItsOwn() }
        try await run(at: backend, operatorPasswordFile)
    }

    private func runAtBackendOfItsOwn() async throws {
        let process: BackendProcess
        do { process = try await BackendProcess(options: ["--trusted-proxy", "127.0.0.1"]) } catch {
            throw Complaint.make("\(error)", hint: "make load builds both", status: .unavailable)
        }
        // Keeps it until the run has ended.
        defer { withExtendedLifetime(process) {} }
        try await run(at: process.site, process.state + "/operator-password")
    }

    private func run(at backend: String, _ operatorPasswordFile: String?) async throws {
        let swarm: Swarm
        do {
            swarm = try Swarm(
                Swarm.Settings(
                    backend: backend, kiosks: kiosks, browsers: browsers, rate: rate, seconds: seconds,
                    typing: .seconds(typing), typesCodes: typed, wrongShare: wrongShare, seed: seed,
                    authorityFile: caFile,
                    operatorPasswordFile: operatorPasswordFile))
        } catch {
            throw Complaint.make(
                "--backend \(backend): \(error)", hint: "for example http://127.0.0.1:8480", status: .usage)
        }
        let report: SwarmReport
        do {
            report = try await swarm.run { StandardStream.error.write("swarm: \($0)\n") }
        } catch {
            throw Complaint.make(
                "\(backend): \(error)", hint: "see whether it serves, and its log", status: .unavailable)
        }
        if json {
            try JSONOutput.write(report, keys: .convertToSnakeCase)
        } else {
            try Output.write(report.text + "\n")
        }
        if report.problems.hasFaults { throw ExitCode.failure }
        if let problem = report.problems.notCompared {
            throw Complaint.make(
                "\(backend): wrong PINs are not compared: \(problem)", hint: "look whether it still serves",
                status: .unavailable)
        }
    }

    private static func raiseDescriptors(to needed: Int) throws {
        var limit = rlimit()
        // SAFETY: the calls read and fill in the given structure.
        guard unsafe getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        if limit.rlim_cur < rlim_t(needed) {
            limit.rlim_cur = min(limit.rlim_max, rlim_t(needed))
            _ = unsafe setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
        }
        guard limit.rlim_cur >= rlim_t(needed) else {
            throw Complaint.make(
                "so many kiosks and browsers need \(needed) open files, and \(limit.rlim_max) are allowed",
                hint: "ulimit -Hn \(needed), or fewer of them", status: .configuration)
        }
    }
}
