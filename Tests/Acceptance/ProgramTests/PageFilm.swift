// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// A simulated camera in front of a page, in a process of its own.
struct PageFilm {
    let program: BackgroundProgram
    /// The source for the kiosk.
    let source: String

    init(of page: String, environment: [String: String] = [:], in scratch: Scratch) async throws {
        let pipe = scratch.path("film-\(UUID().uuidString)")
        let program = try BackgroundProgram(
            "login-kiosk", ["demo", "film", page, pipe], environment: environment, in: scratch)
        let isThere = try await Patience.wait { FileManager.default.fileExists(atPath: pipe) ? true : nil }
        try #require(isThere == true, "\(program.errorText)")
        self.program = program
        source = "y4m:\(pipe)"
    }
}
