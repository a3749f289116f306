// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Encoding
import Foundation
import HostIntegration
import KioskPorts
import LinuxSystem
import LoginValues
import PersonalCards
import Provisioning
import QRWriting

struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Set up many kiosks without a keyboard.",
        discussion: """
            On the operator's machine, make a key once (operator-key), then a setup for each kiosk (card). At the \
            kiosk, hold the card up to the camera, plug in a USB stick with the file, or type `login-kiosk fleet apply \
            FILE`. docs/provisioning.md describes all steps.
            """,
        subcommands: [
            OperatorKeyCommand.self, FleetNumberCommand.self, SetupCardCommand.self, SetupShowCommand.self,
            SetupApplyCommand.self,
        ])

    /// Reports why a setup or a key is refused.
    static func telling<Result>(_ work: () throws -> Result) throws -> Result {
        do { return try work() } catch let error as SetupError {
            throw complaint(.setup(error))
        } catch let error as ProvisioningError {
            throw complaint(.key(error))
        } catch let error as SetupFailure {
            throw complaint(error)
        }
    }

    private static func complaint(_ failure: SetupFailure) -> ExitCode {
        let status = failure.fault.map { ExitStatus($0, else: .cannotCreate) } ?? .dataError
        return Complaint.make("\(failure)", hint: failure.hint, status: status)
    }
}

struct OperatorKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator-key", abstract: "Make the key that signs setups, or show its public part.",
        discussion: """
            A kiosk accepts setups of one operator: the first whose setup it took, or the one whose public key is in \
            /usr/lib/login-kiosk/operator.pub or /etc/login-kiosk/operator.pub. Keep the key and a copy of it away \
            from the kiosks. If the key is lost, each kiosk needs login-kiosk reset before it accepts a new one.
            For example: login-kiosk fleet operator-key ~/operator.key
            """)

    @Argument(help: "File of the private key. It is made if it does not exist.") var file: String
    @Flag(help: "Print a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let publicKey: String
        let number: String
        let made: Bool
    }

    func run() throws {
        let (key, isNew) = try FleetCommand.telling { try OperatorKey.readOrMake(file: file) }
        let publicKey = key.publicKey
        if json {
            return try JSONOutput.write(
                Document(publicKey: publicKey.text, number: "\(publicKey.number)", made: isNew))
        }
        print("\(isNew ? "made" : "operator's key"): \(file)\nnumber: \(publicKey.number)\n\(publicKey.text)")
    }
}

struct FleetNumberCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "number", abstract: "Say what this kiosk is called in its operator's lists, and its public key.",
        discussion: "For example: sudo -u login-kiosk login-kiosk fleet number")

    @OptionGroup var places: DirectoryOptions
    @Flag(help: "Print a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let number: String
        let publicKey: String
        /// The date of the installed setup, in seconds since 1970.
        let setup: UInt64?
        /// The number of the key of the setup's operator.
        let operatorNumber: String?
    }

    func run() throws {
        let taker = try SetupTaker(places.load(), places)
        let (key, current, owner) = try FleetCommand.telling {
            (try taker.kioskKey().publicKey, try taker.current(), try taker.trustedOperator())
        }
        if json {
            return try JSONOutput.write(
                Document(
                    number: "\(key.number)", publicKey: key.text, setup: current?.madeAt,
                    operatorNumber: owner.map { "\($0.number)" }))
        }
        print("number: \(key.number)\n\(key.text)")
        print(owner.map { "operator: \($0.number)" } ?? "operator: none yet")
        print(current.map { "setup of \(SetupDocument.day($0.madeAt))" } ?? "no setup")
    }
}

