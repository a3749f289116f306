// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues
import MPinClient
import Synchronization

/// A browser at the backend's login page, with cookies and connections of its own.
final class SwarmPage: Sendable {
    /// The state that the backend tells the page's script.
    struct State: Decodable, Equatable {
        var state: String
        var user: String
        /// The name that tells this answer from others; nil where the backend holds no questions.
        var version: String?
    }

    /// Whom a page greets, and since when.
    struct Greeting: Sendable {
        var user: String
        var at: ContinuousClock.Instant
    }

    private static let maximumCookies = 8
    /// As long as the page's script waits for an answer.
    private static let questionDeadline = Duration.seconds(40)

    private let target: SwarmTarget
    private let number: Int
    private let typesCodes: Bool
    private let transport: ObservedTransport
    private let cookies = Mutex<[String: String]>([:])

    /// - Parameters:
    ///   - number: whose address it has.
    ///   - typesCodes: whether the person types what stands beside the picture, instead of holding it up.
    init(_ target: SwarmTarget, number: Int, typesCodes: Bool) throws {
        self.target = target
        self.number = number
        self.typesCodes = typesCodes
        transport = try target.transport()
    }

    /// Opens the page anew, as a browser at which no person is logged in.
    ///
    /// - Returns: nil when there is no page.
    func open() async -> AccessCode? {
        cookies.withLock { $0 = [:] }
        guard let page = await get("/") else { return nil }
        if typesCodes { return Self.code(in: page) }
        return await get("/qr.png").flatMap { Self.code(inPicture: [UInt8]($0)) }
    }

    /// Asks as the page's script does, until it greets a person or the task is cancelled: one question after the other,
    /// each of which the backend holds until there is another answer. Only after an answer without news the next
    /// question waits until a second has passed since the last one.
    ///
    /// - Returns: whom, and when it knew; nil when it greets no person.
    func watch() async -> Greeting? {
        var known = ""
        while !Task.isCancelled {
            var next = ContinuousClock.now + .seconds(1)
            if let state = await look(after: known) {
                // The script goes on to the page that only people see who are logged in.
                if state.state == "authenticated", let greeting = await greeting(of: state.user) { return greeting }
                if let version = state.version, version != known { next = .now }
                known = state.version ?? ""
            } else {
                known = ""
            }
            guard (try? await Task.sleep(until: next)) != nil else { return nil }
        }
        return nil
    }

    /// Asks once how the login is.
    ///
    /// - Parameter version: of the answer that is known; without one the backend answers at once.
    /// - Returns: nil when there was no answer.
    func look(after version: String = "") async -> State? {
        await get("/session?after=\(version)", deadline: Self.questionDeadline)
            .flatMap { try? JSONDecoder().decode(State.self, from: $0) }
    }

    /// - Returns: nil when the page that a person comes to by the login does not greet them.
    func greeting(of user: String) async -> Greeting? {
        guard let page = await get("/protected"), String(decoding: page, as: UTF8.self).contains(user) else {
            return nil
        }
        return Greeting(user: user, at: .now)
    }

    /// - Returns: nil when there was no answer, or another one than 200.
    private func get(_ path: String, deadline: Duration = .seconds(10)) async -> Data? {
        guard let url = try? target.backend.appending(path) else { return nil }
        var headers = [SwarmTarget.address(ofNumber: number)]
        let pairs = cookies.withLock { $0.map { "\($0.key)=\($0.value)" } }
        if !pairs.isEmpty { headers.append(HTTPHeader("Cookie", pairs.joined(separator: "; "))) }
        // A browser keeps its connection.
        let request = HTTPRequest(.get, url, headers: headers, deadline: deadline, isRepeatable: true)
        guard let reply = try? await transport.send(request) else { return nil }
        for (name, value) in reply.cookies {
            cookies.withLock { if $0[name] != nil || $0.count < Self.maximumCookies { $0[name] = value } }
        }
        return reply.status == 200 ? reply.content : nil
    }
}

extension HTTPResponse {
    var content: Data { body.withBytes { bytes in Data(bytes.indices.map { bytes[$0] }) } }

    /// Names and values, without what is said about them.
    var cookies: [(name: String, value: String)] {
        headers.compactMap { header in
            guard header.name.lowercased() == "set-cookie" else { return nil }
            let pair = header.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            return pair.count == 2 ? (String(pair[0]), String(pair[1])) : nil
        }
    }
}
