// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import PictureTestKit
import Testing

/// A kiosk in its delivered state, and the operator who sets it up. Both keys, and so their numbers, are always the
/// same.
struct FlowSetup {
    private let scratch: Scratch

    init(in scratch: Scratch) throws {
        self.scratch = scratch
        try scratch.write("provisioning: {wanted: true}\n", to: "config/config.d/provisioning.yaml")
        try FileManager.default.moveItem(
            atPath: scratch.path("config/trusted"), toPath: scratch.path("operators-trusted"))
        for (file, number) in [("config/kiosk.key", 3), ("operator.key", 5)] as [(String, UInt8)] {
            let key = (0..<32).map { UInt8(truncatingIfNeeded: $0 * 37) ^ number }
            try scratch.write(key, to: file, mode: 0o600)
        }
    }

    /// The card that the operator prints.
    func card(by operatorName: String) async throws -> Picture {
        let number = try await scratch.kiosk(["fleet", "number"])
        let key = try #require(number.output.split(separator: "\n").first { $0.hasPrefix("LOGIN-KIOSK-KEY:") })
        let file = scratch.path("login-kiosk.profile")
        try await Program("login-kiosk").run([
            "fleet", "card", "--operator-key", scratch.path("operator.key"), "--name", operatorName, "--kiosk",
            String(key), "--trust", scratch.path("operators-trusted"), "--file", file,
        ]).expect(0)
        // The card's code is drawn too small for this camera, so draw the file's text.
        let text = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        return QRPicture.encode(text, scale: 4)
    }
}
