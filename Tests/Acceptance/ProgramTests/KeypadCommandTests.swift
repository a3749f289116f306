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
        let run = try await test("--keypad", "script:\(keys)")
        #expect(run.status == 0 && run.output == "a digit\na character\nenter\nback\n", "\(run)")
    }

    @Test func theyAreShownWhenAskedFor() async throws {
        let run = try await test("--keypad", "script:\(keys)", "--show")
        #expect(run.status == 0 && run.output == "7\na\nenter\nback\n", "\(run)")
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
        let unknown = try await test("--keypad", "mouse")
        #expect(unknown.status == 64 && unknown.errors.contains("expected console, script:FILE"), "\(unknown)")
        #expect(unknown.errors.contains("hint: docs/keypads.md"), "\(unknown)")
        let touch = try await test("--keypad", "touch:/dev/sda")
        #expect(touch.status == 64 && touch.errors.contains("names no input device"), "\(touch)")
        let missing = try await test("--keypad", "script:\(scratch.path("nothing"))")
        #expect(missing.status == 66, "\(missing)")
        let terminal = try await test()
        #expect(terminal.status == 64 && terminal.errors.contains("no terminal"), "\(terminal)")
    }
}
