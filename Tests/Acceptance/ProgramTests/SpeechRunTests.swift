// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// The kiosk with speech, as its operator and a person who listens meet it.
@Suite("login-kiosk run --speech", .fewAtATime)
struct SpeechRunTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func start(_ options: [String]) async throws -> BackgroundProgram {
        try await scratch.kiosk(["trust", "add", "login.example.com"]).expect(0)
        // 4 is one step quieter; 9 does nothing, and repeats.
        return try BackgroundProgram(
            "login-kiosk", scratch.atAWall(keys: "type 549\nwait 600\n", loops: true) + options,
            environment: ["PATH": scratch.path("bin")], in: scratch)
    }

    private func waits(for condition: () async throws -> Bool) async throws -> Bool {
        try await Patience.wait(Program.patience, progress: { 0 }) { try await condition() ? true : nil } ?? false
    }

    private func lines(_ name: String) -> [Substring] {
        ((try? String(contentsOfFile: scratch.path(name), encoding: .utf8)) ?? "").split(separator: "\n")
    }

    @Test func aKeyMakesTheScanScreenHeard() async throws {
        let script = "#!/bin/sh\n{ echo \"$@\"; cat; echo; } >> '\(scratch.path("said"))'\n"
        try scratch.install(script: script, as: "bin/espeak-ng")
        let kiosk = try await start(["--speech", "headphones", "--language", "de"])
        #expect(try await waits { lines("said").contains("-v de -a 60 -s 150 -b 1 --stdin") }, "\(kiosk.errorText)")
        #expect(try await waits { lines("said").contains("Leiser: Taste 4.") }, "\(lines("said"))")
        #expect(lines("said").contains("Anmelde-Code scannen."))
        #expect(try await kiosk.end() == 0, "\(kiosk.errorText)")
    }

    @Test func statusSaysWhyNothingIsHeard() async throws {
        let kiosk = try await start(["--speech", "loudspeaker"])
        #expect(
            try await waits {
                try await scratch.kiosk(["status"]).output
                    .contains("there is no speech: espeak-ng is not installed\n")
            }, "\(kiosk.errorText)")
        let json = try await scratch.kiosk(["status", "--json"])
        #expect(json.output.contains(#""speechFault":"espeak-ng is not installed""#), "\(json)")
        try await kiosk.error(containing: "there is no speech")
        #expect(try await kiosk.end() == 0, "\(kiosk.errorText)")
    }
}
