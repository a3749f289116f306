// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The same thing is not called ready in one place and a trial in another.
@Suite("Sentences that several places share")
struct SharedSentenceTests {
    @Test(arguments: [
        "README.md", "SECURITY.md", "docs/backend.md", "docs/high-availability.md", "docs/packages.md",
        "docs/deployment.md",
        "deploy/systemd/login-kiosk-backend.service", "deploy/debian/control",
    ])
    func theStateOfTheBackend(place: String) throws {
        let text = try SourceTree.text(place)
        let words = text.filter { !"*#>".contains($0) }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("The reference backend is complete, and has not served real people yet."))
        #expect(!words.contains("for trials:") && !words.contains("backend for trials"))
    }
}
