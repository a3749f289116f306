// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Kiosk and backend keep their sentences in three places, and none of them may forget a language.
@Suite("Languages")
struct LanguageTests {
    private static func names(in folder: String, ending: String) throws -> [String] {
        let folder = SourceTree.file(folder)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == ending }.map { $0.deletingPathExtension().lastPathComponent }.sorted()
    }

    @Test func kioskPagesMailsAndOperatorsPageHaveTheSame() throws {
        let kiosk = try Self.names(in: "Sources/Kiosk/Signage/Prompts", ending: "yaml")
        #expect(kiosk.contains("en") && kiosk.count > 1)
        #expect(try Self.names(in: "Sources/Backend/OperatorPage/Page", ending: "json") == kiosk)
        #expect(try Self.names(in: "Sources/Backend/BackendValues/Words", ending: "yaml") == kiosk)
    }
}
