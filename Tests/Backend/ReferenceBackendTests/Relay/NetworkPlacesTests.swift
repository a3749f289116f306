// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Foundation
import Patience
import Testing

@testable import BackendValues
@testable import ReferenceBackend

/// The location of a browser and a device by their addresses.
@Suite struct NetworkPlacesTests {
    private static let places = [
        "library=192.0.2.0/24,2001:db8:7::/48", "town hall=198.51.100.8/29,10.1.0.0/16,203.0.113.4",
    ]

    private static func make(refusesOthers: Bool = false, key: UInt8 = 7) throws -> NetworkPlaces {
        NetworkPlaces(
            try places.map { try NetworkPlace($0) }, refusesOthers: refusesOthers,
            key: SecretBytes([UInt8](repeating: key, count: 32)))
    }

    @Test(
        arguments: [
            // In one place, whatever the addresses are.
            ("192.0.2.1", "192.0.2.255", BrowserLocation.same), ("192.0.2.1", "2001:db8:7:1::9", .same),
            ("198.51.100.9", "10.1.255.255", .same), ("203.0.113.4", "198.51.100.15", .same),
            // In two places, or one of them in none.
            ("192.0.2.1", "10.1.0.1", .other), ("192.0.2.1", "192.0.3.1", .other), ("10.2.0.1", "10.1.0.1", .other),
            ("198.51.100.16", "198.51.100.8", .other), ("127.0.0.1", "192.0.2.1", .other),
            ("203.0.113.5", "203.0.113.4", .other), ("2001:db8:8::1", "2001:db8:7::1", .other),
            // In no place: the same address, or two.
            ("203.0.113.9", "203.0.113.9", .same), ("203.0.113.9", "203.0.113.10", .other),
            ("2001:db8:9::1", "2001:db8:9::2", .same), ("2001:db8:9::1", "203.0.113.9", .other),
            ("192.168.1.2", "192.168.1.2", .same), ("192.168.1.2", "203.0.113.9", .other),
            // Two addresses of private networks may be in one building, and loopback may be an unconfigured proxy's.
            ("192.168.1.2", "192.168.1.3", .unknown), ("192.168.1.2", "fd00::1", .unknown),
            ("127.0.0.1", "127.0.0.1", .unknown), ("127.0.0.1", "127.0.0.2", .unknown),
            ("::1", "203.0.113.9", .unknown),
        ])
    func table(browser: String, device: String, location: BrowserLocation) throws {
        let places = try Self.make()
        for (page, kiosk) in [(browser, device), (device, browser)] {
            let (page, kiosk) = (try #require(ClientAddress(page)), try #require(ClientAddress(kiosk)))
            #expect(places.location(of: places.mark(of: page), from: kiosk) == location)
        }
        let address = try #require(ClientAddress(browser))
        #expect(places.location(of: places.mark(of: .unknown), from: address) == .unknown)
        #expect(places.location(of: places.mark(of: address), from: .unknown) == .unknown)
        // An operator who refuses other places refuses a browser that is at none.
        let refusing = try Self.make(refusesOthers: true)
        #expect(refusing.location(of: refusing.mark(of: .unknown), from: address) == .other)
    }

    /// Nobody can search for an address with a given mark.
    @Test func marksAreKeyed() throws {
        let other = try Self.make(key: 8)
        let address = try #require(ClientAddress("203.0.113.9"))
        let marks = [try Self.make().mark(of: address), try Self.make().mark(of: address)]
        #expect(marks[0] == marks[1] && marks[0] != other.mark(of: address))
    }

    @Test(
        arguments: [
            ("", "192.0.2.0/24", "NAME=NETWORK"), ("a\u{7}", "192.0.2.0/24", "NAME=NETWORK"),
            ("a", "", "a network has to be"), ("a", "[192.0.2.1", "a network has to be"),
            ("a", "example.com", "a network has to be"),
            ("a", "192.0.2.0/33", "1 to 32"), ("a", "192.0.2.0/0", "1 to 32"), ("a", "192.0.2.0/", "1 to 32"),
            ("a", "192.0.2.0/+8", "1 to 32"), ("a", "192.0.2.0/24/1", "a network has to be"),
            ("a", "192.0.2.1/24", "has bits after its length"), ("a", "2001:db8::/65", "1 to 64"),
            ("library", "192.0.9.0/24", "is there twice"), ("a", "192.0.2.128/25", "networks of library and a overlap"),
            ("a", "10.0.0.0/8", "networks of town hall and a overlap"),
        ])
    func mistakesAreTold(name: String, network: String, complaint: String) {
        let state = TemporaryFolder()
        let text = Backend.complaint(
            options: (Self.places + ["\(name)=\(network)"]).flatMap { ["--place", $0] }, in: state)
        #expect(text.contains("--place") && text.contains(complaint), "\(text)")
        #expect(!FileManager.default.fileExists(atPath: state.path))
    }
}
