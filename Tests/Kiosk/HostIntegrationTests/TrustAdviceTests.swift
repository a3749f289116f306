// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import LoginValues
import Testing

@Suite("Advice on added services")
struct TrustAdviceTests {
    private static let pin = "pin-sha256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let backup = "pin-sha256:" + String(repeating: "A", count: 43) + "="

    private func sentences(
        adding line: String, to listed: [String] = [], allowsLoopbackHTTP: Bool = false
    ) throws -> [String] {
        let added = try TrustLine(line)
        let policy = TrustPolicy(
            lines: try listed.map { try TrustLine($0) } + [added], allowsLoopbackHTTP: allowsLoopbackHTTP)
        return TrustAdvice.after(adding: [added], in: policy).map(\.sentence)
    }

    @Test(
        arguments: [
            ("a.org", nil),
            ("a.org \(pin)", "a.org has one pin only"),
            ("a.org \(pin) \(backup)", nil),
            ("a.org -> b.org \(pin)", "b.org has one pin only"),
            ("*.co.uk", "*.co.uk trusts strangers"),
            ("a.org -> *.github.io", "*.github.io trusts strangers"),
            ("*.a.org", "*.a.org trusts every host below a.org, and not a.org itself"),
            ("localhost:8480", "on this machine, and reached by https only: localhost:8480"),
        ] as [(String, String?)])
    func namesTheRisk(line: String, expected: String?) throws {
        let sentences = try sentences(adding: line)
        #expect(sentences.count == (expected == nil ? 0 : 1), "\(sentences)")
        if let expected { #expect(sentences.first?.hasPrefix(expected) == true, "\(sentences)") }
    }

    @Test func countsThePinsOfTheWholeList() throws {
        #expect(try sentences(adding: "a.org \(Self.pin)", to: ["a.org \(Self.backup)"]).isEmpty)
        #expect(try sentences(adding: "a.org \(Self.pin)", to: ["a.org \(Self.pin)"]).count == 1)
    }

    @Test func allowsHTTPToThisMachineWithoutPins() throws {
        #expect(try sentences(adding: "localhost:8480", allowsLoopbackHTTP: true).isEmpty)
        let pinned = try sentences(adding: "localhost:8480 \(Self.pin) \(Self.backup)", allowsLoopbackHTTP: true)
        #expect(pinned == ["reached by https only, because over http a server shows no key: localhost:8480"])
    }

    @Test func givesARemedy() throws {
        let added = try TrustLine("*.co.uk")
        #expect(
            TrustAdvice.after(adding: [added], in: TrustPolicy(lines: [added])).map(\.hint)
                == ["name the service's own domain, and: login-kiosk trust remove '*.co.uk'"])
    }
}
