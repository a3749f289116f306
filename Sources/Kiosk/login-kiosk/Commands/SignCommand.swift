// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Encoding
import KioskPorts
import KioskRuntime
import LoginValues
import MPinClient

struct SignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a document, or what a QR code asks for.",
        discussion: """
            A terminal first shows the document page by page, exactly as it is hashed, and asks for the PIN at its \
            end. Without a terminal nothing is shown, and the PIN is the next line of standard input. If the identity \
            has no signing key yet, its PIN and a new PIN for signing come before.
            With --application the relying party gives hash and time, and verifies the signature.
            For example: login-kiosk sign --user alice@example.com --document contract.txt
            """)

    @OptionGroup var options: KioskOptions
    @Option(help: "The user, as `login-kiosk identities list` prints it.") var user: String?
    @Option(help: "The backend, if the user is registered at several: its URL, or as the list prints it.")
    var backend: String?
    @Option(help: "The path prefix of the backend's RPS. Default: from the service, else rps.")
    var rpsPrefix: String?
    @Option(help: "The file with the document: a text in UTF-8.") var document: String?
    @Option(help: "Address of the server that asks for the signature.") var application: String?
    @Flag(help: "Print the document's SHA-256 digest, and sign nothing.") var hash =
        false
    @Flag(help: "Sign what a QR code asks for. Its text is the first line of standard input.") var qr = false
    @Option(help: "Sign what a QR code asks for. Its text is the first line of this file.") var qrFile: String?
    @Flag(help: "Print the outcome as a JSON object, and show no document.") var json = false

    private var isScanned: Bool { qr || qrFile != nil }
    private var isShown: Bool { PINPrompt.isAttended && !json }

    func validate() throws {
        guard [document != nil, qr, qrFile != nil].count(where: { $0 }) == 1 else {
            throw ValidationError("what to sign: one of --document FILE, --qr and --qr-file FILE")
        }
        if hash, document == nil { throw ValidationError("--hash needs a --document FILE") }
        if application != nil, document == nil { throw ValidationError("--application needs a --document FILE") }
        if user == nil, !hash { throw ValidationError("who signs: --user USER") }
    }

    func run() async throws {
        if hash, let document { return try printHash(of: document) }
        guard let user else { return }
        let configuration = try options.require()
        let parts = try await KioskParts(options, configuration)
        let signing = SigningRun(
            run: CommandRun(parts.client, applications: parts.application), user: user,
            newPIN: PINPrompt.newPIN(configuration.policy, name: "New PIN for signing"), isShown: isShown)
        if isScanned {
            let symbol = try SecretPrompt.symbol(file: qrFile)
            try await RunReport.reporting(user: user, json: json) {
                try await signing.signSession(symbol).report(json: json)
            }
        } else if let document {
            let text = try DocumentFile.text(try DocumentFile.read(document), of: document)
            let application = try application.map(BackendAddress.parse)
            try await RunReport.reporting(user: user, json: json) {
                try await signing.sign(text, for: application, at: backend, rpsPrefix: rpsPrefix).report(json: json)
            }
        }
    }

    private func printHash(of document: String) throws {
        struct Document: Encodable {
            let version = 1
            let hash: String
        }
        let digest = MPin.hashDocument(try DocumentFile.read(document))
        let hash = Hexadecimal.text(digest)
        if json { return try JSONOutput.write(Document(hash: hash)) }
        print(hash)
    }
}
