// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Provisioning

struct ProfileShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Check a profile and print its content. A profile for one kiosk can be read only there.",
        discussion: "For example: login-kiosk fleet show login-kiosk.profile")

    @OptionGroup var places: DirectoryOptions
    @Argument(help: "The file, or - for standard input.") var file: String
    @Flag(help: "Print a JSON object.") var json = false

    func run() throws {
        let text = try ProfileApplyCommand.read(file)
        let document = try FleetCommand.telling {
            let sealed = try SealedProfile(symbol: text.span)
            // Only a sealed profile needs its kiosk's key.
            let key = sealed.isSealed ? try ProfileInstaller(places.load(), places).kioskKey() : nil
            return ProfileDocument(
                try sealed.open(with: key, trusting: nil, after: nil, now: 0), sealed.operatorKey)
        }
        if json { return try JSONOutput.write(document) }
        print(document.text)
    }
}
