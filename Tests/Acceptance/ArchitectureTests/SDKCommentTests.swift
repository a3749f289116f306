// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Comments that users of the SDK read in an editor and in the reference that `make site` makes.
@Suite("The SDK's comments")
struct SDKCommentTests {
    /// Members whose meaning a protocol of the library or of the SDK gives.
    private static let inherited = [
        "description", "debugDescription", "customMirror", "hash(into", "==", "<", "checksPins", "send(",
        "distrustConnections(", "prepareToSave(", "identities()", "save(", "remove(",
    ]
    private static let kinds = "let|var|func|init|struct|enum|class|actor|protocol|typealias|subscript"

    @Test("Each public declaration has one")
    func areThere() throws {
        let declaration = try Regex("^public (\\([a-z]+\\) )?([a-z]+(\\([a-z]+\\))? )*(\(Self.kinds))\\b[ (]?(.*)")
        var bare: [String] = []
        for file in SourceTree.files(below: "Sources/SDK") {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false
            ).map { $0.drop { $0 == " " } }
            for (index, line) in lines.enumerated() {
                guard let match = line.firstMatch(of: declaration), let name = match.output.last?.substring,
                    !Self.inherited.contains(where: name.hasPrefix)
                else { continue }
                let above = lines[..<index].last { !$0.hasPrefix("@") }
                if above?.hasPrefix("///") != true { bare.append("\(file.lastPathComponent): \(line)") }
            }
        }
        #expect(bare.isEmpty, "\(bare.joined(separator: "\n"))")
    }
}
