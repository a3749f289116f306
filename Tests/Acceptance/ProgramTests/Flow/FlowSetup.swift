// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import PictureTestKit
import Testing

/// A kiosk in its delivered state, and the operator who sets it up. Both keys, and so their numbers, are always the
/// same.
struct FlowSetup {
    private let places: [String]
    private let scratch: Scratch

    /// - Parameter places: the files of the kiosk, which are in `scratch`.
    init(places: [String], in scratch: Scratch) throws {
        (self.places, self.scratch) = (places, scratch)
        let folder = scratch.path("config/config.d")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data("provisioning: {wanted: true}\n".utf8).write(to: URL(filePath: "\(folder)/provisioning.yaml"))
        try FileManager.default.moveItem(
            atPath: scratch.path("config/trusted"), toPath: scratch.path("operators-trusted"))
        try FlowSetup.write(key: 3, to: scratch.path("config/kiosk.key"))
        try FlowSetup.write(key: 5, to: scratch.path("operator.key"))
    }

    private static func write(key number: UInt8, to path: String) throws {
        try Data((0..<32).map { UInt8(truncatingIfNeeded: $0 * 37) ^ number }).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// The card that the operator prints.
    func card(by operatorName: String) async throws -> Picture {
        let owner = try await FleetOperator(in: scratch)
        let file = try await owner.setup(
            by: operatorName, for: try await owner.key(of: places), ["--trust", scratch.path("operators-trusted")])
        // The card's code is drawn too small for this camera, so draw the file's text.
        let text = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        return QRPicture.encode(text, scale: 4)
    }
}
