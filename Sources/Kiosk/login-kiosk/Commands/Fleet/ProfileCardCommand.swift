// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration
import KioskPorts
import LinuxSystem
import LoginValues
import PersonalCards
import Provisioning
import QRWriting

struct ProfileCardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card", abstract: "Make a profile, signed with the operator's key, as a card or a file.",
        discussion: """
            With --kiosk only that kiosk can read the profile; this is required if it contains the fleet key. Without \
            --kiosk every kiosk accepts it and everybody can read it. Put the file on a USB stick or the boot \
            partition under the name login-kiosk.profile.
            For example: login-kiosk fleet card --operator-key ~/operator.key --name "City library" --kiosk \
            LOGIN-KIOSK-KEY:1:... --settings kiosk.yaml --trust trusted --fleet-key fleet.key --svg profile.svg
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
        let isCard = text.count <= SealedProfile.maximumCodeLength
        guard isCard || svg == nil && png == nil && file != nil else {
            throw Complaint.make(
                "this profile has \(text.count) bytes, and a card takes \(SealedProfile.maximumCodeLength)",
                hint: "write it to a file for a stick: --file login-kiosk.profile", status: .dataError)
        }
        let code = isCard ? QRMatrix(alphanumeric: text.span) : nil
        let printed = code.map { PrintedCard(caption: DisplayText(name), code: $0) }
        if let svg, let printed { try PictureFile.writePrivately(Array(printed.svg.utf8), to: svg) }
        if let png, let picture = printed?.png { try PictureFile.writePrivately(picture, to: png) }
        if let file { try PictureFile.writePrivately(text + [UInt8(ascii: "\n")], to: file) }
        let files = [svg, png, file].compactMap(\.self)
        if json { return try JSONOutput.write(Document(length: text.count, modules: code?.width, files: files)) }
        guard files.isEmpty else { return files.forEach { print("written: \($0)") } }
        printed?.show()
    }

    private func text() throws -> [UInt8] {
        let now = UInt64(Date().timeIntervalSince1970)
        let profile = KioskProfile(
            madeAt: now, validUntil: now + UInt64(validDays) * 86_400, operatorName: name,
            settings: try settings.map(content) ?? "", trust: try trust.map(content), fleetKey: try fleetKey.map(secret)
        )
        let kiosk = try kiosk.map(publicKey)
        return try FleetCommand.telling {
            try ProfileDirectory.check(profile)
            return try SealedProfile.text(of: profile, by: try OperatorKey(file: operatorKey), for: kiosk)
        }
    }

    private func content(_ path: String) throws -> String {
        let bytes: [UInt8]
        do throws(FileFault) { bytes = try OpenedFile.read(path, upTo: SealedProfile.maximumLength) } catch {
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
                "\(text): this is not a kiosk's public key, nor a file",
                hint: "the kiosk shows it on its screen, and prints it: login-kiosk fleet number", status: .dataError)
        }
        let words = try content(text).split(whereSeparator: \.isWhitespace)
        guard let key = words.lazy.compactMap({ KioskPublicKey(text: $0) }).first else {
            throw Complaint.make("\(text): there is no kiosk's public key in it", status: .dataError)
        }
        return key
    }
}
