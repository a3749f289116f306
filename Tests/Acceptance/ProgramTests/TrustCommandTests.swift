// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("login-kiosk trust", .fewAtATime)
struct TrustCommandTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    func trust(_ arguments: String...) async throws -> Program.Run {
        try await scratch.kiosk(["trust"] + arguments)
    }

    @Test func story() async throws {
        #expect(try await trust("list").output == "nothing is trusted yet; add a host: login-kiosk trust add HOST\n")
        #expect(
            try await trust("add", "login.example.com", "*.Example.org:8443").output
                == "trusted: login.example.com\ntrusted: *.example.org:8443\n")
        #expect(try await trust("add", "login.example.com").output == "already trusted: login.example.com\n")
        #expect(try await trust("list").output == "login.example.com\n*.example.org:8443\n")
        #expect(try await trust("remove", "login.example.com").output == "no longer trusted: login.example.com\n")
        #expect(try await trust("list", "--json").output.contains(#""trusted":["*.example.org:8443"],"version":1"#))
    }

    @Test func delegations() async throws {
        let line = "shop.example.com -> login.example.com"
        #expect(try await trust("add", "login.example.com", line).output.hasSuffix("trusted: \(line)\n"))
        #expect(try await trust("add", line).output == "already trusted: \(line)\n")
        try await trust("add", "shop.example.com -> dta.example.com").expect(0)
        #expect(try await trust("list").output == "login.example.com\n\(line) dta.example.com\n")
        let json = try await trust("list", "--json").output
        #expect(json.contains(#""mayUse":{"shop.example.com":["login.example.com","dta.example.com"]}"#), "\(json)")
        #expect(json.contains(#""trusted":["login.example.com","shop.example.com"]"#), "\(json)")
        try await trust("remove", "login.example.com").expect(
            0, "still used by: shop.example.com", "trust remove 'shop.example.com -> login.example.com'")
        try await trust("remove", "shop.example.com -> dta.example.com login.example.com").expect(0)
        #expect(try await trust("list").output == "shop.example.com\n")
        // The rest that a shell leaves of a delegation without quotes.
        try await trust("add", "shop.example.com", "-").expect(64, "in quotes")
        #expect(try await trust("list").output == "shop.example.com\n")
    }

    @Test func pins() async throws {
        let one = "pin-sha256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        let two = "pin-sha256:" + String(repeating: "A", count: 43) + "="
        let added = try await trust("add", "a.org -> dta.a.org \(two)", "--pin", one, "--pin", two).expect(
            0, printing: "trusted: a.org \(one) \(two) -> dta.a.org \(two)\n")
        #expect(
            added.errors.contains("dta.a.org has one pin only") && !added.errors.contains(": a.org has"), "\(added)")
        #expect(try await trust("add", "a.org", "--pin", one).output == "already trusted: a.org \(one)\n")
        let json = try await trust("list", "--json").output
        #expect(json.contains(#""pins":{"a.org":["\#(one)","\#(two)"],"dta.a.org":["\#(two)"]}"#), "\(json)")
        #expect(json.contains(#""trusted":["a.org"]"#), "\(json)")
        let removed = try await trust("remove", "a.org -> dta.a.org \(two)", "--pin", one)
        #expect(removed.errors.contains("dta.a.org has no pins any more"), "\(removed)")
        #expect(try await trust("list").output == "a.org \(two) -> dta.a.org\n")
        try await trust("remove", "a.org", "--pin", one).expect(65)

        for (arguments, words) in [
            (["a.org", "--pin", "AAAA"], "expected pin-sha256:"), (["a.org", "--pin", "sha256/AAAA"], "has 3 bytes"),
            (["a.org", "b.org", "--pin", one], "name one host"), (["a.org pin-sha256:zz"], "44 characters of base64"),
            (["http://a.org \(one)"], "expected [*.]host[:port]"),
        ] {
            let run = try await Program("login-kiosk").run(
                ["trust", "add"] + arguments + scratch.places)
            #expect(run.status == 64 && run.errors.contains(words), "\(arguments): \(run)")
        }
        try await trust("pin", "*.a.org").expect(64)
        let settings = scratch.url.appending(path: "config/config.yaml")
        try Data("network:\n  allow-loopback-http: true\n".utf8).write(to: settings)
        try await trust("add", "localhost:8480 \(one)").expect(0, "by https only")
    }

    @Test("A service on this machine is reported with the flag that it needs")
    func loopback() async throws {
        try await trust("add", "127.0.0.1:8480").expect(
            0, "--allow-loopback-http", printing: "trusted: 127.0.0.1:8480\n")
        #expect(try await trust("add", "login.example.com").errors.isEmpty)
        let settings = scratch.url.appending(path: "config/config.yaml")
        try Data("network:\n  allow-loopback-http: true\n".utf8).write(to: settings)
        #expect(try await trust("add", "localhost:8480").errors.isEmpty)
    }

    @Test func documents() async throws {
        let list = #""alreadyTrusted":[],"trusted":["a.org -> dta.a.org"],"version":1}"#
        let added = try await trust("add", "a.org -> dta.a.org", "--json")
        #expect(added.output == "{\"allowed\":[],\"alreadyAllowed\":[],\(list)\n", "\(added)")
        _ = try await trust("add", "a.org", "--address", "fd00::")
        let more = try await trust(
            "add", "a.org", "b.org", "--address", "100.64.0.0/10", "--address", "fd00::", "--json")
        #expect(
            more.output == """
                {"allowed":["100.64.0.0/10"],"alreadyAllowed":["fd00::"],"alreadyTrusted":["a.org"],\
                "trusted":["b.org"],"version":1}

                """, "\(more)")
        try await trust("remove", "a.org -> dta.a.org", "--json").expect(
            0, printing: "{\"removed\":\"a.org -> dta.a.org\",\"version\":1}\n")
        // What the operator should know is on standard error, beside the object.
        try await trust("add", "127.0.0.1:8480", "--json").expect(0, "--allow-loopback-http", output: "{")
    }

    @Test("Networks are added to the settings, each once")
    func addresses() async throws {
        try await trust("add", "login.example.com", "--address", "100.64.0.0/10", "--address", "fd00::").expect(
            0, output: "allowed: 100.64.0.0/10 fd00::\n")
        try await trust("add", "b.example.com", "--address", "64:ff9b:1::/48", "--address", "fd00::").expect(
            0, output: "allowed: 64:ff9b:1::/48\n")
        #expect(
            try await trust("add", "b.example.com", "--address", "fd00::").output.contains("already allowed: fd00::"))
        let file = scratch.url.appending(path: "config/config.d/90-allowed-addresses.yaml")
        #expect(try String(contentsOf: file, encoding: .utf8).contains("\"100.64.0.0/10 fd00:: 64:ff9b:1::/48\""))
        try await trust("add", "b.example.com", "--address", "100.64.0.0/8").expect(64, "expected a network")
        // A later file overrides it.
        try scratch.write("network: {allowed-addresses: \"10.0.0.0/8\"}\n", to: "config/config.d/95-mine.yaml")
        try await trust("add", "b.example.com", "--address", "100.64.0.0/10").expect(78, "has no effect")
    }

    @Test("A wildcard that trusts strangers is added with a warning")
    func wildcards() async throws {
        try await trust("add", "*.co.uk").expect(0, "*.co.uk trusts strangers")
        let target = try await trust("add", "a.example.com -> *.github.io")
        #expect(target.errors.contains("*.github.io trusts strangers"), "\(target)")
        let own = try await trust("add", "*.example.co.uk", "co.uk")
        #expect(own.status == 0 && !own.errors.contains("strangers"), "\(own)")
        #expect(own.errors.contains("*.example.co.uk trusts every host below example.co.uk, and not"), "\(own)")
    }

    @Test(
        "A spelling that browsers take and kiosks do not comes with the reason",
        arguments: [
            ("bücher.example", "xn--"), ("my_host.example.com", "underscore"),
            ("login.example.com.", "without the dot at its end: login.example.com"), ("::1", "in brackets: [::1]"),
            ("https://bücher.example/", "xn--"), ("a.example -> my_host.example", "underscore"),
        ])
    func spellings(text: String, reason: String) async throws {
        try await trust("add", text).expect(64, reason)
    }

    @Test("A browser's address stands for its host")
    func addressesOfBrowsers() async throws {
        let added = try await trust(
            "add", "https://login.example.com/", "https://shop.example.com:8443/a?b=c -> https://dta.example.com/",
            "http://127.0.0.1:8480/")
        #expect(
            added.output == """
                trusted: login.example.com
                trusted: shop.example.com:8443 -> dta.example.com
                trusted: 127.0.0.1:8480

                """, "\(added)")
        try await trust("remove", "https://login.example.com/").expect(0)
    }

    @Test func mistakes() async throws {
        try await trust("add", "http://login.example.com/").expect(64, "expected [*.]host[:port]")
        try await trust("add", "*.com").expect(64, "two labels")
        try await trust("remove", "a.org").expect(65, "hint: see what is")
    }

    @Test("A damaged list stops the command and stays unchanged")
    func damaged() async throws {
        _ = try await trust("add", "a.org")
        let file = scratch.path("config/trusted")
        try Data("a.org\nnot a host\n".utf8).write(to: URL(filePath: file))
        try await trust("add", "b.org").expect(78, "\(file):2:")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "a.org\nnot a host\n")
    }

    @Test func homeless() async throws {
        var program = try Program("login-kiosk")
        program.environment = ["HOME": ""]
        try await program.run(["trust", "list"]).expect(78, "--state DIR --config DIR")
    }
}
