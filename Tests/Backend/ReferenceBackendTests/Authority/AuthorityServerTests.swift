// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Foundation
import HTTPTypes
import KioskTestKit
import MPinCrypto
import Patience
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// A D-TA as a server: its answers, and its files.
@Suite struct AuthorityServerTests {
    private let identity = MPinIdentity(MPinID(Array("alice".utf8))).hashed

    @Test func onlySignedRequestsGetShares() async throws {
        try await withAuthority(half: 1) { [identity] one in
            let (client, clock, requests) = (one.client, one.clock, try one.requests)
            let day = try clock.now.day
            let queries = [
                ("serverSecret", requests.serverSecretQuery(now: clock.now)),
                ("clientSecret", requests.clientSecretQuery(for: identity, now: clock.now)),
                ("timePermit", requests.timePermitQuery(for: identity, on: day)),
            ]
            for (name, query) in queries {
                let given = try await client.get("/\(name)?\(query)")
                #expect(given.status == 200 && given.object.string(name) != nil, "\(name)")
                let forged = try await client.get("/\(name)?\(query.dropLast())0\(query.last == "0" ? "1" : "0")")
                #expect(forged.status == 401, "\(name)")
                #expect(try await client.get("/\(name)").status == 403)
                // A request for one name is refused under another.
                for (other, _) in queries where other != name {
                    #expect(try await client.get("/\(other)?\(query)").status >= 400, "\(name) \(other)")
                }
            }
            #expect(try await client.get("/status").status == 200)
            #expect(try await client.get("/timePermits?\(queries[2].1)").status == 404)
            clock.advance(by: .seconds(61))
            for (name, query) in queries.prefix(2) {
                #expect(try await client.get("/\(name)?\(query)").status == 408, "\(name)")
            }
        }
    }

    /// The key of one D-TA does not open the other. With one key for both, one stolen half would be both.
    @Test func theKeyOfOneDoesNotOpenTheOther() async throws {
        try await withAuthorities { [identity] pair in
            let (first, second) = (try pair.first.requests, try pair.second.requests)
            #expect(!first.credentials.hasSameKey(as: second.credentials))
            let query = first.clientSecretQuery(for: identity, now: pair.clock.now)
            #expect(try await pair.first.client.get("/clientSecret?\(query)").status == 200)
            #expect(try await pair.second.client.get("/clientSecret?\(query)").status == 401)
        }
    }

    @Test func itsFilesAreItsOwnAndOneHalf() async throws {
        let state = TemporaryFolder()
        try await withAuthority(half: 2, state: state) { _ in }
        for (file, mode) in [("", 0o700), ("/dta2", 0o700), ("/dta2/master", 0o600), ("/dta2/credentials", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: state.path + file)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(file)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.path) == ["dta2"])
        func complaint(_ half: Int) -> String { AuthorityServer.complaint(half, in: state) }
        #expect(complaint(2).isEmpty)
        #expect(complaint(1).contains("dta2/master is half 2 of the master secret"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.path) == ["dta2"])
        #expect(complaint(3).contains("1 to 2"))
        let master = state.path + "/dta2/master"
        #expect(unsafe chmod(master, 0o644) == 0)
        #expect(complaint(2).contains("is open to other users"))
        #expect(unsafe chmod(master, 0o600) == 0)
        // A symbolic link to a secret that others can read is refused.
        let elsewhere = TemporaryFolder()
        let folder = try StateDirectory(path: elsewhere.path)
        try StateDirectory.create(folder.file("open"), content: try #require(try StateDirectory.read(master)))
        #expect(unsafe chmod(folder.file("open"), 0o644) == 0)
        #expect(unsafe unlink(master) == 0)
        #expect(unsafe symlink(folder.file("open"), master) == 0)
        #expect(complaint(2).contains("is open to other users"))
    }

    /// With another half devices would get shares with which every right PIN is wrong.
    @Test func itDoesNotComeBackWithAnotherHalf() async throws {
        let (state, other) = (TemporaryFolder(), TemporaryFolder())
        try await withAuthority(half: 1, state: state) { _ in }
        try await withAuthority(half: 1, state: other) { _ in }
        let (master, mark) = (state.path + "/dta1/master", state.path + "/dta1/issuer")
        let right = try #require(try StateDirectory.read(master))
        func complaint() -> String { AuthorityServer.complaint(1, in: state) }
        let words = "\(master): is not the half that this D-TA has had"
        try StateDirectory.replace(master, content: try #require(try StateDirectory.read(other.path + "/dta1/master")))
        #expect(complaint().contains(words) && complaint().contains(mark))
        // A lost half is not replaced by a new one.
        #expect(unsafe unlink(master) == 0)
        #expect(complaint().contains(words))
        #expect(try StateDirectory.read(master) == nil)
        try StateDirectory.create(master, content: right)
        #expect(complaint().isEmpty)
        #expect(unsafe unlink(master) == 0)
        #expect(unsafe unlink(mark) == 0)
        #expect(complaint().isEmpty)
        #expect(try StateDirectory.read(master) != right)
    }

    @Test(arguments: ["0.0.0.0", "[::]", "dta.example.com", "192.168.1.2", "127.0.0.1.example.com"])
    func beyondTheMachineItSpeaksTLS(_ host: String) {
        let state = TemporaryFolder()
        let complaint = AuthorityServer.complaint(1, options: ["--listen", "\(host):0"], in: state)
        #expect(complaint.contains("needs a certificate"))
        #expect(!FileManager.default.fileExists(atPath: state.path))
    }

    /// Web pages are clients of the platform, which ask only the second D-TA.
    @Test func pagesOfOtherSitesAskTheSecond() async throws {
        try await withAuthorities { pair in
            for (authority, isAsked) in [(pair.first, false), (pair.second, true)] {
                for path in ["/clientSecret", "/serverSecret"] {
                    let reply = try await authority.client.get(path, headers: [.origin: "https://shop.example"])
                    let origin = reply.headers[.accessControlAllowOrigin]
                    #expect(origin == (isAsked && path == "/clientSecret" ? "*" : nil), "\(path)")
                }
            }
        }
    }

    @Test func aTakenPortIsNamed() async throws {
        try await withAuthority(half: 1) { one in
            let state = TemporaryFolder()
            let second = try AuthorityServer(1, options: ["--listen", "127.0.0.1:\(one.client.port)"], in: state)
            let expected = BackendError.cannotListen(
                address: "127.0.0.1:\(one.client.port)", reason: "Address already in use")
            await #expect(throws: expected) { try await second.run() }
            await #expect(throws: expected) { _ = try await second.url }
        }
    }
}
