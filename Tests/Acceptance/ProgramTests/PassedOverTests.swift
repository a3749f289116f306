// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// Cameras that the scanner passed over reach the operator by every way. The scanner is a script that speaks its protocol:
/// this machine has no cameras.
@Suite("Cameras that were passed over", .fewAtATime)
struct PassedOverTests {
    private static let reasons = [
        "Integrated IR Camera (/dev/video0): sees infrared light only", "Cam (/dev/video2): no frames in 1280 x 720",
    ]

    let scratch: Scratch
    private let kiosk: Program

    init() throws {
        scratch = try Scratch()
        kiosk = Program(executable: scratch.url.appending(path: "bin/login-kiosk"))
        try scratch.install(Program("login-kiosk").executable.path(), as: "bin/login-kiosk")
        try scratch.install(script: Self.script, as: "bin/login-kiosk-scanner")
    }

    private static func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count), 0] + text.utf8 }

    /// As `docs/scanner.md` describes it: hello, what was passed over, running, and counters each second.
    private static var script: String {
        func printing(_ body: [UInt8]) -> String {
            let bytes = [UInt8(body.count % 256), UInt8(body.count / 256), 0, 0] + body
            return "printf '" + bytes.map { "\\" + String(1000 + octal($0)).dropFirst() }.joined() + "'"
        }
        let statistics = printing([4, 1] + [UInt8](repeating: 0, count: 55))
        return """
            #!/bin/sh
            \(printing([1, 5, 0, 1]))
            \(printing([10, UInt8(reasons.count)] + reasons.flatMap(text)))
            \(printing([5, 1] + text("Cam")))
            while \(statistics); do sleep 1; done

            """
    }

    private static func octal(_ byte: UInt8) -> Int { Int(String(byte, radix: 8)) ?? 0 }

    private var places: [String] { scratch.places }

    @Test func theDoctorNamesThem() async throws {
        let run = try await kiosk.run(["doctor", "--source", "camera"] + places)
        let told = Self.reasons.joined(separator: "; ")
        #expect(run.output.contains("ok       camera    camera delivers pictures; passed over: \(told)\n"), "\(run)")
        let document = try await kiosk.run(["doctor", "--json", "--source", "camera"] + places)
        let object = try JSONSerialization.jsonObject(with: Data(document.output.utf8)) as? [String: Any]
        let checks = try #require(object?["checks"] as? [[String: Any]])
        let camera = try #require(checks.first { $0["name"] as? String == "camera" })
        #expect(camera["finding"] as? String == "camera delivers pictures; passed over: \(told)", "\(document)")
    }

    @Test func statusAndLogNameThem() async throws {
        try await kiosk.run(["trust", "add", "login.example.com"] + places).expect(0)
        try scratch.write("wait 600\n", to: "keys")
        let running = try BackgroundProgram(
            kiosk, ["run", "--source", "camera", "--keys", scratch.path("keys")] + places, in: scratch)
        let document = try await Patience.wait(Program.patience, every: .milliseconds(100), progress: { 0 }) {
            let run = try await kiosk.run(["status", "--json"] + places)
            // It is ready as long as the scanner does not say otherwise, and so before that has said anything.
            let isTold = [#""condition":"ready""#, #""passedOver":"#].allSatisfy { run.output.contains($0) }
            return isTold ? run : nil
        }
        let object = try JSONSerialization.jsonObject(with: Data(try #require(document).output.utf8)) as? [String: Any]
        #expect(object?["passedOver"] as? [String] == Self.reasons, "\(String(describing: document))")
        let words = try await kiosk.run(["status"] + places)
        for reason in Self.reasons {
            #expect(words.output.contains("passed over: \(reason)\n"), "\(words)")
            #expect(running.errorText.contains(reason), "\(running.errorText)")
        }
        #expect(try await running.end() == 0, "\(running.errorText)")
    }

    @Test func scanNamesThem() async throws {
        let running = try BackgroundProgram(kiosk, ["scan", "--source", "camera", "--json"], in: scratch)
        #expect(try await running.line(after: #"{"camera":"Cam","#).hasPrefix(#""event":"running""#))
        for reason in Self.reasons {
            let quoted = reason.replacingOccurrences(of: "/", with: "\\/")
            #expect(
                [reason, quoted].contains { running.outputText.contains(#"{"event":"passed_over","reason":"\#($0)""#) },
                "\(running.outputText)")
            #expect(running.errorText.contains("passed over: \(reason)\n"), "\(running.errorText)")
        }
    }
}