struct SetupCardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card", abstract: "Make a setup, signed with the operator's key, as a card or a file.",
        discussion: """
            With --kiosk only that kiosk can read the setup; this is required if it contains the fleet key. Without \
            --kiosk every kiosk accepts it and everybody can read it. Put the file on a USB stick or the boot \
            partition under the name login-kiosk.setup.
            For example: login-kiosk fleet card --operator-key ~/operator.key --name "City library" --kiosk \
            LOGIN-KIOSK-KEY:1:... --settings kiosk.yaml --trust trusted --fleet-key fleet.key --svg setup.svg
            """)

    @Option(help: ArgumentHelp("The operator's private key.", valueName: "file")) var operatorKey: String
    @Option(help: "Name of the operator, shown to the person at the kiosk.") var name: String
    @Option(help: ArgumentHelp("The kiosk's public key, or a file with it.", valueName: "key")) var kiosk: String?
    @Option(help: ArgumentHelp("Settings, as in config.yaml.", valueName: "file")) var settings: String?
    @Option(help: ArgumentHelp("The trust list. Default: the kiosk keeps its own.", valueName: "file")) var trust:
        String?
    @Option(help: ArgumentHelp("The fleet's key. Default: the kiosk keeps its own.", valueName: "file"))
    var fleetKey: String?
    @Option(help: "Number of days in which it can be applied.") var validDays = 30
    @Option(help: ArgumentHelp("Write it for a printer, as an SVG picture to this file.", valueName: "file"))
    var svg: String?
    @Option(help: ArgumentHelp("Write it as a PNG picture to this file.", valueName: "file")) var png: String?
    @Option(help: ArgumentHelp("Write it as text to this file, for a stick.", valueName: "file")) var file: String?
    @Flag(help: "Print the outcome as a JSON object, and draw nothing.") var json = false

    private struct Document: Encodable {
        let version = 1
        /// Length of the text, in bytes.
        let length: Int
        /// Modules on a side of the QR code; null without one.
        let modules: Int?
        let files: [String]
    }

    func validate() throws {
        guard (1...3650).contains(validDays) else { throw ValidationError("--valid-days is 1 to 3650") }
        if json, svg == nil, png == nil, file == nil { throw ValidationError("--json needs --svg, --png or --file") }
    }

    func run() throws {
        let text = try text()
        let isCard = text.count <= SealedSetup.maximumCodeLength
        guard isCard || svg == nil && png == nil && file != nil else {
            throw Complaint.make(
                "this setup has \(text.count) bytes, and a card takes \(SealedSetup.maximumCodeLength)",
                hint: "write it to a file for a stick: --file login-kiosk.setup", status: .dataError)
        }
        let code = isCard ? QRMatrix(alphanumeric: text.span) : nil
        let printed = code.map { PrintedCard(caption: DisplayText(name), code: $0) }
        if let svg, let printed { try write(Array(printed.svg.utf8), to: svg) }
        if let png, let picture = code?.png(moduleSize: SetupCardCommand.pixels) { try write(picture, to: png) }
        if let file { try write(text + [UInt8(ascii: "\n")], to: file) }
        let files = [svg, png, file].compactMap(\.self)
        if json { return try JSONOutput.write(Document(length: text.count, modules: code?.width, files: files)) }
        guard files.isEmpty else { return files.forEach { print("written: \($0)") } }
        if let printed { print(printed.text(isColoured: isatty(STDOUT_FILENO) == 1), terminator: "") }
    }

    /// Pixels on a module's side: 0.7 mm on a page at 300 dots an inch; a screen shows it smaller.
    private static let pixels = 8

    private func text() throws -> [UInt8] {
        let now = UInt64(Date().timeIntervalSince1970)
        let setup = Setup(
            madeAt: now, validUntil: now + UInt64(validDays) * 86_400, operatorName: name,
            settings: try settings.map(content) ?? "", trust: try trust.map(content), fleetKey: try fleetKey.map(secret)
        )
        let kiosk = try kiosk.map(publicKey)
        return try FleetCommand.telling {
            try SetupDirectory.check(setup)
            return try SealedSetup.text(of: setup, by: try OperatorKey(file: operatorKey), for: kiosk)
        }
    }

    private func content(_ path: String) throws -> String {
        let bytes: [UInt8]
        do throws(FileFault) { bytes = try OpenedFile.read(path, upTo: SealedSetup.maximumLength) } catch {
            throw Complaint.make(error)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Complaint.make("\(path): expected UTF-8 text", status: .dataError)
        }
        return text
    }

    private func secret(_ path: String) throws -> SecretBytes {
        do throws(ProvisioningError) { return try KeyFile.read(path) } catch {
            if case .file(let fault) = error { throw Complaint.make(fault) }
            throw Complaint.make(
                "\(FleetKeyError.notAKey(path: path))", hint: "a new one: head -c \(FleetKey.length) /dev/urandom",
                status: .dataError)
        }
    }

    /// Reads a key that was given as text, or as a file with the key among other lines.
    private func publicKey(_ text: String) throws -> KioskPublicKey {
        if let key = KioskPublicKey(text: text) { return key }
        guard FileManager.default.fileExists(atPath: text) else {
            throw Complaint.make(
                "\(text): this is no kiosk's public key, and no file",
                hint: "the kiosk shows it, and says it: login-kiosk fleet number", status: .dataError)
        }
        let words = try content(text).split(whereSeparator: \.isWhitespace)
        guard let key = words.lazy.compactMap({ KioskPublicKey(text: $0) }).first else {
            throw Complaint.make("\(text): there is no kiosk's public key in it", status: .dataError)
        }
        return key
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        do throws(FileFault) { try OwnedFile.replace(path, with: bytes, mode: 0o600) } catch {
            throw Complaint.make(error, status: .cannotCreate)
        }
    }
}

