// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import Testing

@Suite("login-kiosk poster", .fewAtATime)
struct PosterCommandTests {
    static let languages = ["en", "de", "fr", "es", "bg"]

    /// The texts of a poster, each with its lines.
    final class Reader: NSObject, XMLParserDelegate {
        struct Line {
            var text = ""
            let x: Double
            let y: Double
            let size: Double
        }

        var attributes: [String: String] = [:]
        var texts: [[Line]] = []
        private var size = 0.0
        private var isLine = false

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes found: [String: String]
        ) {
            switch name {
            case "svg": attributes = found
            case "text":
                size = Double(found["font-size"] ?? "") ?? 0
                texts.append([])
            case "tspan":
                let numbers = ["x", "y"].map { Double(found[$0] ?? "") ?? -1 }
                texts[texts.count - 1].append(Line(x: numbers[0], y: numbers[1], size: size))
                isLine = true
            default: break
            }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            guard isLine, let text = texts.indices.last, let line = texts[text].indices.last else { return }
            texts[text][line].text += string
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            if name == "tspan" { isLine = false }
        }
    }

    static func read(_ svg: String) throws -> Reader {
        let reader = Reader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        try #require(parser.parse(), "\(String(describing: parser.parserError))")
        return reader
    }

    /// The kiosk's sentence, read from the source.
    static func sentence(_ key: String, in language: String) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Kiosk/Signage/Words/\(language).yaml")
        let line = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").first {
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
        let poster = try Self.read(run.output)
        #expect(poster.attributes["width"] == "210mm" && poster.attributes["height"] == "297mm")
        let sentences = poster.texts.filter { !$0.isEmpty }.map { $0.map(\.text).joined(separator: " ") }
        let keys = ["posterTitle", "scanHelp", "posterCheck", "pinHelpAny", "posterNewcomers", "nextNotYours"]
        #expect(try sentences == keys.map { try Self.sentence($0, in: language) })
        for line in poster.texts.joined() {
            let end = line.x + line.text.reduce(0) { $0 + Self.width($1) } * line.size
            #expect(line.size >= 4 && line.x >= 10 && end <= 200, "\(line) ends at \(end)")
            #expect(line.y - line.size >= 10 && line.y + line.size / 3 <= 287, "\(line)")
        }
        // Lines have room below each other.
        for lines in poster.texts { #expect(zip(lines, lines.dropFirst()).allSatisfy { $1.y - $0.y >= $0.size }) }
    }

    @Test("The file is written as a whole")
    func file() async throws {
        let scratch = try Scratch()
        let file = scratch.path("poster.svg")
        let kiosk = try Program("login-kiosk")
        let run = try await kiosk.run(["poster", "--language", "fr", "--svg", file])
        #expect(run.status == 0 && run.output == "written: \(file)\n", "\(run)")
        let printed = try await kiosk.run(["poster", "--language", "fr"])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == printed.output)
        let lost = try await kiosk.run(["poster", "--svg", scratch.path("none/poster.svg")])
        #expect(lost.status == 73 && lost.errors.contains("cannot be written"), "\(lost)")
        let klingon = try await kiosk.run(["poster", "--language", "tlh"])
        #expect(
            klingon.status == 64 && klingon.errors.contains("tlh: expected one of en, de, fr, es, bg"), "\(klingon)")
    }

    @Test("Without an option it is in the kiosk's language")
    func ownLanguage() async throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            atPath: scratch.path("config"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data("screen: {language: es}\n".utf8).write(to: URL(filePath: scratch.path("config/config.yaml")))
        let run = try await Program("login-kiosk").run(["poster", "--config", scratch.path("config")])
        #expect(try Self.read(run.output).attributes["xml:lang"] == "es", "\(run)")
    }
}
