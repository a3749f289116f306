// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinCrypto
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
        let credential = IdentityRecord.Credential(token: token, pinReading: .decimal, pinLength: 4, permitCache: nil)
        let cached = IdentityRecord.Credential(token: token, pinReading: .decimal, pinLength: 6, permitCache: cache)
        return [
            .startedRegistration(full), .startedRegistration(bare), .activated(full), .registered(credential),
            .registered(cached), .blocked,
        ].map { IdentityRecord(mpinID: id, deviceName: "K\u{FC}che", dialect: MilagroDialect.name, phase: $0) }
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
            mpinID: MPinID([UInt8](repeating: 2, count: MilagroDialect.mpinIDLengths.upperBound)),
            deviceName: String(repeating: "n", count: MPin.maximumNameLength), dialect: MilagroDialect.name,
            phase: .startedRegistration(registration))
        #expect(try IdentityRecord(decoding: record.encoded()) == record)
    }

    @Test func anUnknownVersionSaysWhatToDo() async throws {
        var bytes = content(try RecordTests.records()[3].encoded())
        bytes[0] = 2
        let key = IdentityKey(userID: "alice@example.com", backend: "rps.test")
        let storage = InMemoryStorage([StoredIdentity(key: key, record: SecretBytes(copying: bytes))])
        let device = Device(backend: try ScriptedBackend(), storage: storage)
        let error = await #expect(throws: MPinError.self) { try await device.mpin.initialize() }
        #expect(error?.status == .storageError)
        #expect(error?.detail.contains("version 2") == true && error?.detail.contains("newer client") == true)
    }

    /// Whatever is accepted is exactly what would be written: no second spelling, nothing ignored.
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
