// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import Patience
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// A stranger's request to the platform never causes a server error.
@Suite struct TrustMalformedTests {
    static let endpoints: [(HTTPRequest.Method, String)] = [
        (.post, "/verification/email"), (.post, "/verification/confirmation"), (.post, "/verification"),
        (.post, "/registration"), (.put, "/rps/v2/user"), (.post, "/rps/v2/session"), (.post, "/rps/v2/access"),
        (.post, "/rps/v2/codeStatus"), (.post, "/rps/v2/pass1"), (.post, "/rps/v2/pass2"),
        (.post, "/rps/v2/authenticate"),
    ]

    @Test(arguments: TrustProject.generations)
    func noBodyBreaksAnEndpoint(_ generation: PlatformGeneration) async throws {
        try await withBackend { backend in
            for (method, path) in Self.endpoints {
                for body in MalformedInputTests.hostileBodies {
                    let reply = try await backend.client.send(
                        method, "/" + generation.rawValue + path, body: Array(body.utf8))
                    #expect((400..<500).contains(reply.status), "\(method) \(path) \(body.prefix(80))")
                }
            }
        }
    }

    @Test(arguments: [
        "/rps/v2/signature/zz", "/rps/v2/signature/00", "/rps/v2/signature/00?regOTT=%zz&publicKey=00",
        "/dta/1/clientSecret", "/dta/3/clientSecret", "/dta/x/clientSecret", "/dta/0/clientSecret",
        "/dta/1/clientSecret?hash_mpin_id=00", "/verification/qr.png", "/qr.png", "/nothing",
    ])
    func aRequestThatIsRefused(_ path: String) async throws {
        try await withBackend { backend in
            let reply = try await backend.client.get("/trust-2025" + path)
            #expect((400..<500).contains(reply.status))
        }
    }

    /// An application may name the expected user. An invalid user id is the application's error.
    @Test(arguments: ["", " ", "a\u{202e}b", String(repeating: "x", count: 256)])
    func anExpectedUserIsOne(_ userID: String) async throws {
        try await withProject { project in
            let reply = try await project.post(
                "/authorize?response_type=code&client_id=" + project.id, ["prerollId": .string(userID)])
            #expect(reply.status == (userID.isEmpty ? 200 : 400))
        }
    }

    @Test func mutatedRequestsNeverBreakTheServer() async throws {
        let seed: UInt64 = 0x7a57_2025
        try await withTrustDevice { project, device in
            var generator = SplitMix64(seed: seed)
            let good: [[String: JSONValue]] = [
                ["projectId": .string(project.id), "userId": "bob@example.com", "hash": "00"],
                ["scope": .array(["oidc"]), "mpin_id": .string(device.mpinIDHex), "U": "04", "V": "04"],
                ["status": "wid", "wid": "0", "webOTT": "0", "authOTT": "0", "code": "0"],
            ]
            for _ in 0..<300 {
                let (method, path) = try #require(Self.endpoints.randomElement(using: &generator))
                var body = JSONObject(try #require(good.randomElement(using: &generator))).body
                for _ in 0..<Int.random(in: 0...3, using: &generator) {
                    let place = Int.random(in: 0...body.count, using: &generator)
                    body.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                }
                let reply = try await project.backend.client.send(method, project.base + path, body: body)
                #expect(reply.status < 500, "seed \(seed), \(method) \(path) \(body)")
            }
        }
    }
}
