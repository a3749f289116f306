// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("A request carries the pins of its host")
struct TrustedRequestTests {
    /// The calls of a transport's `send`, with their arguments.
    private static func calls(in source: String) -> [Substring] {
        source.matches(of: /\btransport\.send\(/).map { match in
            var depth = 0
            let rest = source[match.range.upperBound...]
            return rest.prefix { character in
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                return depth >= 0
            }
        }
    }

    @Test(
        "Every sender names the policy with the pins",
        arguments: ["MPinClient", "KioskRuntime", "Doors", "login-kiosk"])
    func sendsByThePolicy(_ module: String) throws {
        for call in try SourceTree.sources(of: module).flatMap(Self.calls) {
            #expect(
                call.contains("trusting:"), "\(module): transport.send(\(call)) leaves the pins of the trust list out")
        }
    }

    @Test("The check finds a call without pins")
    func seesAForgottenPolicy() throws {
        let calls = Self.calls(
            in: "x = transport.send(a(b), trusting: c); try await transport.send(HTTPRequest(.get, d)) // ) trusting:")
        #expect(calls == ["a(b), trusting: c", "HTTPRequest(.get, d)"])
        let senders = try ["MPinClient", "Doors", "login-kiosk"].map {
            try SourceTree.sources(of: $0).flatMap(Self.calls).count
        }
        #expect(senders.allSatisfy { $0 > 0 }, "requests are not found any more")
    }
}
