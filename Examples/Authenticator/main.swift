// SPDX-License-Identifier: Apache-2.0

// A whole authenticator for the command line:
//
//     authenticator FOLDER enroll URL USER       registers, by a mail; again when its link was followed
//     authenticator FOLDER login USER            logs the browser in whose QR code's text is the next line
//     authenticator FOLDER change-pin URL USER
//
// FOLDER/trusted names the hosts that it talks to, one a line. PINs and the QR code's text are lines of standard input.
// It registers at classic backends; at today's platform a verification comes first (docs/sdk.md).

import CurlTransport
import Foundation
import Logging
import LoginValues
import MPinClient
import SQLiteStore

struct Authenticator {
    let mpin: MPin

    init(folder: String) async throws {
        let trusted = try String(contentsOfFile: "\(folder)/trusted", encoding: .utf8).split(separator: "\n")
        // The key lies beside the database and not in it, so that a copy of the one is not a copy of both.
        let location = StoreLocation(directory: "\(folder)/identities", keyFile: "\(folder)/keys/store.key")
        // http is for trials within one machine: no other host is reached by it.
        let trust = TrustPolicy(lines: try trusted.map { try TrustLine(String($0)) }, allowsLoopbackHTTP: true)
        let logger = Logger(label: "authenticator") { StreamLogHandler.standardError(label: $0) }
        mpin = MPin(
            transport: try CurlHTTPTransport(), storage: try SQLiteIdentityStorage(at: location), trust: trust,
            configuration: MPin.Configuration(clientVersion: "1.0"), logger: logger)
        try await mpin.initialize()
    }

    func enroll(_ identity: String, at backend: WebAddress) async throws {
        try await mpin.setBackend(backend)
        let new = await mpin.makeNewUser(identity)
        var user = try await mpin.user(new.key) ?? new
        if user.state == .invalid { user = try await mpin.startRegistration(of: user) }
        do { user = try await mpin.confirmRegistration(of: user) } catch {
            guard error.kind == .notVerified else { throw error }
            return print("follow the link in the mail to \(identity), and give the same command again")
        }
        _ = try await mpin.finishRegistration(of: user, pin: try newPIN())
        print("registered: \(identity)")
    }

    func logInBrowser(as identity: String) async throws {
        let qrCode = line("QR code's text: ")
        guard try await logIn(with: mpin, qrCode: qrCode, as: identity, askPIN: { pin("\($0) PIN: ") }) else {
            throw Refusal("no PIN was given")
        }
        print("logged in: \(identity)")
    }

    func changePIN(of identity: String, at backend: WebAddress) async throws {
        try await mpin.setBackend(backend)
        let user = await mpin.makeNewUser(identity)
        try await mpin.startAuthentication(of: user)
        _ = try await mpin.changePIN(of: user, from: pin("old PIN: "), to: try newPIN())
        print("the PIN was changed: \(identity)")
    }

    /// A PIN that was typed twice in the same way.
    private func newPIN() throws -> Pin {
        guard let first = pin("new PIN, 4 to 6 digits: "), let second = pin("the same again: "), first.matches(second)
        else { throw Refusal("these were not twice the same 4 to 6 digits") }
        return second
    }

    /// The digits of the next line, typed without an echo: they are nowhere but in memory that is wiped.
    private func pin(_ question: String) -> Pin? {
        var usual = termios()
        let isTerminal = tcgetattr(STDIN_FILENO, &usual) == 0
        var silent = usual
        silent.c_lflag &= ~tcflag_t(ECHO)
        if isTerminal { tcsetattr(STDIN_FILENO, TCSANOW, &silent) }
        defer { if isTerminal { tcsetattr(STDIN_FILENO, TCSANOW, &usual) } }
        say(question)
        var entry = PinEntry()
        var isPIN = true
        while let byte = nextByte() {
            guard let digit = UInt8(exactly: Int(byte) - 0x30), entry.append(digit) else {
                isPIN = false
                continue
            }
        }
        if isTerminal { say("\n") }
        guard isPIN else { return nil }
        return Pin(entry)
    }

    private func line(_ question: String) -> [UInt8] {
        say(question)
        var bytes: [UInt8] = []
        while let byte = nextByte() { bytes.append(byte) }
        return bytes
    }

    /// The next byte of the line; nil at its end.
    private func nextByte() -> UInt8? {
        var byte: UInt8 = 0
        return read(STDIN_FILENO, &byte, 1) == 1 && byte != UInt8(ascii: "\n") ? byte : nil
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

struct Refusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

let arguments = CommandLine.arguments.dropFirst()
do {
    guard let folder = arguments.first, arguments.count > 2 else {
        throw Refusal("usage: authenticator FOLDER (enroll URL USER | login USER | change-pin URL USER)")
    }
    let authenticator = try await Authenticator(folder: folder)
    let words = Array(arguments.dropFirst())
    switch (words[0], words.count) {
    case ("enroll", 3): try await authenticator.enroll(words[2], at: WebAddress(words[1]))
    case ("login", 2): try await authenticator.logInBrowser(as: words[1])
    case ("change-pin", 3): try await authenticator.changePIN(of: words[2], at: WebAddress(words[1]))
    default: throw Refusal("there is no command \(words.joined(separator: " "))")
    }
} catch {
    FileHandle.standardError.write(Data("authenticator: \(error)\n".utf8))
    exit(1)
}
