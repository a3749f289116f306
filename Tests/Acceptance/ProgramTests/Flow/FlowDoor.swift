// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A door opened by a program that writes down for whom.
struct FlowDoor {
    /// The company of the door's application, which the platform requires.
    static let companyID = "the-company"

    private let book: String
    private let record: String

    /// Configures the kiosk whose files are in `scratch`.
    init(service: String, in scratch: Scratch) throws {
        let program = scratch.path("open-door")
        book = scratch.path("opened")
        record = scratch.path("kiosk/audit/audit.jsonl")
        let script = "#!/bin/sh\nprintf '%s %s\\n' \"$1\" \"$LOGIN_KIOSK_USER\" >> '\(book)'\n"
        try scratch.install(script: script, as: "open-door")
        let settings = """
            network: {company-id: \(Self.companyID)}
            menu:
              typed-code: false
              one-time-password: false
              registration-code: false
              identities: false
              register-with-code: false
              verification: false
            doors:
              Main entrance:
                service: \(service)
                action: command
                command: \(program)
                arguments: {1: --open}

            """
        try scratch.write(settings, to: "config/config.yaml")
    }

    /// The people for whom the program opened.
    var people: [String] {
        get throws {
            let lines = try String(contentsOfFile: book, encoding: .utf8).split(separator: "\n")
            return lines.map { String($0.dropFirst("--open ".count)) }
        }
    }

    /// The people for whom the door opened by the kiosk's record.
    var recorded: [String] {
        get throws {
            try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n")
                .compactMap { try? JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
                .filter { $0.event == "opening" && $0.outcome == "opened" && $0.service == "Main entrance" }
                .map(\.who)
        }
    }

    private struct Line: Decodable {
        let event: String
        let service: String
        let who: String
        let outcome: String
    }
}
