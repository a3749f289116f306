// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import COpenSSL
import Encoding
import KioskTestKit
import Logging
import OpenIDProvider
import Patience
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

@Suite struct SigningKeyTests {
    private let folder = TemporaryFolder()
    private let state: StateDirectory
    private let files: SigningKeyFiles
    private let clock = ManualWallClock()

    init() throws {
        state = try StateDirectory(path: folder.path)
        files = SigningKeyFiles(state: state)
    }

    /// A running backend's tokens, by keys that it follows.
    private func issuer(of files: SigningKeyFiles? = nil) throws -> WebTokenIssuer {
        let followed = try FollowedSigningKeys(files ?? self.files, clock: clock, logger: LogCapture().logger)
        return WebTokenIssuer(keys: { followed.ring }, clock: clock)
    }

    /// Earlier versions made the key with libcrypto: RSAPrivateKey of RFC 8017, or wrapped.
    @Test func aKeyOfLibcryptoIsRead() throws {
        let made = try Self.made(bits: 2048)
        try StateDirectory.create(state.file("signing-key"), content: made.der)
        let key = try files.ringOrFirst().current
        #expect(key.modulus == made.modulus && key.exponent == [1, 0, 1])
        #expect(try StateDirectory.read(state.file("signing-key")) == made.der)
    }

    @Test func aShortKeyIsRefused() throws {
        try StateDirectory.create(state.file("signing-key"), content: try Self.made(bits: 1024).der)
        #expect(throws: BackendError.self) { try files.ringOrFirst() }
    }

