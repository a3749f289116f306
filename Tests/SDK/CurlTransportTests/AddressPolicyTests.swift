// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient
import Patience
import Testing

@testable import CurlTransport

@Suite struct AddressPolicies {
    static let classes: [(String, AddressClass)] = [
        ("8.8.8.8", .global), ("193.99.144.80", .global), ("172.15.255.255", .global), ("172.32.0.0", .global),
        ("100.63.255.255", .global), ("100.128.0.0", .global), ("223.255.255.255", .global), ("11.0.0.0", .global),
        ("10.0.0.1", .privateNetwork), ("10.255.255.255", .privateNetwork), ("172.16.0.0", .privateNetwork),
        ("172.31.255.255", .privateNetwork), ("192.168.0.1", .privateNetwork), ("192.167.255.255", .global),
        ("100.64.0.0", .shared), ("100.127.255.255", .shared),
        ("169.254.169.254", .linkLocal), ("169.253.255.255", .global),
        ("127.0.0.1", .loopback), ("127.255.255.255", .loopback), ("128.0.0.0", .global),
        ("0.0.0.0", .unusable), ("0.1.2.3", .unusable), ("192.0.0.8", .unusable), ("224.0.0.1", .unusable),
        ("239.1.2.3", .unusable), ("240.0.0.1", .unusable), ("255.255.255.255", .unusable),
        ("2001:4860:4860::8888", .global), ("2a00:1450::1", .global), ("3fff::1", .global),
        ("fc00::1", .privateNetwork), ("fdff:ffff::1", .privateNetwork),
        ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
        ("::1", .loopback), ("::", .unusable), ("::2", .unusable), ("::127.0.0.1", .unusable),
        ("fec0::1", .unusable), ("ff02::1", .unusable), ("4000::1", .unusable), ("100::1", .unusable),
        ("::ffff:127.0.0.1", .loopback), ("::ffff:10.1.2.3", .privateNetwork), ("::ffff:169.254.169.254", .linkLocal),
        ("::ffff:8.8.8.8", .global), ("::ffff:0.0.0.0", .unusable), ("64:ff9b::7f00:1", .loopback),
        ("64:ff9b::808:808", .global), ("64:ff9b:1::1", .shared), ("64:ff9b:2::1", .unusable),
        ("2002:7f00:1::1", .loopback),
        ("2002:a00:1::1", .privateNetwork), ("2002:808:808::1", .global),
    ]

    @Test(arguments: classes)
    func tellWhereAnAddressLeads(_ text: String, _ expected: AddressClass) throws {
        #expect(try address(text).addressClass == expected)
    }

