// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration
import KioskMachine
import KioskPorts
import LoginValues
import QRWriting
import Signage

struct CardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card",
        abstract: "Print the QR code that begins an errand, to hang beside the kiosk.",
        discussion: """
            Held to the camera, a card begins what an entry of the menu begins, and nothing that the menu has not. \
            There is no secret in it, and it names nobody: the person still says who it is and types the PIN.

            For example: login-kiosk card door "Main entrance" --svg main-entrance.svg
            """)

    private static let names = Errand.allCases.map(\.name).joined(separator: ", ")

    @OptionGroup var places: DirectoryOptions
    @Argument(help: "What it begins: \(names).") var errand: String
    @Argument(
        help: "Where: a door's name, or a service as `login-kiosk trust list` prints it. Default: the person chooses.")
    var place: String?
    @Option(help: "What stands below the code. Default: the door's name, or what the menu calls the errand.")
    var caption: String?
    @Option(help: ArgumentHelp("Write it as a picture to this file, in place of drawing it here.", valueName: "file"))
    var svg: String?
    @Flag(help: "Print a JSON object, and draw nothing here.") var json = false

    func validate() throws {
        guard Errand(named: errand) != nil else {
            throw ValidationError("\(errand): expected one of \(CardCommand.names)")
        }
        if let caption, DisplayText(caption).isEmpty { throw ValidationError("the caption has nothing to be seen") }
    }

    func run() throws {
        guard let errand = Errand(named: errand) else { return }
        let configuration = try places.require()
        try CardCheck(configuration, directories: places.directories(in: configuration)).check(errand, at: place)
        guard let card = ErrandCard(errand, at: place), let code = QRMatrix(card.text) else {
            throw Complaint.make("the name is too long for a card", status: .dataError)
        }
        let printed = PrintedCard(caption: DisplayText(caption ?? title(of: errand, configuration)), code: code)
        if let svg { try write(printed.svg, to: svg) }
        if json { return try JSONOutput.write(CardDocument(card, caption: printed.caption, file: svg)) }
        if let svg { return print("written: \(svg)") }
        let isTerminal = isatty(STDOUT_FILENO) == 1
        print(printed.text(isColoured: isTerminal), terminator: "")
    }

    /// In the language that the kiosk begins with.
    private func title(of errand: Errand, _ configuration: KioskConfiguration) -> String {
        if errand == .localLogin, let place { return place }
        let languages =
            configuration.text("screen.language").flatMap { Languages(first: $0) }
            ?? Languages(environment: ProcessInfo.processInfo.environment)
        let title = languages.own.text(Prompt(errand.title))
        return place.map { "\(title): \($0)" } ?? title
    }

    private func write(_ text: String, to path: String) throws {
        do { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
            throw Complaint.make(
                "\(path): cannot be written", hint: "name a file in a directory that is yours", status: .cannotCreate)
        }
    }
}
