// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import Patience
import Testing

/// The memory of kiosk and backend during a login, byte for byte.
@Suite(
    "Secrets in memory", .fewAtATime,
    .enabled(if: ProcessImage.isPossible, "needs root, who may read the memory of other processes"))
struct LoginMemoryTests {
    private static let user = "carol@example.com"
    private static let typed = KioskWithUser.pin

    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// While a PIN is typed it is in locked memory only, and afterwards nowhere. The backend never has it.
    @Test func ofAPINNothingStays() async throws {
        let backendPort = try LoopbackListener.freePort()
        let service = try await ServiceWithUser(
            in: scratch, options: ["--log-level", "trace", "--metrics-port", "\(backendPort)"])
        try await service.enroll(Self.user, pin: Self.typed)
        let browser = try await SiteClient(opening: service.site)
        let picture = try await browser.picture()
        try picture.write(to: scratch.url.appending(path: "code.png"))
        let kioskPort = try LoopbackListener.freePort()
        let terminal = try FlowTerminal(
            ["run", "--source", "file,loop:\(scratch.path("code.png"))", "--log-level", "trace"]
                + service.options(service.places),
            settings: ["LOGIN_KIOSK_METRICS_PORT": "\(kioskPort)"], in: scratch)
        let kiosk = terminal.processID
        let pin = SecretForms(Self.typed)

        try await terminal.shows("Do you want to log in here?")
        try await terminal.press(.enter)
        try await terminal.shows("Enter your PIN")
        let before = try ProcessImage(of: kiosk).places(of: pin)
        #expect(before.isEmpty, "this PIN is there before it is typed, so take another: \(before)")
        try await typePIN(on: terminal)
        let held = try ProcessImage(of: kiosk).places(of: pin)
        #expect(!held.isEmpty && held.allSatisfy(\.isOfSecrets), "\(held)")

        try await terminal.press(.clear)
        try await terminal.shows("______")
        try await isGone(pin, from: kiosk)
        try await typePIN(on: terminal)
        try await terminal.press(.enter)
        try await terminal.shows("Login successful", polling: [browser])
        // This screen goes by itself.
        try await terminal.wait { !terminal.text.contains("Login successful") }
        try await isGone(pin, from: kiosk)
        try keysAreLocked(in: kiosk)

        let backend = try ProcessImage(of: service.processID)
        #expect(!backend.places(of: SecretForms(Self.user)).isEmpty)
        let known = backend.places(of: pin)
        #expect(known.isEmpty, "\(known)")

        let code = SecretForms(try FlowBrowser.accessCode(in: picture))
        for (port, name) in [(backendPort, "# TYPE "), (kioskPort, "login_kiosk_sessions_total")] {
            let metrics = try await SiteClient(site: "http://127.0.0.1:\(port)").page("/metrics")
            #expect(metrics.contains(name) && !pin.isIn(metrics) && !code.isIn(metrics), "\(metrics)")
        }
        #expect(try await terminal.end() == 0, "\(terminal.errorText)")
        try await service.end()
        let audit = try String(contentsOfFile: scratch.path("kiosk/audit/audit.jsonl"), encoding: .utf8)
        #expect(SecretForms(Self.user).isIn(audit) && !pin.isIn(audit) && !code.isIn(audit), "\(audit)")
    }

    private func typePIN(on terminal: FlowTerminal) async throws {
        try await terminal.press(digits: Self.typed)
        try await terminal.shows("******")
    }

    /// A screen may be there a moment before the memory of its PIN is wiped.
    private func isGone(_ secret: SecretForms, from process: Int32) async throws {
        var left: [ProcessImage.Mapping] = []
        let isGone = try await Patience.wait {
            left = try ProcessImage(of: process).places(of: secret)
            return left.isEmpty ? true : nil
        }
        #expect(isGone == true, "\(left)")
    }

    /// The key of the identities at rest.
    private func keysAreLocked(in process: Int32) throws {
        let content = try Data(contentsOf: scratch.url.appending(path: "config/identities.key"))
        let key = SecretForms(key: Array(content))
        let held = try ProcessImage(of: process).places(of: key)
        #expect(!held.isEmpty && held.allSatisfy(\.isOfSecrets), "\(held)")
    }
}
