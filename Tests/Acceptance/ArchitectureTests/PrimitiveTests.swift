// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `docs/decisions/0130-one-of-each-primitive.md`: each of these things is made in one module.
@Suite("There is one of each primitive")
struct PrimitiveTests {
    /// A word of the source text that makes a primitive, and the files that may have it.
    struct Rule: Sendable, CustomTestStringConvertible {
        let word: String
        let places: [String]

        var testDescription: String { word }
    }

    private static let encoding = "Sources/Common/Encoding/"
    private static let sealing = "Sources/Common/Sealing/"
    private static let system = "Sources/Common/LinuxSystem/"

    private static let rules = [
        Rule(word: "\"0123456789abcdef\"", places: [encoding]),
        Rule(word: "\"0123456789ABCDEF\"", places: [encoding]),
        Rule(word: "base64Encoded", places: [encoding]),
        Rule(word: "addingPercentEncoding", places: [encoding]),
        Rule(word: "removingPercentEncoding", places: [encoding]),
        Rule(word: "JSONSerialization", places: [encoding]),
        // A compiler may leave out a loop that wipes.
        Rule(word: "bytes[index] = 0 } }", places: [encoding]),
        Rule(word: "EVP_aes_256_gcm", places: [sealing]),
        Rule(word: " SHA256(", places: [sealing]),
        Rule(word: "HMAC(", places: [sealing]),
        Rule(word: "pthread_create(", places: [system]),
        Rule(word: "detachNewThread", places: [system]),
        Rule(word: "eventfd(", places: [system]),
        Rule(word: "unsafe pipe(", places: [system]),
        Rule(word: "opendir(", places: [system]),
        Rule(word: " strerror", places: [system]),
        Rule(word: "CLOCK_MONOTONIC", places: [system]),
        // Foundation reads only the first page of a file of the kernel's.
        Rule(word: "contentsOfFile", places: ["Sources/Tools/"]),
        Rule(
            word: "O_EXCL",
            places: [
                system,
                // A file without a name, and lines that are added to a file.
                "Sources/SDK/SQLiteStore/StoreSpace.swift", "Sources/Common/AuditTrail/",
            ]),
    ]

    /// Read once for all rules.
    private static let sources = Result {
        try SourceTree.files(below: "Sources").map { file in
            (place: file.path().dropFirst(SourceTree.root.path().count), text: try Data(contentsOf: file))
        }
    }

    @Test("Nothing else makes one", arguments: rules)
    func onlyThere(_ rule: Rule) throws {
        let others = try Self.sources.get().filter { source in
            // Most files do not have the word at all.
            guard !rule.places.contains(where: source.place.hasPrefix),
                source.text.range(of: Data(rule.word.utf8)) != nil
            else { return false }
            return String(decoding: source.text, as: UTF8.self).split(separator: "\n").contains { line in
                !line.drop(while: { $0 == " " }).hasPrefix("//") && line.contains(rule.word)
            }
        }.map(\.place)
        #expect(others.isEmpty, "\(rule.word) is for \(rule.places[0]): \(others)")
    }
}
