// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import PictureTestKit
import Testing

/// Kiosks with one fleet key, so that a card of one works at all of them.
struct FlowFleet {
    private let key: String

    init(in scratch: Scratch) throws {
        key = scratch.path("fleet.key")
        try Data((0..<32).map { UInt8(truncatingIfNeeded: $0 * 37) }).write(to: URL(filePath: key))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    }

    /// Configures the kiosk with this directory of settings.
    func add(config: String) throws {
        let folder = "\(config)/config.d"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data("fleet: {key-file: \"\(key)\"}\n".utf8).write(to: URL(filePath: "\(folder)/fleet.yaml"))
    }

    /// A personal card, drawn by the kiosk where the user is enrolled.
    func card(of user: String, options: [String]) async throws -> Picture {
        let run = try await Program("login-kiosk").run(["identities", "card", "--user", user] + options)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.last?.hasPrefix("\(user) until 20") == true)
        return try #require(Picture(blocks: lines.dropLast(), scale: 5))
    }
}
