// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration
import KioskPorts
import LoginValues
import MPinClient
import PersonalCards

struct IdentitiesCheckCardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-card",
        abstract: "Print the owner of a personal card and when it expires.",
        discussion: """
            Give the text of the card's QR code on standard input. The fleet key (fleet.key-file) opens it. No server \
            is asked, so a revoked identity is not noticed. The exit code is 65 if the card is not of this fleet or \
            has expired.
            For example: login-kiosk scan --source card.png | login-kiosk identities check-card
            """)

    @OptionGroup var options: KioskOptions
    @Flag(help: "Print a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let user: String
        let backend: String
        /// Seconds since 1970-01-01 UTC.
        let issued: Int64
        let ends: Int64
    }

    func run() async throws {
        let configuration = try options.require()
        let cards = configuration.cards(try KioskParts.requireFleetKey(configuration))
        guard let line = SecretPrompt.line("Text of the card: ") else {
            throw Complaint.make(
                "standard input has no card", hint: "login-kiosk scan --source FILE prints its text",
                status: .usage)
        }
        let card: PersonalCard
        do throws(PersonalCardError) {
            card = try line.withBytes { bytes throws(PersonalCardError) in try cards.card(in: bytes) }
        } catch {
            throw Complaint.make(error.sentence, hint: error.hint, status: .dataError)
        }
        let (key, period) = (card.identity.key, card.period)
        if json {
            return try JSONOutput.write(
                Document(user: key.userID, backend: key.backend, issued: period.issued, ends: period.ends))
        }
        print("user: \(DisplayText(key.userID))")
        print("backend: \(DisplayText(key.backend))")
        print("issued: \(ServerTime.text(period.issued))")
        print("ends: \(ServerTime.text(period.ends))")
    }
}

extension PersonalCardError {
    fileprivate var sentence: String {
        switch self {
        case .newerVersion: "a newer login-kiosk made this card"
        case .otherFleet: "this card is for the kiosks of another operator"
        case .damaged: "this is not a personal card, or a damaged one"
        case .expired: "the time of this card is over"
        case .notYet: "this card was made at a time that is still to come"
        }
    }

    fileprivate var hint: String {
        switch self {
        case .newerVersion: "update login-kiosk here first"
        case .otherFleet: "see which key is configured: login-kiosk config show"
        case .damaged: "scan all of it again"
        case .expired: "have a new one made: login-kiosk identities card"
        case .notYet: "see whether the clock is right: login-kiosk doctor"
        }
    }
}
