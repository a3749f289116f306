// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Kiosk and backend have the same languages.
@Suite("Languages")
struct LanguageTests {
    private static func names(in folder: String) throws -> [String] {
        let folder = SourceTree.file(folder)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .map { $0.deletingPathExtension().lastPathComponent }.sorted()
    }

    @Test func kioskAndBackendHaveTheSame() throws {
        let kiosk = try Self.names(in: "Sources/Kiosk/Signage/Words")
        #expect(kiosk.contains("en") && kiosk.count > 1)
        #expect(try Self.names(in: "Sources/Backend/BackendValues/Words") == kiosk)
    }
}