    /// The example of RFC 7638, section 3.1.
    @Test func aKeysNameIsItsThumbprint() throws {
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknj"
            + "hMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQ"
            + "vRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzK"
            + "nqDKgw"
        #expect(
            SigningKey.thumbprint(modulus: try #require(Base64.bytes(urlText: modulus)), exponent: [1, 0, 1])
                == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    private static func ids(_ keySet: JSONObject) -> [String] {
        guard case .array(let keys)? = keySet.members["keys"] else { return [] }
        return keys.compactMap { key in
            if case .object(let members) = key, case .string(let id)? = members["kid"] { id } else { nil }
        }
    }

    /// A new key is shown for an hour before it signs, and the replaced one for a day after that. A second renewal
    /// meanwhile makes no other key.
    @Test func aNewKeyIsShownBeforeItSigns() async throws {
        let issuer = try issuer()
        let first = issuer.key.id
        try files.renew(now: clock.now)
        clock.advance(by: FollowedSigningKeys.pause)
        let next = try #require(Self.ids(issuer.keySet).last)
        #expect(next != first && Self.ids(issuer.keySet) == [first, next])
        clock.advance(by: .seconds(3589))
        try files.renew(now: clock.now)
        #expect(issuer.key.id == first)
        clock.advance(by: .seconds(1))
        #expect(issuer.key.id == next && Self.ids(issuer.keySet) == [next, first])
        clock.advance(by: .seconds(86_399))
        #expect(Self.ids(issuer.keySet) == [next, first])
        clock.advance(by: .seconds(1))
        #expect(Self.ids(issuer.keySet) == [next])
        // The next renewal moves the files along.
        try files.renew(now: clock.now)
        clock.advance(by: FollowedSigningKeys.pause)
        let third = try #require(Self.ids(issuer.keySet).last)
        #expect(Self.ids(issuer.keySet) == [next, third] && third != next)
    }

    /// Keys that somebody may have are gone at once, also from a running backend, whether a new one waits or not.
    @Test(arguments: [0, 60, 7200])
    func stolenKeysEndAtOnce(_ wait: Int) async throws {
        let issuer = try issuer()
        try files.renew(now: clock.now)
        clock.advance(by: FollowedSigningKeys.pause)
        let stolen = Set(Self.ids(issuer.keySet))
        clock.advance(by: .seconds(wait))
        try files.replaceAll()
        clock.advance(by: FollowedSigningKeys.pause)
        let id = issuer.key.id
        #expect(stolen.count == 2 && !stolen.contains(id) && Self.ids(issuer.keySet) == [id])
    }

    /// Keys that no longer sign can be deleted early; a key that waits for its time stays.
    @Test func previousKeysCanBeDropped() async throws {
        let issuer = try issuer()
        try files.renew(now: clock.now)
        clock.advance(by: FollowedSigningKeys.pause)
        let (first, both) = (issuer.key.id, Self.ids(issuer.keySet))
        try files.dropPrevious(now: clock.now)
        clock.advance(by: FollowedSigningKeys.pause)
        #expect(issuer.key.id == first && Self.ids(issuer.keySet) == both && both.count == 2)
        clock.advance(by: SigningKeyRing.announcement)
        #expect(issuer.key.id == both[1] && Set(Self.ids(issuer.keySet)) == Set(both))
        for _ in 1...2 {
            try files.dropPrevious(now: clock.now)
            clock.advance(by: FollowedSigningKeys.pause)
            #expect(Self.ids(issuer.keySet) == [both[1]])
        }
    }

    /// A renewal while the clock was years ahead does not put the next one off.
    @Test func aWrongClockHoldsNoKeyBack() async throws {
        let now = clock.now
        let first = try files.ringOrFirst().current.id
        try files.renew(now: now + .seconds(100_000_000))
        let waiting = try #require(try files.ring().next)
        try files.renew(now: now)
        let next = try #require(try files.ring().next)
        #expect(next.key.id == waiting.key.id && next.time == now + SigningKeyRing.announcement)
        #expect(try files.ring().signing(at: now).id == first)
    }

    /// Files that are cut short, missing or being copied change nothing for a running backend, and the log tells it
    /// once.
    @Test func aRunningBackendKeepsItsKeysWithoutFiles() async throws {
        let log = LogCapture()
        let followed = try FollowedSigningKeys(files, clock: clock, logger: log.logger)
        let known = followed.ring.current.id
        for name in ["signing-key", "signing-key.next", "signing-key.previous"] {
            let content = try StateDirectory.read(state.file(name))
            try StateDirectory.replace(state.file(name), content: [1, 2, 3])
            for _ in 1...3 {
                clock.advance(by: FollowedSigningKeys.pause)
                #expect(followed.ring.current.id == known)
            }
            try StateDirectory.remove(state.file(name))
            if let content { try StateDirectory.create(state.file(name), content: content) }
            clock.advance(by: FollowedSigningKeys.pause)
            #expect(followed.ring.current.id == known)
        }
        try StateDirectory.remove(state.file("signing-key"))
        clock.advance(by: FollowedSigningKeys.pause)
        #expect(followed.ring.current.id == known)
        // It is the first start's to create a key.
        #expect(try StateDirectory.read(state.file("signing-key")) == nil)
        #expect(log.messages(at: .error).count == 4)
    }

    /// Two backends with state directories of their own, which are copied file by file, and relying parties whose
    /// caches keep a key set for five minutes: at every minute of two renewals the tokens of both are valid for all.
    @Test func noTokenIsRefusedWhileKeysAreRenewed() async throws {
        let second = TemporaryFolder()
        defer { withExtendedLifetime(second) {} }
        let states = [state, try StateDirectory(path: second.path)]
        let names = ["signing-key", "signing-key.next", "signing-key.previous"]
        func copy(_ name: String) throws {
            guard let content = try StateDirectory.read(states[0].file(name)) else { return }
            try StateDirectory.replace(states[1].file(name), content: content)
        }
        _ = try SigningKeyFiles(state: states[0]).ringOrFirst()
        try copy(names[0])
        func start(_ state: StateDirectory) throws -> WebTokenIssuer {
            try issuer(of: SigningKeyFiles(state: state))
        }
        var issuers = try states.map { try start($0) }
        // The copies of each backend's key set in caches, the oldest first.
        var cached = [[JSONObject]](repeating: [], count: 2)
        var signers: Set<String> = []
        for minute in 0..<300 {
            switch minute % 150 {
            case 10: try SigningKeyFiles(state: states[0]).renew(now: clock.now)
            case 30, 31, 32: try copy(names[minute % 150 - 30])
            case 40, 69, 70, 71: issuers[0] = try start(states[0])
            case 45, 74, 75, 76: issuers[1] = try start(states[1])
            default: break
            }
            for (number, issuer) in issuers.enumerated() {
                cached[number] = Array((cached[number] + [issuer.keySet]).suffix(6))
            }
            let certificate = SignatureCertificate(documentHash: [1], certified: clock.now)
            for issuer in issuers {
                signers.insert(issuer.key.id)
                let token = try await issuer.token(certificate)
                for keySet in cached.compactMap(\.first) {
                    let read: SignatureCertificate? = await WebTokenVerifier(keySet: keySet)
                        .payload(of: token, at: clock.now)
                    #expect(read == certificate, "minute \(minute)")
                }
            }
            clock.advance(by: .seconds(60))
        }
        #expect(signers.count == 3)
    }

    /// The same for two running backends on one database: logins at one, key sets of the other as a cache has them.
    @Test(arguments: StorageUnderTest.shared)
    func twoRunningBackendsLoseNoLogin(_ kind: StorageUnderTest) async throws {
        let (here, there) = try kind.openTwice(in: folder)
        let (folder, clock) = (folder, clock)
        @Sendable func withProcess(
            _ storage: BackendStorage, _ body: @escaping @Sendable (RunningBackend) async throws -> Void
        ) async throws {
            try await withBackend(
                state: folder, clock: clock, storage: storage,
                options: ["--redirect-uri", OpenIDApplication.redirectURI]
            ) { try await body($0.below("/trust-2025")) }
        }
        try await withProcess(here) { first in
            try await withProcess(there) { second in
                let file = JSONObject(body: try #require(try StateDirectory.read(state.file("relying-party"))))
                let (id, secret) = (try #require(file?.string("client_id")), file?.string("client_secret"))
                let device = try await Device.registered(.trust2025, at: first)
                var signers: [String] = []
                func logIn(at endpoint: RunningBackend, checkedWith keys: JSONObject) async throws {
                    let application = OpenIDApplication(endpoint: endpoint, clientID: id, secret: secret)
                    let code = try #require(try await application.logIn(device)["code"])
                    let token = try #require(try await application.redeem(code).object.string("id_token"))
                    #expect(try SignedToken(token).claims(checkedWith: keys).string("sub") == Device.userID)
                    signers.append(endpoint.backend.platformSites[0].openID.login.provider.tokens.key.id)
                }
                for seconds in [0, 10, 3290, 299, 2] {
                    var keys: [JSONObject] = []
                    for endpoint in [first, second] { keys.append(try await endpoint.client.get("/oidc/certs").object) }
                    clock.advance(by: .seconds(seconds))
                    try await logIn(at: first, checkedWith: keys[1])
                    try await logIn(at: second, checkedWith: keys[0])
                    guard seconds == 0 else { continue }
                    try files.renew(now: clock.now)
                }
                #expect(Set(signers).count == 2 && signers.prefix(8).allSatisfy { $0 == signers[0] })
            }
        }
    }

    /// After a kill between two files of a renewal a key is shown once.
    @Test func aKeyIsShownOnce() throws {
        let key = try files.ringOrFirst().current
        let content = try #require(try StateDirectory.read(state.file("signing-key")))
        for name in ["next", "previous"] {
            try StateDirectory.replace(
                state.file("signing-key." + name), content: Array("\(clock.now.seconds)\n".utf8) + content)
        }
        let ring = try files.ring()
        #expect(ring.shown(at: clock.now).map(\.id) == [key.id] && ring.signing(at: clock.now).id == key.id)
    }

    @Test(arguments: ["", "x\n", "17", "1795262400\nnot a key"], ["next", "previous"])
    func aDamagedKeyIsTold(_ text: String, _ name: String) throws {
        _ = try files.ringOrFirst()
        try StateDirectory.create(state.file("signing-key." + name), content: Array(text.utf8))
        #expect(throws: BackendError.self) { try files.ring() }
        guard name == "next" else { return }
        #expect(throws: BackendError.self) { try files.renew(now: ManualWallClock().now) }
        #expect(throws: BackendError.self) { try files.dropPrevious(now: WallTime(seconds: 4_000_000_000)) }
    }

    /// The command names the keys and their times.
    @Test func theCommandTellsWhatSigns() throws {
        func keys(renewing: Bool = false, dropping: Bool = false) throws -> BackendState.SigningKeys {
            try BackendState.signingKeys(
                inDirectory: folder.path, renewing: renewing, droppingPrevious: dropping, clock: clock)
        }
        let first = try keys()
        #expect(first.next == nil && first.previous.isEmpty)
        let renewed = try keys(renewing: true)
        let next = try #require(renewed.next)
        #expect(renewed.current == first.current && next.time == (clock.now + .seconds(3600)).zonedText)
        clock.advance(by: .seconds(3600))
        #expect(try keys().current == next.id && keys().previous == [first.current] && keys().next == nil)
        #expect(try keys(dropping: true).previous.isEmpty && keys().current == next.id)
        #expect(try keys(renewing: true, dropping: true).current != next.id)
    }

    /// A key made by libcrypto: its private key in DER, and the modulus.
    private static func made(bits: Int32) throws -> (der: [UInt8], modulus: [UInt8]) {
        // The handles are made, used and freed here.
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        let isMade =
            unsafe EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1
            && EVP_PKEY_generate(context, &key) == 1
        try #require(isMade)
        defer { unsafe EVP_PKEY_free(key) }
        var der = [UInt8](repeating: 0, count: Int(unsafe i2d_PrivateKey(key, nil)))
        _ = unsafe der.withUnsafeMutableBufferPointer { buffer in
            // It writes the length that it reported before, and moves a copy of the pointer.
            var position = buffer.baseAddress
            return unsafe i2d_PrivateKey(key, &position)
        }
        var number: OpaquePointer?
        _ = unsafe EVP_PKEY_get_bn_param(key, "n", &number)
        defer { unsafe BN_free(number) }
        var modulus = [UInt8](repeating: 0, count: Int(bits) / 8)
        // It writes the given number of bytes.
        let count = unsafe BN_bn2binpad(number, &modulus, Int32(modulus.count))
        try #require(Int(count) == modulus.count)
        return (der, modulus)
    }
}
