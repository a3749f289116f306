// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import NIOSSL
import Patience
import Testing

@testable import ReferenceBackend

/// The TLS that the public listeners accept, by handshakes with clients of limited abilities.
@Suite struct ServerTLSTests {
    /// A client with one TLS version and, up to 1.2, one suite.
    struct Client: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: TLSVersion
        var suite: NIOTLSCipher?

        func isAnswered(_ port: Int, _ key: TestCertificate.Key) async throws -> Bool {
            var client = try TLSClient(trusting: key)
            (client.configuration.minimumTLSVersion, client.configuration.maximumTLSVersion) = (version, version)
            if let suite { client.configuration.cipherSuiteValues = [suite] }
            return try await client.isAnswered(at: port)
        }
    }

    static let refused = [
        Client(testDescription: "1.0", version: .tlsv1), Client(testDescription: "1.1", version: .tlsv11),
        Client(testDescription: "RSA key, CBC", version: .tlsv12, suite: .TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA),
        Client(testDescription: "RSA key, CBC 256", version: .tlsv12, suite: .TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA),
        Client(testDescription: "EC key, CBC", version: .tlsv12, suite: .TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA),
        Client(testDescription: "EC key, CBC 256", version: .tlsv12, suite: .TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA),
        Client(testDescription: "no forward secrecy", version: .tlsv12, suite: .TLS_RSA_WITH_AES_128_GCM_SHA256),
        Client(testDescription: "no forward secrecy, CBC", version: .tlsv12, suite: .TLS_RSA_WITH_AES_256_CBC_SHA),
    ]

    static let taken: [TestCertificate.Key: [Client]] = [
        .rsa: [
            Client(testDescription: "1.3", version: .tlsv13),
            Client(testDescription: "AES 128", version: .tlsv12, suite: .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256),
            Client(testDescription: "AES 256", version: .tlsv12, suite: .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384),
            Client(
                testDescription: "ChaCha20", version: .tlsv12, suite: .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256),
        ],
        .elliptic: [
            Client(testDescription: "1.3", version: .tlsv13),
            Client(testDescription: "AES 128", version: .tlsv12, suite: .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256),
            Client(testDescription: "AES 256", version: .tlsv12, suite: .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384),
            Client(
                testDescription: "ChaCha20", version: .tlsv12,
                suite: .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256),
        ],
    ]

    @Test(arguments: [TestCertificate.Key.rsa, .elliptic])
    func theBackendTakesNoOldTLS(_ key: TestCertificate.Key) async throws {
        let files = TemporaryFolder()
        let tls = try TestCertificate.tls(key, in: files)
        try await withBackend(options: tls.options) { backend in
            #expect(backend.addresses.publicURL == "https://127.0.0.1:\(backend.addresses.publicPort)")
            try await Self.check(backend.addresses.publicPort, key)
        }
        withExtendedLifetime(files) {}
    }

    @Test(arguments: [TestCertificate.Key.rsa, .elliptic])
    func aDTATakesNoOldTLS(_ key: TestCertificate.Key) async throws {
        try await withAuthority(half: 2, hasTLS: true, key: key) { authority in
            try await Self.check(authority.client.port, key)
        }
    }

    private static func check(_ port: Int, _ key: TestCertificate.Key) async throws {
        for client in refused { #expect(try await client.isAnswered(port, key) == false, "\(client.testDescription)") }
        for client in taken[key] ?? [] { #expect(try await client.isAnswered(port, key), "\(client.testDescription)") }
    }
}
