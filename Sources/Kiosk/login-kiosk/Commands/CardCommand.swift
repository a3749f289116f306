// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import KioskMachine
import KioskPorts
import LoginValues
import PersonalCards
import QRWriting
import Signage

struct CardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card",
        abstract: "Print a QR code that starts a menu entry, to put up beside the kiosk.",
        discussion: """
            The kiosk reads the card and starts the named menu entry. The card holds no secret and names nobody: \
            people still say who they are and type their PIN.
            If the kiosk has a fleet key (fleet.key-file), the card is signed with it. Kiosks with a fleet key accept \
            signed cards only.
            For example: login-kiosk card door "Main entrance" --svg main-entrance.svg
            """)

    private static let names = KioskTask.allCases.map(\.name).joined(separator: ", ")

    @OptionGroup var places: DirectoryOptions
    @Argument(help: "The menu entry: \(names).") var task: String
    @Argument(
        help: "A door's name, or a service as `login-kiosk trust list` prints it. Default: the person chooses.")
    var place: String?
    @Option(help: "Words below the code. Default: the door's name, or the words of the menu.")
    var caption: String?
    @Option(help: ArgumentHelp("Sign it with this fleet key. Default: the kiosk's own.", valueName: "file"))
    var fleetKey: String?
    @Option(help: ArgumentHelp("Write it as a picture to this file, in place of drawing it here.", valueName: "file"))
    var svg: String?
    @Flag(help: "Print a JSON object, and draw nothing.") var json = false

    func validate() throws {
        guard KioskTask(named: task) != nil else {
            throw ValidationError("\(task): expected one of \(CardCommand.names)")
        }
        if let caption, DisplayText(caption).isEmpty { throw ValidationError("the caption has no visible character") }
    }

    func run() throws {
        guard let task = KioskTask(named: task) else { return }
        let configuration = try places.require()
        try CardCheck(configuration, directories: places.directories(in: configuration)).check(task, at: place)
        guard let card = try makeCard(task, configuration), let code = QRMatrix(card.text) else {
            throw Complaint.make("the name is too long for a card", status: .dataError)
        }
        let printed = PrintedCard(caption: DisplayText(caption ?? title(of: task, configuration)), code: code)
        if let svg { try PictureFile.write(printed.svg, to: svg) }
        if json { return try JSONOutput.write(CardDocument(card, caption: printed.caption, file: svg)) }
        if let svg { return print("written: \(svg)") }
        printed.show()
    }

    /// Makes the card, signed if there is a fleet key.
    ///
    /// - Returns: nil when the place is too long.
    private func makeCard(_ task: KioskTask, _ configuration: KioskConfiguration) throws -> MenuCard? {
        guard let card = MenuCard(task, at: place) else { return nil }
        let key = try fleetKey.map { try KioskParts.fleetKey(file: $0) } ?? KioskParts.fleetKey(configuration)
        guard let key else { return card }
        return key.signature(ofMenuCard: card.unsignedText).flatMap { card.signed($0) }
    }

    /// The title in the kiosk's first language.
    private func title(of task: KioskTask, _ configuration: KioskConfiguration) -> String {
        if task == .localLogin, let place { return place }
        let title = configuration.languages.own.text(Prompt(task.title))
        return place.map { "\(title): \($0)" } ?? title
    }
}
