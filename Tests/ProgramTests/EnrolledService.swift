// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import Testing

/// A backend in a process of its own, and a kiosk's files with a user who is enrolled there.
final class EnrolledService {
    let site: String
    /// Options that name the kiosk's files.
    let places: [String]
    private var pin = ""
    private let backend: BackgroundProgram
    private let state: String

    /// A service at which nobody is enrolled yet.
    ///
    /// - Parameter options: of the backend.
    init(in scratch: Scratch, options: [String] = []) async throws {
        state = scratch.path("backend")
        backend = try BackgroundProgram(
            "login-kiosk", ["backend", "--listen", "127.0.0.1:0", "--state", state] + options, in: scratch)
        site = try await backend.line(after: "serving ")
        places = ["--state", scratch.path("kiosk"), "--config", scratch.path("config")]
        let trust = try await Program("login-kiosk").run(["trust", "add", host] + places)
        #expect(trust.status == 0, "\(trust)")
    }

    convenience init(user: String, pin: String, in scratch: Scratch) async throws {
        try await self.init(in: scratch)
        self.pin = pin
        try await enroll(user, pin: pin)
    }

    /// What the consent screen calls the domain.
    var host: String { String(site.dropFirst("http://".count)) }

    func enroll(_ user: String, pin: String) async throws {
        let kiosk = try Program("login-kiosk")
        let enrolment =
            ["enroll", "--backend", site, "--user", user, "--allow-loopback-http", "--wait", "0"] + places
        let begun = try await kiosk.run(enrolment)
        #expect(begun.status == 88 && begun.errors.contains("open the link in the mail"), "\(begun)")
        try await activate(user)
        let ended = try await kiosk.run(enrolment, input: "\(pin)\n")
        #expect(ended.status == 0, "\(ended)")
    }

    /// Does what the link in the mail does.
    func activate(_ user: String) async throws {
        let activation = try await Program("login-kiosk").run(["backend", "activate", user, "--state", state])
        #expect(activation.status == 0, "\(activation)")
    }

    /// Follows the link in the newest mail to a user, at a backend with a public outbox.
    func followMail(to user: String) async throws {
        struct Outbox: Decodable {
            struct Mail: Decodable { let to: String, link: String }
            let mails: [Mail]
        }
        var list = URLRequest(url: try #require(URL(string: site + "/outbox")))
        list.setValue("application/json", forHTTPHeaderField: "Accept")
        let (data, _) = try await URLSession.shared.data(for: list)
        let mail = try JSONDecoder().decode(Outbox.self, from: data).mails.first { $0.to == user }
        let parts = try #require(mail, "no mail to \(user)").link.split(separator: "?", maxSplits: 1)
        var button = URLRequest(url: try #require(URL(string: String(parts[0]))))
        button.httpMethod = "POST"
        button.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        button.httpBody = Data(try #require(parts.last).utf8)
        let (_, reply) = try await URLSession.shared.data(for: button)
        #expect((reply as? HTTPURLResponse)?.statusCode == 200)
    }

    /// Runs a kiosk with keys that consent to the first code and type the PIN, while browsers poll as their pages do.
    func runKiosk(source: String, in scratch: Scratch, polling browsers: [TestBrowser]) async throws
        -> BackgroundProgram
    {
        try Data("# Consent, then the PIN.\nwait 6\nenter\nwait 3\ntype \(pin)\nenter\nwait 3\n".utf8)
            .write(to: scratch.url.appending(path: "keys"))
        let run = try BackgroundProgram(
            "login-kiosk",
            ["run", "--source", source, "--keys", scratch.path("keys"), "--allow-loopback-http"] + places, in: scratch)
        while run.isRunning {
            for browser in browsers { try await browser.poll() }
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(try await run.waitForEnd() == 0, "\(run.errorText)")
        return run
    }

    func end() async throws { #expect(try await backend.end() == 0, "\(backend.errorText)") }
}
