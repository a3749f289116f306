// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// An operator of kiosks, who makes setups with the real commands.
struct FleetOperator {
    private let program: Program
    private let scratch: Scratch
    /// The file of the private key.
    let key: String
    /// The number of the key.
    let number: String

    /// Makes the key if it is missing.
    init(in scratch: Scratch, key: String = "operator.key") async throws {
        program = try Program("login-kiosk")
        self.scratch = scratch
        self.key = scratch.path(key)
        let run = try await program.run(["fleet", "operator-key", self.key])
        number = String(try #require(run.output.firstMatch(of: /number: (.*)/), "\(run)").output.1)
    }

    /// The public key of a kiosk.
    func key(of places: [String]) async throws -> String {
        let run = try await program.run(["fleet", "number"] + places)
        return String(try #require(run.output.firstMatch(of: /LOGIN-KIOSK-KEY:.*/), "\(run)").output)
    }

    /// Makes a setup.
    ///
    /// - Returns: its file.
    func setup(
        _ file: String = "login-kiosk.setup", by name: String = "City library", for kiosk: String? = nil,
        settings: String? = nil, _ options: [String] = []
    ) async throws -> String {
        let file = scratch.path(file)
        var arguments = ["fleet", "card", "--operator-key", key, "--name", name, "--file", file]
        if let kiosk { arguments += ["--kiosk", kiosk] }
        if let settings {
            let path = scratch.path("setup.yaml")
            try Data(settings.utf8).write(to: URL(filePath: path))
            arguments += ["--settings", path]
        }
        let made = try await program.run(arguments + options)
        try #require(made.status == 0, "\(made)")
        return file
    }
}
