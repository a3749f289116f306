// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import Testing

@Suite("login-kiosk poster", .fewAtATime)
struct PosterCommandTests {
    static let languages = ["en", "de", "fr", "es", "bg"]

    private struct Line {
        let text: String
        let x: Double
        let y: Double
        let size: Double
    }

    /// The texts of a poster, each with its lines.
    private static func texts(of svg: String) throws -> [[Line]] {
        let parser = XMLParser(data: Data(svg.utf8))
        try #require(parser.parse(), "\(String(describing: parser.parserError))")
        return svg.matches(of: /(?s)<text font-size="([0-9.]+)"[^>]*>(<tspan.*?)<\/text>/).map { text in
            text.output.2.matches(of: /<tspan x="([0-9.]+)" y="([0-9.]+)">([^<]*)<\/tspan>/).map { line in
                let numbers = [line.output.1, line.output.2, text.output.1].map { Double($0) ?? -1 }
                return Line(text: String(line.output.3), x: numbers[0], y: numbers[1], size: numbers[2])
            }
        }
    }

    /// The kiosk's sentence, read from the source.
    static func sentence(_ key: String, in language: String) throws -> String {
        let words = try ProjectFile.text("Sources/Kiosk/Signage/Words/\(language).yaml")
        let line = words.split(separator: "\n").first {
            $0.hasPrefix("\(key): ")
        }
        return try #require(line.map { String($0.dropFirst(key.count + 3).dropLast()) }, "\(key)")
    }

    /// Width in em of a letter of DejaVu Sans Bold, rounded up.
    static func width(_ letter: Character) -> Double {
        switch letter {
        case "i", "j", "l", "I", ".", ",", ":", "'", "’", "!", " ": 0.4
        case "f", "r", "t", "-", "(", ")", "?", "¿": 0.6
        case "m", "w", "M", "W", "ж", "ш", "щ", "ю", "ф", "Ж", "Ш", "Щ", "Ю", "Ф", "м", "Q", "O", "С": 1.1
        default: letter.isUppercase ? 0.85 : 0.72
        }
    }

    @Test("Each language has its sentences, and none leaves the page", arguments: languages)
    func sentences(language: String) async throws {
        let run = try await Program("login-kiosk").run(["poster", "--language", language])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        #expect(run.output.contains(#"width="210mm" height="297mm""#))
        let texts = try Self.texts(of: run.output)
        let sentences = texts.map { $0.map(\.text).joined(separator: " ") }
        let keys = ["posterTitle", "scanHelp", "posterCheck", "pinHelpAny", "posterNewcomers", "nextNotYours"]
        #expect(try sentences == keys.map { try Self.sentence($0, in: language) })
        for line in texts.joined() {
            let end = line.x + line.text.reduce(0) { $0 + Self.width($1) } * line.size
            #expect(line.size >= 4 && line.x >= 10 && end <= 200, "\(line) ends at \(end)")
            #expect(line.y - line.size >= 10 && line.y + line.size / 3 <= 287, "\(line)")
        }
        // Lines have room below each other.
        for lines in texts { #expect(zip(lines, lines.dropFirst()).allSatisfy { $1.y - $0.y >= $0.size }) }
    }

    @Test("The file is written as a whole")
    func file() async throws {
        let scratch = try Scratch()
        let file = scratch.path("poster.svg")
        let kiosk = try Program("login-kiosk")
        try await kiosk.run(["poster", "--language", "fr", "--svg", file]).expect(0, printing: "written: \(file)\n")
        let printed = try await kiosk.run(["poster", "--language", "fr"])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == printed.output)
        try await kiosk.run(["poster", "--svg", scratch.path("none/poster.svg")]).expect(73, "cannot be written")
        try await kiosk.run(["poster", "--language", "tlh"]).expect(64, "tlh: expected one of en, de, fr, es, bg")
    }

    @Test("Without an option it is in the kiosk's language")
    func ownLanguage() async throws {
        let scratch = try Scratch()
        try scratch.write("screen: {language: es}\n", to: "config/config.yaml")
        let run = try await Program("login-kiosk").run(["poster", "--config", scratch.path("config")])
        #expect(run.output.contains(#"xml:lang="es""#), "\(run)")
    }
}
