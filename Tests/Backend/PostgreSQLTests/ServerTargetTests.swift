// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

@testable import PostgreSQL

@Suite struct ServerTargetTests {
    @Test(
        "A password in the address is refused, and not repeated",
        arguments: [
            "postgresql://kiosk:hunter2@db.example.com/kiosk", "host=db.example.com password=hunter2",
            "postgresql://db.example.com/kiosk?password=hunter2", "host=db.example.com sslpassword=hunter2",
            "postgres://kiosk:hunter2@/kiosk",
        ])
    func refusesPasswords(_ text: String) throws {
        let fault = try #require(throws: DatabaseFault.self) { try ServerTarget(text) }
        #expect(fault.kind == .unusableTarget && fault.problem.contains("every user"))
        #expect(fault.hint?.isEmpty == false)
        #expect(!"\(fault.problem) \(fault.hint ?? "")".contains("hunter2"))
    }

    @Test(
        "Text that libpq does not understand is not repeated, because it may contain a password",
        arguments: [
            "hunter2", "postgresql://kiosk:hun%xter2@db/kiosk", "host=db passwort=hunter2", "postgresql://[::1/hunter2",
        ])
    func refusesNonsense(_ text: String) throws {
        let fault = try #require(throws: DatabaseFault.self) { try ServerTarget(text) }
        #expect(fault.kind == .unusableTarget && fault.hint?.contains("postgresql://") == true)
        for part in ["hunter2", "hun%"] { #expect(!"\(fault)".contains(part)) }
    }

    @Test(
        "A server on another machine must prove its name, unless the operator decides otherwise",
        arguments: [
            ("postgresql://db.example.com/kiosk", "verify-full"),
            ("postgresql://db/kiosk?sslmode=prefer", "verify-full"),
            ("host=db sslmode=allow", "verify-full"), ("host=127.example.com", "verify-full"),
            ("host=localhost,db", "verify-full"), ("host=localhost hostaddr=192.0.2.1", "verify-full"),
            ("host=db sslmode=require", nil), ("host=db sslmode=disable", nil), ("host=db sslmode=verify-ca", nil),
            ("postgresql://localhost/kiosk", nil), ("host=/run/postgresql", nil), ("hostaddr=127.0.0.1 host=db", nil),
            ("postgresql://[::1]/kiosk", nil), ("postgresql://", nil), ("host=@name", nil), ("host=127.0.0.1,::1", nil),
        ] as [(String, String?)])
    func requiresTLS(_ text: String, _ mode: String?) throws {
        #expect(try ServerTarget(text).chosenTLSMode == mode)
    }

    @Test func saysWhatIsMeant() throws {
        let target = try ServerTarget("postgresql://kiosk@db.example.com:5433/doors")
        #expect("\(target)" == "PostgreSQL at db.example.com, port 5433, database doors")
        #expect(target.options.contains { $0 == ("target_session_attrs", "read-write") })
        for (address, limit) in [("host=db", "5"), ("host=a,b", "2"), ("hostaddr=192.0.2.1,192.0.2.2", "2")] {
            let target = try ServerTarget(address)
            #expect(target.options.filter { $0.keyword == "connect_timeout" }.map(\.value) == [limit])
        }
        let any = try ServerTarget("host=db target_session_attrs=standby connect_timeout=3")
        #expect(!any.options.contains { ["target_session_attrs", "connect_timeout"].contains($0.keyword) })
    }

    @Test func aServiceIsLookedUp() throws {
        let fault = try #require(throws: DatabaseFault.self) { try ServerTarget("service=no-such-service") }
        #expect(fault.problem.contains("no-such-service") && fault.hint?.contains("pg_service.conf") == true)
    }

    /// Every text gives an address or an error.
    @Test func survivesAnything() throws {
        var random = SplitMix64(seed: 15)
        let seeds = [
            "postgresql://kiosk@db.example.com:5433/doors?sslmode=require", "host=a,b port=1,2 dbname='x y'",
            "service=x",
        ]
        for _ in 0..<2000 {
            var bytes = Array(seeds[Int.random(in: 0..<seeds.count, using: &random)].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                if Bool.random(using: &random), place < bytes.count {
                    bytes[place] = UInt8.random(in: 1...255, using: &random)
                } else {
                    bytes.insert(UInt8.random(in: 1...255, using: &random), at: place)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(DatabaseFault) {
                let target = try ServerTarget(text)
                #expect(!target.options.isEmpty)
            } catch {
                #expect(error.kind == .unusableTarget)
            }
        }
    }
}
