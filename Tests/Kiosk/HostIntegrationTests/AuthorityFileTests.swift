// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

@testable import HostIntegration

@Suite("The file of certificate authorities") struct AuthorityFileTests {
    /// A DER sequence of that many bytes, as text in lines of 64 characters.
    private static func pem(_ count: Int) -> String {
        var der: [UInt8] = [0x30]
        der += count < 0x80 ? [UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        der += (0..<count).map { UInt8($0 & 0xFF) }
        let text = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }

    private static func check(_ text: String) throws(AuthorityFile.Problem) {
        try AuthorityFile.check(Array(text.utf8))
    }

    @Test func wholeOnes() throws {
        try Self.check(Self.pem(700))
        try Self.check("# our own\nsubject: CN\n" + Self.pem(100) + "\nand\n" + Self.pem(1200))
        try Self.check(Self.pem(300).replacing("\n", with: "\r\n"))
    }

    @Test func none() {
        for text in ["", "hello", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
            #expect(throws: AuthorityFile.Problem.noCertificate) { try Self.check(text) }
        }
    }

    /// OpenSSL does not see the certificate behind it.
    @Test func aByteOrderMarkIsNamed() {
        #expect(throws: AuthorityFile.Problem.byteOrderMark) { try Self.check("\u{FEFF}" + Self.pem(700)) }
    }

    @Test func oneThatIsCutShort() {
        let whole = Self.pem(700)
        let lines = whole.split(separator: "\n").map(String.init)
        for count in 1..<lines.count {
            #expect(throws: AuthorityFile.Problem.brokenCertificate(line: 1)) {
                try Self.check(lines[..<count].joined(separator: "\n"))
            }
        }
        var damaged = lines
        damaged.remove(at: 3)
        #expect(throws: AuthorityFile.Problem.brokenCertificate(line: 1)) {
            try Self.check(damaged.joined(separator: "\n"))
        }
        // A second certificate begins within the first.
        #expect(throws: AuthorityFile.Problem.brokenCertificate(line: 3)) {
            try Self.check("\n\n" + lines[..<4].joined(separator: "\n") + "\n" + whole)
        }
        #expect(throws: AuthorityFile.Problem.brokenCertificate(line: 1)) {
            try Self.check("-----END CERTIFICATE-----")
        }
    }

    @Test func aFileThatIsNone() throws {
        #expect(throws: AuthorityFile.Problem.self) { try AuthorityFile.check("/nonexistent/ca.pem") }
        #expect(throws: AuthorityFile.Problem.self) { try AuthorityFile.check("/") }
        // The system's own file, if there is one.
        let system = "/etc/ssl/certs/ca-certificates.crt"
        if FileManager.default.fileExists(atPath: system) { try AuthorityFile.check(system) }
    }

    @Test(arguments: 0..<4) func arbitraryBytes(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let whole = Array((Self.pem(200) + Self.pem(90)).utf8)
        var refused = 0
        for _ in 0..<500 {
            do throws(AuthorityFile.Problem) { try AuthorityFile.check(whole.damaged(using: &random)) } catch {
                #expect(!error.description.isEmpty)
                refused += 1
            }
        }
        #expect(refused > 100)
    }
}
