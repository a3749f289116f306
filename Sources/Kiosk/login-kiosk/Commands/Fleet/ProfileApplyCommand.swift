// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import KioskPorts
import LinuxSystem
import Provisioning

struct ProfileApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply", abstract: "Apply a profile to this kiosk.",
        discussion: """
            The profile must be signed by this kiosk's operator and be newer than the current one. A running kiosk \
            applies part of it on reload (systemctl reload login-kiosk), the rest at its next start.
            For example: sudo -u login-kiosk login-kiosk fleet apply /media/stick/login-kiosk.profile
            """)

    @OptionGroup var places: DirectoryOptions
    @Argument(help: "The file, or - for standard input.") var file: String
    @Option(help: "Number of the operator's key, if this kiosk has no operator yet.") var from: String?
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    func run() async throws {
        let text = try ProfileApplyCommand.read(file)
        let configuration = places.load()
        let installer = try ProfileInstaller(configuration, places)
        let (profile, signer) = try FleetCommand.telling {
            let (profile, signer) = try installer.open(text.span)
            if try installer.trustedOperator() == nil { try confirm(signer, profile) }
            return (profile, signer)
        }
        let directories = try places.directories(in: configuration)
        let outcome = Result { try FleetCommand.telling { try installer.apply(text.span) } }
        let isApplied = (try? outcome.get()) != nil
        await KioskChange.profile(
            operatorName: profile.operatorName, key: signer.number, .command, isApplied: isApplied
        ).record(configuration, directories)
        try outcome.get()
        let document = ProfileDocument(profile, signer)
        if json { return try JSONOutput.write(document) }
        print(
            "in place: what was made \(ProfileDocument.day(document.madeAt)) by \(DisplayText(document.operatorName))")
    }

    /// Asks before a kiosk gets its first operator: later profiles must come from the same one.
    private func confirm(_ signer: OperatorPublicKey, _ profile: KioskProfile) throws {
        if let from, KeyNumber(from) == signer.number { return }
        throw Complaint.make(
            "this kiosk has no operator yet, and would have \(DisplayText(profile.operatorName)) "
                + "with the key \(signer.number)",
            hint: "if that is the number of your operator's key: --from '\(signer.number)'", status: .dataError)
    }

    static func read(_ file: String) throws -> [UInt8] {
        do throws(FileFault) {
            let bytes = try OpenedFile.read(file == "-" ? "/dev/stdin" : file, upTo: SealedProfile.maximumLength)
            let blanks = Set("\n\r\t ".utf8)
            return Array(bytes.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed())
        } catch { throw Complaint.make(error) }
    }
}
