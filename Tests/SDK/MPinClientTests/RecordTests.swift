// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinCrypto
import Patience
import Testing

@testable import MPinClient

@Suite struct RecordTests {
    static func records() throws -> [IdentityRecord] {
        let master = try MasterSecret.random()
        let id = MPinID(Array(#"{"userID": "alice"}"#.utf8))
        let hashed = MPinIdentity(id).hashed
        let day = try EpochDay(20778)
        let share = try master.clientSecretShare(for: hashed)
        let token = try share.withBytes { bytes throws(MPinCryptoError) in try Token(bytes: bytes) }
        let cache = PermitCache(day: day, share: try master.timePermitShare(for: hashed, on: day))
        let regOTT = SecretBytes(copying: String(repeating: "a8", count: 16).utf8)
        let full = IdentityRecord.Registration(
            regOTT: regOTT, wid: accessCode, expires: Expiration(expireTimeSeconds: .min, nowTimeSeconds: .max))
        let bare = IdentityRecord.Registration(regOTT: regOTT, wid: nil, expires: nil)
        let credential = IdentityRecord.Credential(token: token, pinLength: 4, permitCache: nil)
        let cached = IdentityRecord.Credential(token: token, pinLength: 6, permitCache: cache)
        var counted = credential
        counted.tries = 2
        let classic: [IdentityRecord] = [
            .startedRegistration(full), .startedRegistration(bare), .activated(full), .registered(credential),
            .registered(cached), .registered(counted), .blocked(nil),
            .blocked(IdentityRecord.HeldCredential(credential: cached, until: 1_800_000_000)),
            .blocked(IdentityRecord.HeldCredential(credential: counted, until: 0)),
        ].map { IdentityRecord(mpinID: id, deviceName: "K\u{FC}che", dialect: .milagro, phase: $0) }
        let trials = [classic[0], classic[3], classic[5], classic[6], classic[7]].map {
            var record = $0
            record.isOverHTTP = true
            return record
        }
        let key = try DVSPrivateKey.random().publicKey
        let signing = IdentityRecord.SigningCredential(
            mpinID: MPinID([1, 2, 3]), publicKey: key, token: token, dtas: "WyJhIl0=", pinLength: 5)
        var withPINLength = bare
        withPINLength.pinLength = 6
        var later = credential
        later.dtas = "WyJhIl0="
        var signer = later
        signer.signing = signing
        var keyed = later
        keyed.publicKey = key
        let platform: [IdentityRecord] = [
            IdentityRecord(mpinID: MPinID([]), deviceName: "", dialect: .trust2025, phase: .startedVerification),
            IdentityRecord(
                mpinID: id, deviceName: "d", dialect: .mfaV2, phase: .activated(withPINLength), customerID: "c1",
                appID: "OIDC", verificationType: .registrationCode),
            IdentityRecord(mpinID: id, deviceName: "d", dialect: .mfaV2, phase: .registered(later), customerID: "c1"),
            IdentityRecord(
                mpinID: id, deviceName: "d", dialect: .mfaV2, phase: .registered(signer), verificationType: .email),
            IdentityRecord(mpinID: id, deviceName: "d", dialect: .trust2023, phase: .registered(keyed)),
            IdentityRecord(
                mpinID: id, deviceName: "d", dialect: .trust2025, phase: .blocked(nil), verificationType: .custom),
        ]
        return classic + platform + trials
    }

    /// A record as older clients with only the classic dialects wrote it, put together by hand.
    static func firstVersion(
        dialect: String, state: String, mpinID: [UInt8], deviceName: String, fields: [[UInt8]]
    ) -> SecretBytes {
        let all = [Array(dialect.utf8), Array(state.utf8), mpinID, Array(deviceName.utf8)] + fields
        return SecretBytes(
            copying: [1] + all.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 })
    }

    @Test(arguments: ["milagro", "mfa-v1"]) func readsRecordsOfTheFirstVersion(_ dialect: String) throws {
        let full = try #require(try Self.records().first { $0.credential?.permitCache != nil })
        let credential = try #require(full.credential)
        let cache = try #require(credential.permitCache)
        let token = credential.token.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        let share = cache.share.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        let registered = Self.firstVersion(
            dialect: dialect, state: "registered", mpinID: full.mpinID.bytes, deviceName: "K\u{FC}che",
            fields: [[], [], [], [], token, Array("decimal".utf8), [6], [0, 0, 0x51, 0x2A], share])
        let read = try IdentityRecord(decoding: registered)
        #expect(read.state == .registered && read.dialect.rawValue == dialect && read.credential == credential)
        #expect(read.deviceName == "K\u{FC}che" && read.customerID.isEmpty && read.verificationType == nil)
        // Saving it again writes this version with the same content.
        #expect(try IdentityRecord(decoding: read.encoded()) == read)
        let regOTT = Array(String(repeating: "a8", count: 16).utf8)
        let started = Self.firstVersion(
            dialect: dialect, state: "startedRegistration", mpinID: [1], deviceName: "",
            fields: [regOTT, Array("7a65".utf8), Self.time(60), Self.time(5), [], [], [], [], []])
        let registration = try #require(try IdentityRecord(decoding: started).registration)
        #expect(registration.regOTT == SecretBytes(copying: regOTT) && registration.wid == AccessCode("7a65"))
        #expect(registration.expires == Expiration(expireTimeSeconds: 60, nowTimeSeconds: 5))
        let blocked = Self.firstVersion(
            dialect: dialect, state: "blocked", mpinID: [1], deviceName: "", fields: Array(repeating: [], count: 9))
        #expect(try IdentityRecord(decoding: blocked).phase == .blocked(nil))
        // The first version contains nothing of the second.
        for fields in [8, 10, 22] {
            let odd = Self.firstVersion(
                dialect: dialect, state: "blocked", mpinID: [1], deviceName: "",
                fields: Array(repeating: [], count: fields))
            #expect(throws: RecordError.self) { try IdentityRecord(decoding: odd) }
        }
    }

    private static func time(_ seconds: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, seconds] }

