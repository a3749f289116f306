// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import PictureTestKit
import Testing

/// Kiosks with one fleet key, so that a card of one works at all of them.
struct FlowFleet {
    private let scratch: Scratch
    private let key: String

    init(in scratch: Scratch) throws {
        self.scratch = scratch
        key = try scratch.write((0..<32).map { UInt8(truncatingIfNeeded: $0 * 37) }, to: "fleet.key", mode: 0o600)
    }

    /// Configures the kiosk with this directory of settings.
    func add(to config: String = "config") throws {
        try scratch.write("fleet: {key-file: \"\(key)\"}\n", to: "\(config)/config.d/fleet.yaml")
    }

    /// A personal card, drawn by the kiosk where the user is registered.
    func card(of user: String, options: [String]) async throws -> Picture {
        let run = try await Program("login-kiosk").run(["identities", "card", "--user", user] + options)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.last?.hasPrefix("\(user) until 20") == true)
        return try #require(Picture(blocks: lines.dropLast(), scale: 5))
    }
}