/// The contents of a setup, without secrets, for a reader.
struct SetupDocument: Encodable {
    let version = 1
    let operatorName: String
    let operatorNumber: String
    let madeAt: UInt64
    let validUntil: UInt64
    let settings: String
    let trust: String?
    let bringsFleetKey: Bool

    init(_ setup: Setup, _ signer: OperatorPublicKey) {
        operatorName = setup.operatorName
        operatorNumber = "\(signer.number)"
        madeAt = setup.madeAt
        validUntil = setup.validUntil
        settings = setup.settings
        trust = setup.trust
        bringsFleetKey = setup.fleetKey != nil
    }

    static func day(_ seconds: UInt64) -> String {
        Date(timeIntervalSince1970: TimeInterval(min(seconds, 253_402_300_799))).ISO8601Format()
    }

    var text: String {
        var lines = [
            "operator: \(DisplayText(operatorName)) (\(operatorNumber))",
            "made: \(SetupDocument.day(madeAt)), to be applied until \(SetupDocument.day(validUntil))",
        ]
        if bringsFleetKey { lines.append("brings the fleet's key") }
        for (name, text) in [("settings", settings as String?), ("trust list", trust)] {
            guard let text, !text.isEmpty else { continue }
            lines.append("\(name):")
            // Splits lines as the kiosk does that obeys them.
            lines += text.unicodeScalars.split(separator: "\n").map { scalars in
                let line = Substring(scalars)
                return "    \(line.prefix { $0 == " " })\(DisplayText(String(line)))"
            }
        }
        return lines.joined(separator: "\n")
    }
}

struct SetupShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Check a setup and print its content. A setup for one kiosk can be read only there.",
        discussion: "For example: login-kiosk fleet show login-kiosk.setup")

    @OptionGroup var places: DirectoryOptions
    @Argument(help: "The file, or - for standard input.") var file: String
    @Flag(help: "Print a JSON object.") var json = false

    func run() throws {
        let text = try SetupApplyCommand.read(file)
        let document = try FleetCommand.telling {
            let sealed = try SealedSetup(symbol: text.span)
            // Only a sealed setup needs its kiosk's key.
            let key = sealed.isSealed ? try SetupTaker(places.load(), places).kioskKey() : nil
            return SetupDocument(
                try sealed.open(with: key, trusting: nil, after: nil, now: 0), sealed.operatorKey)
        }
        if json { return try JSONOutput.write(document) }
        print(document.text)
    }
}

struct SetupApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply", abstract: "Apply a setup to this kiosk.",
        discussion: """
            The setup must be signed by this kiosk's operator and be newer than the current one. A running kiosk \
            applies part of it on reload (systemctl reload login-kiosk), the rest at its next start.
            For example: sudo -u login-kiosk login-kiosk fleet apply /media/stick/login-kiosk.setup
            """)

    @OptionGroup var places: DirectoryOptions
    @Argument(help: "The file, or - for standard input.") var file: String
    @Option(help: "Number of the operator's key, if this kiosk has no operator yet.") var from: String?
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    func run() async throws {
        let text = try SetupApplyCommand.read(file)
        let configuration = places.load()
        let taker = try SetupTaker(configuration, places)
        let (setup, signer) = try FleetCommand.telling {
            let (setup, signer) = try taker.open(text.span)
            if try taker.trustedOperator() == nil { try confirm(signer, setup) }
            return (setup, signer)
        }
        let directories = try places.directories(in: configuration)
        let outcome = Result { try FleetCommand.telling { try taker.apply(text.span) } }
        let isApplied = (try? outcome.get()) != nil
        await KioskChange.setup(
            operatorName: setup.operatorName, key: signer.number, .command, isApplied: isApplied
        ).record(configuration, directories)
        try outcome.get()
        let document = SetupDocument(setup, signer)
        if json { return try JSONOutput.write(document) }
        print("in place: what was made \(SetupDocument.day(document.madeAt)) by \(DisplayText(document.operatorName))")
    }

    /// Asks before a kiosk gets its first operator: later setups must come from the same one.
    private func confirm(_ signer: OperatorPublicKey, _ setup: Setup) throws {
        if let from, KeyNumber(from) == signer.number { return }
        throw Complaint.make(
            "this kiosk has no operator yet, and would have \(DisplayText(setup.operatorName)) "
                + "with the key \(signer.number)",
            hint: "if that is the number of your operator's key: --from '\(signer.number)'", status: .dataError)
    }

    static func read(_ file: String) throws -> [UInt8] {
        do throws(FileFault) {
            let bytes = try OpenedFile.read(file == "-" ? "/dev/stdin" : file, upTo: SealedSetup.maximumLength)
            let blanks = Set("\n\r\t ".utf8)
            return Array(bytes.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed())
        } catch { throw Complaint.make(error) }
    }
}