    /// An older store still works: the identity logs in, and is written in the new form.
    @Test func anOldStoreGoesOnWorking() async throws {
        let (first, user) = try await Device.with(.registered)
        let stored = try #require(try await first.storage.identities().first)
        let record = try IdentityRecord(decoding: stored.record)
        let token = try #require(record.credential).token.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        let old = Self.firstVersion(
            dialect: "milagro", state: "registered", mpinID: record.mpinID.bytes, deviceName: "kiosk",
            fields: [[], [], [], [], token, Array("decimal".utf8), [4], [], []])
        let storage = InMemoryStorage([StoredIdentity(key: stored.key, record: old)])
        let second = try await Device(first.server, storage: storage).ready()
        #expect(try await second.mpin.users() == [user])
        try await second.mpin.startAuthentication(of: user)
        _ = try await second.mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
        let saved = try #require(try await storage.identities().first)
        #expect(content(saved.record).first == 2)
    }

    /// Fields that older clients know are written in the older form, so that they can read a card or a shared store.
    @Test func onlyWhatIsNewIsOfTheNewVersion() throws {
        for record in try RecordTests.records() {
            let isNew = record.held != nil || record.credential?.tries ?? 0 > 0
            #expect(content(record.encoded()).first == (record.isOverHTTP ? 4 : isNew ? 3 : 2))
        }
    }

    @Test func comesBackAsItWas() throws {
        for record in try RecordTests.records() {
            let encoded = record.encoded()
            #expect(try IdentityRecord(decoding: encoded) == record)
            #expect(encoded.count <= StoredIdentity.maximumRecordLength)
            #expect("\(record)".contains("a8a8") == false)
        }
    }

    @Test func theLongestRecordFits() throws {
        let registration = IdentityRecord.Registration(
            regOTT: SecretBytes(copying: [UInt8](repeating: 1, count: MilagroDialect.tokenDigits)),
            wid: AccessCode(String(repeating: "w", count: 256)),
            expires: Expiration(expireTimeSeconds: 1, nowTimeSeconds: 1))
        let record = IdentityRecord(
            mpinID: MPinID([UInt8](repeating: 2, count: MPinID.lengths.upperBound)),
            deviceName: String(repeating: "n", count: MPin.maximumNameLength), dialect: MilagroDialect.name,
            phase: .startedRegistration(registration))
        #expect(try IdentityRecord(decoding: record.encoded()) == record)
        let signer = try #require(try RecordTests.records().first { $0.credential?.signing != nil })
        var credential = try #require(signer.credential)
        let dtas = String(repeating: "d", count: Prover.maximumIssuersLength)
        let signing = try #require(credential.signing)
        credential.permitCache = try RecordTests.records()[4].credential?.permitCache
        credential.publicKey = signing.publicKey
        credential.dtas = dtas
        credential.signing = IdentityRecord.SigningCredential(
            mpinID: record.mpinID, publicKey: signing.publicKey, token: signing.token, dtas: dtas, pinLength: 6)
        let name = String(repeating: "n", count: MPin.maximumNameLength)
        let longest = IdentityRecord(
            mpinID: record.mpinID, deviceName: name, dialect: .trust2025, phase: .registered(credential),
            customerID: name,
            appID: name, verificationType: .email)
        #expect(try IdentityRecord(decoding: longest.encoded()) == longest)
        #expect(longest.encoded().count <= StoredIdentity.maximumRecordLength)
    }

    @Test func anUnknownVersionSaysWhatToDo() async throws {
        var bytes = content(try RecordTests.records()[3].encoded())
        bytes[0] = 5
        let key = IdentityKey(userID: "alice@example.com", backend: "rps.test")
        let storage = InMemoryStorage([StoredIdentity(key: key, record: SecretBytes(copying: bytes))])
        let device = Device(try ScriptedServer(), storage: storage)
        let error = await expect(.storageError) { try await device.mpin.initialize() }
        #expect(error?.detail.contains("version 5") == true && error?.detail.contains("newer client") == true)
    }

    /// Every accepted record is exactly what would be written: there is no second form, and nothing is ignored.
    @Test func damageNeverPassesUnseen() throws {
        let seed: UInt64 = 0x5EED_2026
        var random = SplitMix64(seed: seed)
        let originals = try RecordTests.records().map { content($0.encoded()) }
        var refused = 0
        for round in 0..<6000 {
            var bytes = originals[round % originals.count]
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                switch Int.random(in: 0..<5, using: &random) {
                case 0 where !bytes.isEmpty:
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes.removeLast(min(bytes.count, Int.random(in: 1...70, using: &random)))
                case 2: bytes.append(UInt8.random(in: 0...255, using: &random))
                case 3 where !bytes.isEmpty: bytes.remove(at: Int.random(in: 0..<bytes.count, using: &random))
                default: bytes.insert(0, at: Int.random(in: 0...bytes.count, using: &random))
                }
            }
            do throws(RecordError) {
                let record = try IdentityRecord(decoding: SecretBytes(copying: bytes))
                #expect(content(record.encoded()) == bytes, "seed \(seed), round \(round)")
            } catch {
                refused += 1
            }
        }
        #expect(refused > 3000)
    }

    @Test func everyTruncationIsRefused() throws {
        for record in try RecordTests.records() {
            let bytes = content(record.encoded())
            for count in 0..<bytes.count {
                #expect(throws: RecordError.self) {
                    try IdentityRecord(decoding: SecretBytes(copying: bytes.prefix(count)))
                }
            }
        }
    }

    private func content(_ bytes: SecretBytes) -> [UInt8] {
        bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
}
