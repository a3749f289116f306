// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import LoginValues
import MPinClient

/// The operator at the backend's page. It confirms registrations and reads the counts of wrong PINs.
actor SwarmOperator {
    /// More than 25,000 identities, more than a swarm has.
    private static let maximumPages = 1_000
    private static let maximumPassword = 4_096

    private let target: SwarmTarget
    private let transport: ObservedTransport
    private let passwordFile: String
    private var cookie: String?

    init(_ target: SwarmTarget, passwordFile: String) throws {
        self.target = target
        self.passwordFile = passwordFile
        transport = try target.transport()
    }

    /// Confirms a user's open registration.
    func activate(_ user: String) async throws {
        let name = user.replacing("@", with: "%40")
        let (list, session) = try await page("/operator?state=unconfirmed&q=\(name)")
        guard let found = list.rows.first(where: { $0.user == user && $0.status == "unconfirmed" }) else {
            throw BenchmarkError.program("the operator's page has no registration of \(user)")
        }
        try await send(
            "/operator/identities",
            "token=\(found.token)&user=\(name)&identity=\(found.fingerprint)&action=activate", session)
    }

    /// Wrong PINs by user, of all identities.
    func wrongPINs() async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        var (number, next): (Int, String?) = (0, "/operator")
        while let address = next, number < Self.maximumPages {
            number += 1
            let list = try await page(address).list
            next = list.next
            for row in list.rows { counts[row.user, default: 0] += row.wrongPINs }
        }
        return counts
    }

    /// - Returns: the list, and the cookie of its forms: another task may have logged in since.
    private func page(_ address: String) async throws -> (list: OperatorList, cookie: String) {
        for _ in 0..<2 {
            let session: String
            if let cookie { session = cookie } else { session = try await logIn() }
            let reply = try await ask(.get, address, cookie: session)
            if reply.status == 200, let list = OperatorList(page: reply.content) { return (list, session) }
            // The session is over: the password was changed, or the database lost it.
            if cookie == session { cookie = nil }
        }
        throw BenchmarkError.program("the operator's page does not show its list")
    }

    private func logIn() async throws -> String {
        let file = try OwnedFile.read(passwordFile, .secret, upTo: Self.maximumPassword)
        var body = Array("password=".utf8)
        // The password's characters need no escape.
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
        var headers = [SwarmTarget.address(ofNumber: 0)]
        if let cookie { headers.append(HTTPHeader("Cookie", cookie)) }
        if form != nil {
            headers.append(HTTPHeader("Origin", "\(target.backend.origin)"))
            headers.append(HTTPHeader("Content-Type", "application/x-www-form-urlencoded"))
        }
        return try await transport.send(
            HTTPRequest(method, try target.backend.appending(path), headers: headers, body: form))
    }
}

/// The content of the operator's page.
struct OperatorList: Equatable {
    struct Row: Equatable {
        var user: String
        var fingerprint: String
        var status: String
        var wrongPINs: Int
        /// The token for its form; empty without a form.
        var token: String
    }

    var rows: [Row] = []
    /// The address of the next page; nil for the last.
    var next: String?

    init() {}

    /// - Returns: nil for any other page, such as the one that asks for the password.
    init?(page: Data) {
        let text = String(decoding: page, as: UTF8.self)
        guard text.contains("action=\"/operator/logout\"") else { return nil }
        next = text.firstMatch(of: #/rel="next" href="(\/operator\?[^"\n]{1,10000})"/#)
            .map { String($0.1).replacing("&amp;", with: "&") }
        let row =
            #/<tr role="row" data-identity="([0-9a-f]{1,64})" data-state="([a-z]{1,32})" data-failures="([0-9]{1,6})">/#
        for line in text.split(separator: "\n") {
            guard let head = line.prefixMatch(of: row), let user = line.firstMatch(of: #/<bdi>([^<]*)</bdi>/#) else {
                continue
            }
            rows.append(
                Row(
                    user: String(user.1), fingerprint: String(head.1), status: String(head.2),
                    wrongPINs: Int(head.3) ?? 0,
                    token: line.firstMatch(of: #/name="token" value="([0-9a-f]{1,128})"/#).map { String($0.1) } ?? ""))
        }
    }
}