    @Test func lookAtTheSpellingOfTheHost() throws {
        let standard = AddressPolicy()
        let cases: [(String, String, Bool)] = [
            ("https://login.example.com", "8.8.8.8", true), ("https://login.example.com", "10.0.0.1", true),
            ("https://login.example.com", "127.0.0.1", false), ("https://login.example.com", "::1", false),
            ("https://login.example.com", "::ffff:127.0.0.1", false),
            ("https://login.example.com", "169.254.169.254", false), ("https://login.example.com", "fe80::1", false),
            ("https://login.example.com", "100.64.0.1", false), ("https://login.example.com", "0.0.0.0", false),
            ("https://169.254.169.254", "169.254.169.254", false), ("https://192.168.1.5", "192.168.1.5", true),
            ("http://localhost:8480", "127.0.0.1", true), ("http://localhost:8480", "::1", true),
            ("http://localhost:8480", "8.8.8.8", false), ("http://127.0.0.1:8480", "127.0.0.1", true),
            ("http://[::1]:8480", "::1", true),
        ]
        for (url, peer, isAllowed) in cases {
            #expect(
                standard.allows(try address(peer), for: try WebAddress(url).origin) == isAllowed, "\(url) at \(peer)")
        }
        let origin = try WebAddress("https://login.example.com").origin
        #expect(!AddressPolicy(allowed: [.global]).allows(try address("10.0.0.1"), for: origin))
        #expect(AddressPolicy(allowed: [.shared]).allows(try address("100.64.0.1"), for: origin))
        #expect(!AddressPolicy(allowed: Set(AddressClass.allCases)).allows(try address("0.0.0.0"), for: origin))
    }

    /// The addresses of an overlay network, or of the operator's own translation.
    @Test func namedNetworksAreAllowed() throws {
        let networks = ["100.64.0.0/10", "64:ff9b:1::/48", "fd00::1"].compactMap(AddressNetwork.init)
        try #require(networks.count == 3)
        let policy = AddressPolicy(allowed: [], networks: networks)
        let origin = try WebAddress("https://login.example.com").origin
        for (peer, isAllowed) in [
            ("100.64.0.0", true), ("100.127.255.255", true), ("::ffff:100.64.0.1", true), ("64:ff9b::6440:1", true),
            ("100.63.255.255", false), ("100.128.0.0", false), ("64:ff9b:1::1", true), ("64:ff9b:1:ffff::", true),
            ("64:ff9b:2::", false), ("fd00::1", true), ("fd00::2", false), ("127.0.0.1", false), ("8.8.8.8", false),
        ] { #expect(policy.allows(try address(peer), for: origin) == isAllowed, "\(peer)") }
        let everything = AddressPolicy(allowed: [], networks: ["0.0.0.0/0", "::/0"].compactMap(AddressNetwork.init))
        #expect(everything.allows(try address("169.254.169.254"), for: origin))
        #expect(!everything.allows(try address("0.0.0.0"), for: origin))
        #expect(!everything.allows(try address("ff02::1"), for: origin))
        // The host's own name is still checked.
        #expect(!everything.allows(try address("8.8.8.8"), for: try WebAddress("https://localhost").origin))
    }

    @Test(arguments: [
        "", "100.64.0.0/33", "100.64.0.1/10", "100.64/10", "::/129", "64:ff9b:1::1/48", "100.64.0.0/", "/8",
        "100.64.0.0/+8", "100.64.0.0/8/8", "login.example.com", " 10.0.0.0/8", "100.64.0.0/0010",
    ])
    func whatIsNoNetwork(_ text: String) { #expect(AddressNetwork(text) == nil) }

    /// A network contains exactly the addresses that begin with its bits.
    @Test func networksOfAnyLength() throws {
        var generator = SplitMix64(seed: 20261126)
        for _ in 0..<500 {
            let text = String(
                (0..<Int.random(in: 1...20, using: &generator)).map { _ in
                    "0123456789abcdef.:/".randomElement(using: &generator)!
                })
            if let network = AddressNetwork(text) { #expect(network.description == text) }
            let number = UInt32.random(in: 0...UInt32.max, using: &generator)
            let length = Int.random(in: 0...32, using: &generator)
            let first = length == 0 ? 0 : (number >> (32 - length)) << (32 - length)
            let network = try #require(AddressNetwork("\(PeerAddress.v4(first))/\(length)"))
            #expect(network.contains(.v4(number)))
            if length > 0 { #expect(!network.contains(.v4(number ^ 1 << UInt32(32 - length)))) }
        }
    }

    /// A name that leads to this machine without looking so: curl itself resolves `*.localhost`.
    @Test func refuseBeforeAConnectionIsMade() async throws {
        try await withServer {
            $0.reply(200)
        } _: { server, transport in
            let address = try server.address("/service?secret=1", host: "login.localhost")
            let error = await failure(of: HTTPRequest(.get, address), transport)
            #expect(error?.code == .addressRefused, "\(String(describing: error))")
            #expect(error?.requestMayHaveBeenSent == false)
            #expect(error?.detail.contains("loopback") == true)
            #expect(error?.detail.contains("network.allowed-addresses") == true)
            #expect(error?.detail.contains("secret") == false)
            #expect(server.accepted == 0)
        }
        let open = AddressPolicy(allowed: [.loopback])
        try await withServer(.init(addressPolicy: open)) { connection in
            _ = connection.readRequest()
            connection.reply(200)
        } _: { server, transport in
            let address = try server.address(host: "login.localhost")
            #expect(try await transport.send(HTTPRequest(.get, address)).status == 200)
        }
    }

    @Test func leaveLocalhostToItself() async throws {
        try await withServer(.init(addressPolicy: AddressPolicy(allowed: []))) { connection in
            _ = connection.readRequest()
            connection.reply(200)
        } _: { server, transport in
            let address = try server.address(host: "localhost")
            #expect(try await transport.send(HTTPRequest(.get, address)).status == 200)
        }
    }

    private func address(_ text: String) throws -> PeerAddress {
        try #require(PeerAddress(text))
    }
}
