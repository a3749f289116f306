// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("login-kiosk keypad test", .fewAtATime)
struct KeypadCommandTests {
    let scratch: Scratch
    let keys: String

    init() throws {
        scratch = try Scratch()
        keys = scratch.path("keys")
        try Data("type 7a\nenter\nback\n".utf8).write(to: URL(filePath: keys))
    }

    func test(_ arguments: String...) async throws -> Program.Run {
        try await Program("login-kiosk").run(["keypad", "test"] + arguments)
    }

    @Test func keysAreToldButNotWhich() async throws {
        try await test("--keypad", "script:\(keys)").expect(0, printing: "a digit\na character\nenter\nback\n")
    }

    @Test func theyAreShownWhenAskedFor() async throws {
        try await test("--keypad", "script:\(keys)", "--show").expect(0, printing: "7\na\nenter\nback\n")
    }

    @Test func asJSON() async throws {
        let run = try await test("--keypad", "script:\(keys)", "--json")
        let first = run.output.split(separator: "\n").first ?? ""
        #expect(first == #"{"event":"key","keypad":"script:\#(keys)","text":"a digit","version":1}"#, "\(run)")
        #expect(!run.output.contains("7\""), "\(run)")
    }

    @Test func severalAtOnce() async throws {
        let run = try await test("--keypad", "script:\(keys)", "--keypad", "script:\(keys)")
        #expect(run.status == 0 && run.output.split(separator: "\n").count == 8, "\(run)")
    }

    @Test func mistakes() async throws {
        try await test("--keypad", "mouse").expect(64, "expected console, script:FILE", "hint: docs/keypads.md")
        try await test("--keypad", "touch:/dev/sda").expect(64, "names no input device")
        try await test("--keypad", "script:\(scratch.path("nothing"))").expect(66)
        try await test().expect(64, "not a terminal")
    }
}
