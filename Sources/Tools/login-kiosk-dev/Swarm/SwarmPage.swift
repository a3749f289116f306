// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues
import MPinClient
import SimulatedCamera
import Synchronization

/// A browser at the backend's login page, with cookies and connections of its own.
final class SwarmPage: Sendable {
    /// The user whom a page greets, and the time of its answer.
    struct Greeting: Sendable {
        var user: String
        var at: ContinuousClock.Instant
    }

    private static let maximumCookies = 8
    private static let timeout = Duration.seconds(10)

    private let target: SwarmTarget
    private let number: Int
    private let typesCodes: Bool
    private let transport: ObservedTransport
    private let cookies = Mutex<[String: String]>([:])

    /// - Parameters:
    ///   - number: the number of the browser, for its address.
    ///   - typesCodes: whether the person types the code that stands beside the picture, instead of holding the picture
    ///     up.
    init(_ target: SwarmTarget, number: Int, typesCodes: Bool) throws {
        self.target = target
        self.number = number
        self.typesCodes = typesCodes
        transport = try target.transport()
    }

    /// Loads the page without cookies, as a browser in which nobody is logged in, and reads its code.
    ///
    /// - Returns: nil when there is no page or no code.
    func loadLoginCode() async -> AccessCode? {
        cookies.withLock { $0 = [:] }
        guard let page = try? await get("/") else { return nil }
        if typesCodes { return Self.code(in: page) }
        return (try? await get("/qr.png")).flatMap { Self.code(inPicture: [UInt8]($0)) }
    }

    /// Polls as the page's script does, until the page greets a user or the task is cancelled.
    func waitForGreeting() async -> Greeting? {
        var poll = StatusPoll()
        while !Task.isCancelled {
            if let status = try? await poll.next(self.status(after:)), let greeting = await greeting(after: status) {
                return greeting
            }
        }
        return nil
    }

    /// Polls once, and is answered at once.
    ///
    /// - Returns: nil when nobody is logged in, or there is no answer.
    func currentGreeting() async -> Greeting? {
        guard let status = try? await self.status(after: "") else { return nil }
        return await greeting(after: status)
    }

    private func status(after version: String) async throws -> BrowserStatus {
        let answer = try await get("/session?after=\(version)", timeout: StatusPoll.timeout)
        return try JSONDecoder().decode(BrowserStatus.self, from: answer)
    }

    /// Loads the page to which the script of a logged-in browser goes.
    ///
    /// - Returns: nil when nobody is logged in, or that page does not name the user.
    private func greeting(after status: BrowserStatus) async -> Greeting? {
        guard status.state == .authenticated, let user = status.user, let page = try? await get("/protected"),
            String(decoding: page, as: UTF8.self).contains(user)
        else { return nil }
        return Greeting(user: user, at: .now)
    }

    private func get(_ path: String, timeout: Duration = SwarmPage.timeout) async throws -> Data {
        var headers = [SwarmTarget.address(ofNumber: number)]
        let pairs = cookies.withLock { $0.map { "\($0.key)=\($0.value)" } }
        if !pairs.isEmpty { headers.append(HTTPHeader("Cookie", pairs.joined(separator: "; "))) }
        // A browser keeps its connection.
        let request = HTTPRequest(
            .get, try target.backend.appending(path), headers: headers, deadline: timeout, isRepeatable: true)
        let reply = try await transport.send(request)
        for (name, value) in reply.cookies {
            cookies.withLock { if $0[name] != nil || $0.count < Self.maximumCookies { $0[name] = value } }
        }
        guard reply.status == 200 else { throw BenchmarkError.program("\(path): HTTP \(reply.status)") }
        return reply.content
    }
}

extension HTTPResponse {
    var content: Data { body.withBytes { bytes in Data(bytes.indices.map { bytes[$0] }) } }

    /// Names and values, without attributes.
    var cookies: [(name: String, value: String)] {
        headers.compactMap { header in
            guard header.name.lowercased() == "set-cookie" else { return nil }
            let pair = header.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            return pair.count == 2 ? (String(pair[0]), String(pair[1])) : nil
        }
    }
}
