// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import KioskPorts
import KioskTestKit
import Patience
import PictureTestKit
import Testing

/// Plays a script with a real kiosk on a terminal, a camera for the script's pictures, a real backend, and a browser.
final class FlowStage {
    private static let patience = Duration.seconds(60)
    private static let pollInterval = Duration.milliseconds(200)

    private let service: ServiceWithUser
    private let camera: FlowCamera
    private let pictures: FlowPictures
    private let scratch: Scratch
    private var documents: FlowDocuments
    private var door: FlowDoor?
    private var fleet: FlowFleet?
    private var setup: FlowSetup?
    /// Other devices by their users.
    private var otherDevices: [String: OtherDevice] = [:]
    private var browser: FlowBrowser?
    private var signingPage: FlowSigningPage?
    private var terminal: FlowTerminal?
    private var secrets: FlowSecrets

    private struct OtherDevice {
        let places: [String]
        let pin: String
    }

    /// - Parameters:
    ///   - script: the script, which determines the backend's options.
    ///   - documents: the folder of the files to sign.
    init(_ script: FlowScript, documents: URL, pictures: FlowPictures) async throws {
        let hasDoor = script.lines.contains { $0.action == .door }
        secrets = FlowSecrets(of: script)
        scratch = try Scratch()
        service = try await ServiceWithUser(
            in: scratch, dialect: try FlowStage.dialect(of: script),
            options: ["--public-outbox", "--pin-length", "6", "--log-level", "trace"]
                + (hasDoor ? ["--company-id", FlowDoor.companyID] : []))
        camera = try FlowCamera(in: scratch)
        self.documents = FlowDocuments(folder: documents, service: service.site)
        self.pictures = pictures
    }

    private static func dialect(of script: FlowScript) throws -> OperatorDialect {
        guard case .service(let name) = script.lines.first?.action else { return .milagro }
        return try #require(OperatorDialect(rawValue: name), "no dialect is called \(name)")
    }

    deinit { camera.stop() }

    /// Plays every line, ends the kiosk, and looks for the secrets in all that was written.
    ///
    /// - Throws: a failed requirement that names the line.
    func play(_ script: FlowScript) async throws {
        for line in script.lines {
            switch line.action {
            case .service: try #require(line == script.lines.first, "line \(line.number): service is the first line")
            case .user(let user, let pin): try await service.enroll(user, pin: pin)
            case .elsewhere(let user, let pin):
                let name = "of-\(otherDevices.count)"
                let places = try await service.otherDevice(name, in: scratch)
                try fleet?.add(to: "config-\(name)")
                try await service.enroll(user, pin: pin, on: places)
                otherDevices[user] = OtherDevice(places: places, pin: pin)
            case .document(let file, let title): try documents.add(file, title: title, in: scratch)
            case .door: door = try FlowDoor(service: service.site + "/mfa-v2", in: scratch)
            case .fleet:
                let fleet = try FlowFleet(in: scratch)
                try fleet.add()
                self.fleet = fleet
            case .new: setup = try FlowSetup(in: scratch)
            default:
                let terminal = try await kiosk()
                try await play(line.action, on: terminal, "line \(line.number)")
            }
        }
        guard let terminal else { return }
        secrets.add(tokens: (browser?.secrets ?? []) + (signingPage?.secrets ?? []))
        #expect(try await terminal.end() == 0, "\(terminal.errorText)")
        try await service.end()
        secrets.expectNone(in: terminal.sentBytes, "the screens")
        secrets.expectNone(inFilesOf: scratch, butFinding: service.host)
    }

    /// Looks for the secrets in the arguments and environments of all processes, while a PIN is in use.
    private func lookAtProcesses() {
        let processes = SecretsTests.processes()
        #expect(processes.contains(camera.source), "the kiosk is not among the processes")
        secrets.expectNone(in: Array(processes.utf8), "the processes")
    }

    /// Opens a login page.
    private func newBrowser() async throws -> FlowBrowser {
        secrets.add(tokens: browser?.secrets ?? [])
        let browser = try await FlowBrowser(site: service.site)
        self.browser = browser
        return browser
    }

    /// Starts the kiosk at the first line that needs it.
    private func kiosk() async throws -> FlowTerminal {
        if let terminal { return terminal }
        let terminal = try FlowTerminal(
            ["run", "--source", camera.source, "--log-level", "trace"] + service.options(service.places),
            // With a door, the door's settings determine the menu.
            settings: door == nil ? ["LOGIN_KIOSK_MENU_REGISTRATION_CODE": "true"] : [:], in: scratch)
        self.terminal = terminal
        try await wait("the kiosk listens", on: terminal) { terminal.isListening }
        return terminal
    }

