// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

/// Secrets between program and server appear in nothing that others can read, at the log's finest level.
@Suite(.fewAtATime) struct SecretsTests {
    /// The members of requests and replies with secret values.
    static let members = [
        "regOTT", "authOTT", "wid", "WID", "clientSecret", "clientSecretShare", "timePermit", "U", "UT", "V", "y",
        "params",
    ]

    @Test func staySecret() async throws {
        let kiosk = try await KioskWithUser()
        let code = try await kiosk.accessCode()
        // While the program waits for a reply, every user of the machine may list its arguments.
        let listing = Mutex("")
        kiosk.server.observe { _ in
            let text = SecretsTests.processes()
            listing.withLock { $0 += text }
        }
        var runs = [kiosk.registration]
        var exchanges = kiosk.registrationExchanges
        // A login whose browser never comes, a wrong PIN, and a server that repeats its input. The answer to the
        // announcement of a user does not matter.
        kiosk.server.tell(LyingServer.Lie(endpoint: .announcement) { _, _ in [] })
        runs.append(try await kiosk.logIn(code))
        kiosk.server.tell(nil)
        runs.append(try await kiosk.logIn(try await kiosk.accessCode(), pin: "739155"))
        for endpoint in Endpoint.allCases where !endpoint.belongsToRegistration {
            kiosk.server.tell(
                LyingServer.Lie(endpoint: endpoint) { request, _ in
                    let echo = String(decoding: request.bytes, as: UTF8.self)
                    let line = echo.filter { $0.isASCII && !$0.isNewline && $0 >= " " }
                    return WireMessage.reply("500 \(line)", echo, headers: ["X-Echo: \(line)"]).bytes
                })
            runs.append(try await kiosk.logIn(try await kiosk.accessCode()))
        }
        exchanges += kiosk.server.takeExchanges()

        let secrets = Self.secrets(in: exchanges).union([KioskWithUser.pin, "739155", code])
        #expect(secrets.count > 20)
        #expect(runs.map(\.outcome).prefix(3) == ["registered", "browserTimedOut", "wrongPIN"])
        let processes = listing.withLock { $0 }
        #expect(processes.contains("--user \(KioskWithUser.user)"), "the program itself is not in the listing")
        for secret in secrets {
            for run in runs {
                #expect(!run.output.contains(secret) && !run.errors.contains(secret), "\(secret): \(run)")
            }
            #expect(!processes.contains(secret), "\(secret) in the listing of processes")
        }
    }

    /// No crash writes secrets to a disk, and no other program of the same user can read them.
    @Test(
        Preloaded.isPossible,
        arguments: [["--version"], ["trust", "list", "--config", "/nowhere"], ["run", "--no-such-option"]])
    func theMemoryIsForNoOther(words: [String]) async throws {
        let scratch = try Scratch()
        var program = try Program("login-kiosk")
        program.environment = try await Preloaded.environment("dumpable", in: scratch)
        let run = try await program.run(words)
        #expect(run.errors.contains("dumpable 0 core 0\n"), "\(run)")
    }

    static func secrets(in exchanges: [(request: WireMessage, reply: WireMessage)]) -> Set<String> {
        var found: Set<String> = []
        for text in exchanges.flatMap({ [$0.request.bodyText, $0.reply.bodyText] }) {
            for match in text.matches(of: /"([A-Za-z]+)":"([^"]{16,})"/) where members.contains(String(match.output.1))
            {
                found.insert(String(match.output.2))
            }
        }
        return found
    }

    /// Arguments and environment of all processes, whole: Foundation's other calls stop at the first page of such a file.
    static func processes() -> String {
        let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { Int($0) != nil }
        return numbers.flatMap { ["/proc/\($0)/cmdline", "/proc/\($0)/environ"] }
            .compactMap { try? FileHandle(forReadingAtPath: $0)?.readToEnd() }
            .map { String(decoding: $0, as: UTF8.self).replacing("\0", with: " ") }.joined(separator: "\n")
    }
}
