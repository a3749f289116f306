// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Provisioning

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