    private func play(_ action: FlowAction, on terminal: FlowTerminal, _ place: String) async throws {
        switch action {
        case .service, .user, .elsewhere, .document, .door, .fleet, .new: break
        case .sight(let sight): try await look(at: sight, place)
        case .waitForStage(let stage):
            let sentence = try #require(stage.sentence, "\(place): a stage that no sentence tells")
            try await wait("\(place): \(stage)", on: terminal) { terminal.flatText.contains(sentence) }
        case .waitForText(let text):
            try await wait("\(place): \(text)", on: terminal) { terminal.flatText.contains(text) }
        case .expect(let text):
            // A pressed key may still be on its way to the screen.
            try await wait("\(place): \(text)", on: terminal, within: .seconds(5)) {
                terminal.flatText.contains(text)
            }
        case .press(let keys):
            for key in keys { try await terminal.press(key) }
            if FlowSecrets.pin(of: action) != nil { lookAtProcesses() }
        case .accessNumber:
            let browser = try await newBrowser()
            try await terminal.press(digits: try await browser.accessNumber())
        case .code(let user):
            let device = try #require(otherDevices[user], "\(place): no other device")
            try await terminal.press(digits: try await service.code(of: user, pin: device.pin, on: device.places))
        case .mailedCode(let user):
            let code = try #require(try await service.mail(to: user).code, "\(place): a mail without a code")
            try await terminal.press(digits: code)
        case .join(let user, let pin):
            let code = try #require(
                terminal.text.firstMatch(of: FlowStage.issuedCode), "\(place): no code\n\(terminal.text)")
            try await service.join(
                user, code: String(code.output.0.filter(\.isNumber)), pin: pin,
                on: try await service.otherDevice("that-joins", in: scratch))
        case .activate(let user): try await service.followMail(to: user)
        case .opened(let user):
            let door = try #require(door, "\(place): there is no door")
            #expect(try door.people == [user], "\(place)")
            try await wait("\(place): recorded", on: terminal) { try door.recorded == [user] }
        case .browser(let user):
            let browser = try #require(browser, "\(place): no login page was shown")
            try await wait("\(place): logged in", on: terminal) { try await browser.isLoggedIn(as: user) }
        case .signature(let user):
            let page = try #require(signingPage, "\(place): nobody wants anything signed")
            try await wait("\(place): signed", on: terminal) { try await page.signer() != nil }
            #expect(try await page.signer() == user, "\(place)")
        case .screenshot(let name): pictures.compare(picture(of: terminal), name, place)
        }
    }

    /// The screen, with fixed values for those that differ each time.
    private func picture(of terminal: FlowTerminal) -> String {
        terminal.text.replacing(service.host, with: "login.example.com")
            .replacing(FlowStage.issuedCode, with: "7 3 9 1 6 4")
            .replacing(/Valid until [-0-9]+ [0-9:]+/, with: "Valid until 2027-11-26 18:02")
            .replacing(/Seconds left: [0-9]+/, with: "Seconds left: 240")
    }

    /// Digits from a server.
    private static var issuedCode: Regex<(Substring, Substring)> { /[0-9]( [0-9]){5}/ }

    private func look(at sight: FlowAction.Sight, _ place: String) async throws {
        switch sight {
        case .wall: camera.show(nil)
        case .code(let text): camera.show(QRPicture.encode(text, scale: 5))
        case .signingPage(let text):
            let page = try await FlowSigningPage(text, site: service.site, in: scratch)
            signingPage = page
            camera.show(QRPicture.encode(page.code, scale: 5))
        case .mail(let user): camera.show(QRPicture.encode(try await service.mailedLink(to: user), scale: 5))
        case .card(let user):
            let device = try #require(otherDevices[user], "\(place): no other device")
            let fleet = try #require(fleet, "\(place): no fleet")
            camera.show(try await fleet.card(of: user, options: service.options(device.places)))
        case .profile(let operatorName):
            let setup = try #require(setup, "\(place): the kiosk is not as it came")
            camera.show(try await setup.card(by: operatorName))
        case .loginPage:
            let browser = try await newBrowser()
            camera.show(try Picture(decoding: Array(try await browser.picture()), from: "/qr.png"))
        }
    }

    private func wait(
        _ what: String, on terminal: FlowTerminal, within limit: Duration = patience,
        until isSo: () async throws -> Bool
    ) async throws {
        let isThere = try await Patience.wait(
            limit, every: FlowStage.pollInterval, progress: { terminal.text.hashValue }
        ) {
            if try await isSo() { return true }
            if !terminal.isRunning { return false }
            try await browser?.poll()
            return nil
        }
        try #require(isThere == true, "\(what)\n\(terminal.text)\n\(terminal.errorText)")
    }
}

extension KioskStage {
    /// The text that only this stage shows.
    fileprivate var sentence: String? {
        switch self {
        case .firstRun: "! No trusted service configured"
        case .setup: "> Set up this kiosk"
        case .setupQuestion: "? Set up this kiosk?"
        case .settingUp: "OK: This kiosk is set up"
        case .resetQuestion: "? Delete everything?"
        case .resetting: "OK: Everything is deleted"
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
        case .card: "? Your personal card was read"
        case .cardOffer: "? Registered. Your number at this kiosk is"
        case .issuedCard: "OK: Your personal card"
        case .loggingOut: "... Logging the browser out"
        case .outcome: "[Enter] Continue"
        case .stopped: "! The kiosk is not running"
        case .registering: nil
        }
    }
}
