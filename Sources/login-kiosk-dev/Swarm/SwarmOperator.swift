// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import LoginValues
import MPinClient

/// The operator, at the backend's own page: confirms registrations, and reads how many wrong PINs are counted.
actor SwarmOperator {
    /// More than 50,000 identities are more than a swarm has.
    private static let maximumPages = 1_000
    private static let maximumPassword = 4_096

    private let place: SwarmPlace
    private let transport: WatchedTransport
    private let passwordFile: String
    private var cookie: String?

    init(_ place: SwarmPlace, passwordFile: String) throws {
        self.place = place
        self.passwordFile = passwordFile
        transport = try place.transport()
    }

    /// Confirms a user's open registration.
    func activate(_ user: String) async throws {
        var found: OperatorList.Row?
        var (list, session) = (OperatorList(), "")
        var number = 0
        repeat {
            number += 1
            (list, session) = try await page(number)
            found = list.rows.first { $0.user == user && $0.status == "unconfirmed" }
        } while found == nil && number < min(list.pages, Self.maximumPages)
        guard let found else { throw BenchmarkError.program("the operator's page has no registration of \(user)") }
        try await send(
            "/operator/identities",
            "token=\(list.token)&user=\(found.user.replacing("@", with: "%40"))&identity=\(found.fingerprint)"
                + "&page=\(number)&action=activate", session)
    }

    /// Wrong PINs by user, of all identities.
    func wrongPINs() async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        var (number, pages) = (0, 1)
        while number < min(pages, Self.maximumPages) {
            number += 1
            let list = try await page(number).list
            pages = list.pages
            for row in list.rows { counts[row.user, default: 0] += row.wrongPINs }
        }
        return counts
    }

    /// - Returns: the list, and the cookie that the forms of this page are for: others may log in meanwhile.
    private func page(_ number: Int) async throws -> (list: OperatorList, cookie: String) {
        for _ in 0..<2 {
            let session: String
            if let cookie { session = cookie } else { session = try await logIn() }
            let reply = try await ask(.get, "/operator?page=\(number)", cookie: session)
            if reply.status == 200, let list = OperatorList(page: reply.content) { return (list, session) }
            // The session is over: another password, or a database that forgot it.
            if cookie == session { cookie = nil }
        }
        throw BenchmarkError.program("the operator's page does not show its list")
    }

    private func logIn() async throws -> String {
        let file = try OwnedFile.read(passwordFile, .secret, upTo: Self.maximumPassword)
        var body = Array("password=".utf8)
        // Its letters need no escape.
        body += file.prefix { $0 > 0x20 }
        let reply = try await ask(.post, "/operator/login", SecretBytes(copying: body))
        guard let session = reply.cookies.last.map({ "\($0.name)=\($0.value)" }) else {
            throw BenchmarkError.program("the operator's page takes no password of \(passwordFile): \(reply.status)")
        }
        cookie = session
        return session
    }

    private func send(_ path: String, _ form: String, _ cookie: String) async throws {
        let reply = try await ask(.post, path, SecretBytes(copying: Array(form.utf8)), cookie: cookie)
        guard (200..<400).contains(reply.status) else {
            throw BenchmarkError.program("the operator's page answers \(reply.status)")
        }
    }

    private func ask(
        _ method: HTTPRequest.Method, _ path: String, _ form: SecretBytes? = nil, cookie: String? = nil
    ) async throws -> HTTPResponse {
        var headers = [SwarmPlace.address(ofNumber: 0)]
        if let cookie { headers.append(HTTPHeader("Cookie", cookie)) }
        if form != nil {
            headers.append(HTTPHeader("Origin", "\(place.backend.origin)"))
            headers.append(HTTPHeader("Content-Type", "application/x-www-form-urlencoded"))
        }
        return try await transport.send(
            HTTPRequest(method, try place.backend.appending(path), headers: headers, body: form))
    }
}

/// What the operator's page says.
struct OperatorList: Equatable {
    struct Row: Equatable {
        var user: String
        var fingerprint: String
        var status: String
        var wrongPINs: Int
    }

    var rows: [Row] = []
    /// Goes with each form.
    var token = ""
    var pages = 1

    init() {}

    /// - Returns: nil for any other page, such as that which asks for the password.
    init?(page: Data) {
        let text = String(decoding: page, as: UTF8.self)
        guard let token = text.firstMatch(of: #/name="token" value="([0-9a-f]{1,128})"/#) else { return nil }
        self.token = String(token.1)
        pages = text.firstMatch(of: #/Page [0-9]{1,6} of ([0-9]{1,6})/#).flatMap { Int($0.1) } ?? 1
        for line in text.split(separator: "\n") where line.hasPrefix("<tr><td>") {
            let cells = line.dropFirst("<tr><td>".count).split(separator: "</td><td>", omittingEmptySubsequences: false)
            guard cells.count >= 4, let fingerprint = cells[1].wholeMatch(of: #/<code>([0-9a-f]{1,64})</code>/#) else {
                continue
            }
            rows.append(
                Row(
                    user: String(cells[0]), fingerprint: String(fingerprint.1),
                    status: String(cells[2].prefix { $0 != "," }), wrongPINs: Int(cells[3]) ?? 0))
        }
    }
}
