// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import KioskPorts
import LoginValues
import MPinClient
import Scanning
import Synchronization

/// A browser at the backend's login page, with cookies and connections of its own.
final class SwarmPage: Sendable {
    /// The state that the backend tells the page's script.
    struct State: Decodable, Equatable {
        var state: String
        var user: String
    }

    private static let maximumCookies = 8

    private let place: SwarmPlace
    private let number: Int
    private let typesCodes: Bool
    private let transport: WatchedTransport
    private let cookies = Mutex<[String: String]>([:])
    /// After this the page asks once more, and no further.
    private let lastLook = Mutex(ContinuousClock.now)

    /// - Parameters:
    ///   - number: whose address it has.
    ///   - typesCodes: whether the person types what stands beside the picture, in place of holding it up.
    init(_ place: SwarmPlace, number: Int, typesCodes: Bool) throws {
        self.place = place
        self.number = number
        self.typesCodes = typesCodes
        transport = try place.transport()
    }

    /// Opens the page anew, as a browser at which no person is logged in.
    ///
    /// - Parameter patience: how long it asks how its login is, unless it hears that by ``look(for:)``.
    /// - Returns: nil when there is no page.
    func open(patience: Duration) async -> AccessCode? {
        cookies.withLock { $0 = [:] }
        look(for: patience)
        guard let page = await get("/") else { return nil }
        if typesCodes { return Self.code(in: page) }
        return await get("/qr.png").flatMap { Self.code(inPicture: [UInt8]($0)) }
    }

    /// How much longer it asks.
    func look(for time: Duration) { lastLook.withLock { $0 = .now + time } }

    /// Asks once and again, as the page's script does, until it greets a person.
    ///
    /// - Returns: whom, and when it knew; nil when it greets no person.
    func watch(every pause: Duration) async -> (user: String, at: ContinuousClock.Instant)? {
        while !Task.isCancelled {
            guard (try? await Task.sleep(for: pause)) != nil else { return nil }
            let isLast = lastLook.withLock { $0 } <= .now
            if let reply = await get("/session"), let state = try? JSONDecoder().decode(State.self, from: reply),
                state.state == "authenticated"
            {
                return (state.user, .now)
            }
            if isLast { return nil }
        }
        return nil
    }

    /// The code that may be typed instead of showing the picture.
    static func code(in page: Data) -> AccessCode? {
        guard let mark = page.range(of: Data(#"<code id="code">"#.utf8)),
            let end = page.range(of: Data("<".utf8), in: mark.upperBound..<page.endIndex)
        else { return nil }
        return AccessCode(Array(page[mark.upperBound..<end.lowerBound]).span)
    }

    /// The code of the picture, as a kiosk's scanner reads it.
    static func code(inPicture file: [UInt8]) -> AccessCode? {
        guard let picture = try? Picture(decoding: file, from: "the page's picture") else { return nil }
        var scanner = Scanner(effort: .untilFound)
        let symbols = picture.withFrame(captured: .zero) { scanner.symbols(in: $0) }
        return symbols.lazy.compactMap { symbol in
            symbol.payload.withBytes { try? LoginRequest(symbol: $0).accessCode }
        }.first
    }

    /// - Returns: nil when there was no answer, or another one than 200.
    private func get(_ path: String) async -> Data? {
        guard let url = try? place.backend.appending(path) else { return nil }
        var headers = [SwarmPlace.address(ofNumber: number)]
        let pairs = cookies.withLock { $0.map { "\($0.key)=\($0.value)" } }
        if !pairs.isEmpty { headers.append(HTTPHeader("Cookie", pairs.joined(separator: "; "))) }
        // A browser keeps its connection.
        guard let reply = try? await transport.send(HTTPRequest(.get, url, headers: headers, isRepeatable: true))
        else { return nil }
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
