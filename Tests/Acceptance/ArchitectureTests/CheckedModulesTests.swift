// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("make check runs the tests that do not link NIO")
struct CheckedModulesTests {
    @Test("The Makefile lists exactly these modules")
    func list() throws {
        let manifest = try Manifest.built
        let quick = manifest.tests.filter { test in
            !test.uses.union(test.uses.flatMap(manifest.reach)).contains {
                $0.hasPrefix("NIO") || $0.hasPrefix("Hummingbird")
            }
        }
        let expected = Set(
            quick.map { $0.name == "ArchitectureTests" ? $0.name : String($0.name.dropLast("Tests".count)) })
        #expect(manifest.tests.count > quick.count, "no tests link NIO any more")

        let makefile = try SourceTree.text("Makefile")
        let beginning = try #require(makefile.range(of: "\nCHECKED = "), "the Makefile has no list CHECKED")
        var listed: [String] = []
        for line in makefile[beginning.upperBound...].split(separator: "\n") {
            listed += line.split { $0 == " " || $0 == "\t" || $0 == "\\" }.map(String.init)
            guard line.hasSuffix("\\") else { break }
        }
        #expect(listed == expected.sorted())
    }
}
