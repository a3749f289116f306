// SPDX-License-Identifier: Apache-2.0

import Foundation
import MPinVectors
import Testing

/// Checks every file of the project's vectors as `login-kiosk-dev vectors` does.
struct KnownAnswerTests {
    static let directory = VectorDirectory(path: Bundle.module.bundleURL.appending(path: "Vectors").path)

    static let checkedFiles = [
        "dvs-sign.json", "g1-add.json", "g1-mul.json", "g2-add.json", "g2-mul.json", "hash-id-map-g1.json",
        "hash-prefixed.json", "malformed-points.json", "malformed-protocol.json", "map-g1-raw.json",
        "mpin-onepass.json", "mpin-timepermit.json", "mpin-twopass.json", "pairing-products.json",
        "pairing-values.json", "pin-encoding.json", "trust-twopass.json",
    ]

    @Test(arguments: checkedFiles)
    func everyCasePasses(file: String) throws {
        let report = VectorFile(name: file, content: try Self.content(of: file)).check()
        guard case .checked(let passed, let failures) = report.outcome else {
            Issue.record("\(report)")
            return
        }
        #expect(passed > 0)
        #expect(failures.isEmpty)
    }

    @Test
    func allFilesAreThere() throws {
        let names = try Self.directory.fileNames()
        #expect(names == (Self.checkedFiles + ["core-encode-to-curve.json", "core-twopass.json"]).sorted())
        for name in names where name.hasPrefix("core-") {
            #expect(Self.directory.check(name).outcome == .skipped(reason: "variant C"))
        }
    }

    static func content(of file: String) throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Vectors").appending(path: file))
    }
}
