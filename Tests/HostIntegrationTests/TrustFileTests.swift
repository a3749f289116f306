// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostIntegration
import LoginValues
import Testing

@Suite struct TrustFileTests {
    let folder = FileManager.default.temporaryDirectory.appending(path: "trust-\(UUID().uuidString)")
    var file: TrustFile { TrustFile(path: folder.appending(path: "deep/trusted").path()) }

    func content() throws -> String { try String(contentsOf: URL(filePath: file.path), encoding: .utf8) }

    @Test func addListRemove() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try file.services().isEmpty)
        #expect(try file.add(TrustLine("login.example.com")))
        #expect(try file.add(TrustLine("*.Example.org:8443")))
        #expect(try !file.add(TrustLine("LOGIN.example.com:443")))
        #expect(try file.services().map(\.description) == ["login.example.com", "*.example.org:8443"])
        #expect(try file.remove(TrustLine("login.example.com")))
        #expect(try !file.remove(TrustLine("login.example.com")))
        #expect(try content() == "*.example.org:8443\n")
    }

    @Test("Comments and order survive a change")
    func commentsStay() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try file.add(TrustLine("a.org"))
        try Data("# our services\n\n  a.org  # the old one\nb.org".utf8).write(to: URL(filePath: file.path))
        _ = try file.add(TrustLine("c.org"))
        #expect(try content() == "# our services\n\n  a.org  # the old one\nb.org\nc.org\n")
        _ = try file.remove(TrustLine("a.org"))
        #expect(try content() == "# our services\n\nb.org\nc.org\n")
    }

    @Test func arrows() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try file.add(TrustLine("a.org"))
        try Data("a.org  # the shop\nb.org -> c.org\n".utf8).write(to: URL(filePath: file.path))
        #expect(try file.add(TrustLine("a.org -> c.org d.org:8443")))
        #expect(try file.add(TrustLine("A.org -> c.org e.org")))
        #expect(try !file.add(TrustLine("a.org -> e.org")))
        #expect(try !file.add(TrustLine("b.org")))
        #expect(try content() == "a.org -> c.org d.org:8443 e.org  # the shop\nb.org -> c.org\n")
        #expect(try file.services().map(\.targets.count) == [3, 1])
        // With an arrow only what stands behind it goes.
        #expect(try !file.remove(TrustLine("a.org -> f.org")))
        #expect(try file.remove(TrustLine("a.org -> d.org:8443 c.org")))
        #expect(try content() == "a.org -> e.org  # the shop\nb.org -> c.org\n")
        #expect(try file.remove(TrustLine("b.org -> c.org")))
        #expect(try file.remove(TrustLine("a.org")))
        #expect(try content() == "b.org\n")
    }

    @Test("A bad line is named, and nothing of the file is trusted or rewritten")
    func malformed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try file.add(TrustLine("a.org"))
        let text = "a.org\nhttps://b.org/\n"
        try Data(text.utf8).write(to: URL(filePath: file.path))
        let error = #expect(throws: TrustFileError.self) { try file.services() }
        #expect(error?.description.hasPrefix("\(file.path):2: expected [*.]host[:port]") == true)
        #expect(throws: TrustFileError.self) { try file.add(TrustLine("c.org")) }
        #expect(try content() == text)
    }

    @Test func notText() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try file.add(TrustLine("a.org"))
        try Data([0xFF, 0xFE, 0x00]).write(to: URL(filePath: file.path))
        #expect(throws: TrustFileError.self) { try file.services() }
    }
}
