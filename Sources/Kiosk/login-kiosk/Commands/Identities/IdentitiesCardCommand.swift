// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import KioskMachine
import KioskPorts
import KioskRuntime
import LoginValues
import MPinClient
import PersonalCards
import QRWriting

struct IdentitiesCardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card",
        abstract: "Print a personal card for one identity. It works at every kiosk of the fleet.",
        discussion: """
            At a kiosk with the same fleet key (fleet.key-file) the person shows the card, then the login page, and \
            types the PIN. Without the fleet key nobody can read the code, not even the name in it; the words below \
            the code can be read by everybody. The card is valid for cards.lifetime days, or for --hours. The backend \
            can revoke the identity earlier.
            This command works while the kiosk runs. Without --svg the card is drawn in the terminal.
            For example: login-kiosk identities card --user alice@example.com --svg alice.svg
            login-kiosk identities card --user guest@example.com --hours 8
            """)

    @OptionGroup var options: KioskOptions
    @OptionGroup var identity: IdentityOptions
    @Option(help: ArgumentHelp("Write it for a printer, as an SVG picture to this file.", valueName: "file"))
    var svg: String?
    @Option(help: ArgumentHelp("Write it as a PNG picture to this file.", valueName: "file")) var png: String?
    @Option(help: "Make a temporary card that is valid for this many hours: 1 to 720.") var hours: Int?
    @Flag(help: "Print the outcome as a JSON object, and draw nothing.") var json = false

    private struct Document: Encodable {
        let version = 1
        let user: String
        let backend: String
        /// Modules on a side of the QR code.
        let modules: Int
        /// The path of the picture.
        let file: String?
        /// The validity of the card, in seconds since 1970-01-01 UTC.
        let issued: Int64
        let ends: Int64
    }

    func validate() throws {
        if svg != nil, png != nil { throw ValidationError("--svg or --png, one file at a time") }
        guard hours.map(CardPeriod.temporaryLifetimes.contains) ?? true else {
            let hours = CardPeriod.temporaryLifetimes
            throw ValidationError("--hours takes \(hours.lowerBound) to \(hours.upperBound)")
        }
        if json, svg == nil, png == nil { throw ValidationError("--json needs --svg or --png") }
    }

    func run() async throws {
        let configuration = try options.require()
        let cards = configuration.cards(try KioskParts.requireFleetKey(configuration), hours: hours)
        guard ClockCheck.isPlausible(.ofThisMachine()) else {
            throw Complaint.make(
                "the clock is not set, and a card needs the time of its end", hint: "timedatectl set-time",
                status: .temporaryFailure)
        }
        let parts = try await IdentitiesCommand.look(options)
        try await RunReport.reporting(user: identity.user, json: json) {
            guard let parts else { throw KioskFailure(.unknownUser) }
            let user = try await parts.client.identity(of: identity.user, at: identity.backend)
            let portable = try await parts.client.portableIdentity(of: user)
            guard let (text, period) = cards.card(of: portable),
                let code = text.withBytes({ QRMatrix(alphanumeric: $0) })
            else { throw Complaint.make("this identity is too large for a card", status: .dataError) }
            let caption = DisplayText("\(user.identity) until \(LocalTime.text(period.ends))")
            let printed = PrintedCard(caption: caption, code: code)
            try write(printed)
            await KioskChange.card(userID: user.identity, period)
                .record(configuration, try options.places.directories(in: configuration))
            let file = svg ?? png
            if json {
                return try JSONOutput.write(
                    Document(
                        user: user.identity, backend: user.key.backend, modules: code.width, file: file,
                        issued: period.issued, ends: period.ends))
            }
            if let file { return print("written: \(file)") }
            printed.show()
        }
    }

    private func write(_ printed: PrintedCard) throws {
        if let svg { try PictureFile.writePrivately(Array(printed.svg.utf8), to: svg) }
        guard let png else { return }
        guard let file = printed.png else {
            throw Complaint.make("\(png): the picture could not be made", status: .ioError)
        }
        try PictureFile.writePrivately(file, to: png)
    }
}
