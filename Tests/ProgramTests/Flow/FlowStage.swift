// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import KioskCore
import KioskTestKit
import PictureTestKit
import Testing

/// Plays a script: a real kiosk on a terminal, a camera that sees what the script holds up, a real backend, a browser.
final class FlowStage {
    private static let patience = Duration.seconds(60)
    private static let pollInterval = Duration.milliseconds(200)

    private let service: EnrolledService
    private let camera: FlowCamera
    private let pictures: FlowPictures
    private let scratch: Scratch
    private var door: FlowDoor?
    private var browser: FlowBrowser?
    private var terminal: FlowTerminal?

    /// - Parameter script: what is going to be played, because it says what the backend is for.
    init(_ script: FlowScript, pictures: FlowPictures) async throws {
        let hasDoor = script.lines.contains { $0.action == .door }
        scratch = try Scratch()
        service = try await EnrolledService(
            in: scratch, options: ["--public-outbox"] + (hasDoor ? ["--company-id", FlowDoor.companyID] : []))
        camera = try FlowCamera(in: scratch)
        self.pictures = pictures
    }

    deinit { camera.stop() }

    /// Plays every line and ends the kiosk.
    ///
    /// - Throws: a failed requirement that names the line.
    func play(_ script: FlowScript) async throws {
        for line in script.lines {
            switch line.action {
            case .user(let user, let pin): try await service.enroll(user, pin: pin)
            case .door: door = try FlowDoor(service: service.site + "/mfa-v2", in: scratch)
            default:
                let terminal = try await kiosk()
                try await play(line.action, on: terminal, "line \(line.number)")
            }
        }
        guard let terminal else { return }
        #expect(try await terminal.end() == 0, "\(terminal.errorText)")
        try await service.end()
    }

    /// Starts with the first line that needs it.
    private func kiosk() async throws -> FlowTerminal {
        if let terminal { return terminal }
        let terminal = try FlowTerminal(
            ["run", "--source", camera.source, "--allow-loopback-http"] + service.places, in: scratch)
        self.terminal = terminal
        try await wait("the kiosk listens", on: terminal) { terminal.isListening }
        return terminal
    }

    private func play(_ action: FlowAction, on terminal: FlowTerminal, _ place: String) async throws {
        switch action {
        case .user, .door: break
        case .sight(let sight): try await look(at: sight)
        case .waitForStage(let stage):
            let sentence = try #require(stage.sentence, "\(place): a stage that no sentence tells")
            try await wait("\(place): \(stage)", on: terminal) { FlowStage.flat(terminal.text).contains(sentence) }
        case .waitForText(let text):
            try await wait("\(place): \(text)", on: terminal) { FlowStage.flat(terminal.text).contains(text) }
        case .expect(let text):
            // A key that was just pressed may still be on its way to the screen.
            try await wait("\(place): \(text)", on: terminal, within: .seconds(5)) {
                FlowStage.flat(terminal.text).contains(text)
            }
        case .press(let keys): for key in keys { try await terminal.press(key) }
        case .accessNumber:
            let browser = try await FlowBrowser(site: service.site)
            self.browser = browser
            for digit in try await browser.accessNumber().utf8 { try await terminal.press(.digit(digit - 0x30)) }
        case .activate(let user): try await service.followMail(to: user)
        case .opened(let user):
            let door = try #require(door, "\(place): there is no door")
            #expect(try door.people == [user], "\(place)")
        case .browser(let user):
            let browser = try #require(browser, "\(place): no login page was shown")
            try await wait("\(place): logged in", on: terminal) { try await browser.isLoggedIn(as: user) }
        case .screenshot(let name):
            pictures.compare(terminal.text.replacing(service.host, with: "login.example.com"), name, place)
        }
    }

    private func look(at sight: FlowAction.Sight) async throws {
        switch sight {
        case .wall: camera.show(nil)
        case .code(let text): camera.show(QRPicture.encode(text, scale: 5))
        case .loginPage:
            let browser = try await FlowBrowser(site: service.site)
            self.browser = browser
            camera.show(try Picture(decoding: Array(try await browser.picture()), from: "/qr.png"))
        }
    }

    private func wait(
        _ what: String, on terminal: FlowTerminal, within limit: Duration = patience,
        until isSo: () async throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while try await !isSo() {
            try #require(
                ContinuousClock.now < deadline && terminal.isRunning, "\(what)\n\(terminal.text)\n\(terminal.errorText)"
            )
            try await browser?.poll()
            try await Task.sleep(for: FlowStage.pollInterval)
        }
    }

    /// The rows as one line, so that a sentence is found wherever it was broken.
    private static func flat(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension KioskStage {
    /// What the screen says at this stage and at no other.
    fileprivate var sentence: String? {
        switch self {
        case .firstRun: "! No trusted service configured"
        case .scan: "> Scan the login QR code"
        case .menu: "? What would you like to do?"
        case .serviceChoice: "? Which service?"
        case .codeEntry: "? Type the code of the login page"
        case .connecting: "... Connecting"
        case .consent: "? Do you want to log in here?"
        case .identityChoice: "? Who are you?"
        case .identityEntry: "? Register: what is your e-mail address?"
        case .emailConfirmation: "? Confirm your e-mail"
        case .newPIN: "? Choose a new PIN"
        case .newPINAgain: "? Type the new PIN again"
        case .pin: "? Enter your PIN"
        case .authenticating: "... Logging in"
        case .documentChoice: "? What do you want to sign?"
        case .document: "? Read what you sign"
        case .signQuestion: "? Sign?"
        case .signing: "... Signing"
        case .wrongPIN: "X Wrong PIN"
        case .issuedCode: "Seconds left:"
        case .activationEntry: "? Type the code from your other device"
        case .identityDetails: "? Your identity on this device"
        case .loggingOut: "... Logging the browser out"
        case .outcome: "[Enter] Continue"
        case .stopped: "! The kiosk is switched off"
        case .registering: nil
        }
    }
}
