// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import Testing
import LinuxSystem
@testable import Doors

@Suite struct DoorWebhookTests {
    let transport = FakeTransport(clock: ManualClock())
    let clock = ManualClock()
    static let opening = Opening(id: "0f", door: "main", userID: "a\"b@example.com", time: 1_795_299_330)

    private func webhook(token: String? = "secret-token", at host: String = "lock.test") throws -> DoorWebhook {
        DoorWebhook(
            url: try WebAddress("https://\(host)/open?side=left"),
            token: token.map { SecretBytes(copying: $0.utf8) }, transport: transport,
            trust: TrustPolicy(entries: [try TrustEntry("lock.test")]), time: Timekeeper(clock))
    }

    private func carryOut(_ webhook: DoorWebhook) async -> DoorFailure? {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await clock.waitForSleepers()
                clock.advance(by: DoorWebhook.retryPause)
            }
            defer { group.cancelAll() }
            do throws(DoorFailure) {
                try await webhook.carryOut(Self.opening)
                return nil
            } catch { return error }
        }
    }

    @Test(arguments: [200, 204, 299]) func tellsAnotherServer(_ status: Int) async throws {
        transport.on(.post, "/open", .status(status))
        #expect(await carryOut(try webhook()) == nil)
        let request = try #require(transport.requests.first)
        #expect(transport.requests.count == 1 && request.url.absoluteText == "https://lock.test/open?side=left")
        #expect(
            request.headers == [
                HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json"),
                HTTPHeader("Idempotency-Key", "0f"), HTTPHeader("Authorization", "Bearer secret-token"),
            ])
        let body = request.body?.withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
        #expect(
            body == #"{"door":"main","id":"0f","time":"2026-11-21T22:15:30Z","userID":"a\"b@example.com"}"#)
        transport.forgetRequests()
        #expect(await carryOut(try webhook(token: nil)) == nil)
        #expect(transport.requests.first?.headers.contains { $0.name == "Authorization" } == false)
    }

    /// A server with another key than the trust list's gets neither person nor time, and is not asked again.
    @Test func tellsNoServerWithAnotherKey() async throws {
        let pin = try #require(PublicKeyPin(digest: [UInt8](repeating: 1, count: 32)))
        let webhook = DoorWebhook(
            url: try WebAddress("https://lock.test/open"), token: nil, transport: transport,
            trust: TrustPolicy(lines: [try TrustLine("lock.test \(pin)")]), time: Timekeeper(clock))
        transport.on(.post, "/open", .status(200))
        #expect(await carryOut(webhook) == nil)
        #expect(transport.requests.map(\.pins) == [[pin]])
        transport.forgetRequests()
        transport.setKey(PublicKeyPin(digest: [UInt8](repeating: 2, count: 32)), of: webhook.url.origin)
        let failure = await carryOut(webhook)
        #expect(failure?.reason == .broken && transport.requests.isEmpty)
    }

    static let lost = FakeTransport.Behaviour.failure(
        HTTPTransportError(.timedOut, requestMayHaveBeenSent: true, detail: "late"))
    static let unsent = FakeTransport.Behaviour.failure(
        HTTPTransportError(.connectionFailed, requestMayHaveBeenSent: false, detail: "refused"))

    /// The server's behaviours, the number of requests, and the door's answer.
    static let courses: [([FakeTransport.Behaviour], Int, DoorFailure.Reason?)] = [
        ([lost, .status(200)], 2, nil), ([unsent, .status(200)], 2, nil), ([.status(503), .status(201)], 2, nil),
        ([.status(429), .status(200)], 2, nil), ([lost, unsent], 2, .unknown), ([unsent, unsent], 2, .broken),
        ([unsent, lost], 2, .unknown), ([.status(500), .status(500)], 2, .unknown),
        ([.status(429), .status(429)], 2, .broken), ([.status(403)], 1, .broken), ([.status(302)], 1, .broken),
        ([.status(409)], 1, .broken), ([lost, .status(404)], 2, .unknown),
    ]

    @Test(arguments: courses) func repeatsOnceWithTheSameKey(
        _ course: [FakeTransport.Behaviour], _ count: Int, _ reason: DoorFailure.Reason?
    ) async throws {
        let rest = Course(course)
        transport.on(.post, "/open") { _ in rest.next() }
        #expect(await carryOut(try webhook())?.reason == reason)
        #expect(transport.requests.count == count)
        #expect(transport.requests.allSatisfy { $0.headers.contains(HTTPHeader("Idempotency-Key", "0f")) })
        #expect(transport.requests.allSatisfy { $0.deadline == DoorWebhook.limit && !$0.isRepeatable })
    }

    @Test func asksNobodyWhoIsNotTrusted() async throws {
        let failure = await carryOut(try webhook(at: "evil.test"))
        #expect(failure?.reason == .broken && failure?.detail.contains("notListed") == true)
        #expect(transport.requests.isEmpty)
    }
}
