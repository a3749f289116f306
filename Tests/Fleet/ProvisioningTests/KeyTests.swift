// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Encoding
import Foundation
import LinuxSystem
import LoginValues
import Synchronization
import Testing

@testable import Provisioning

@Suite("Keys of kiosks and operators")
struct KeyTests {
    /// The test vectors of RFC 7748, 6.1, and RFC 8032, 7.1, test 2.
    @Test func areThoseOfTheStandards() throws {
        let alice = try KioskKey(Self.secret("77076D0A7318A57D3C16C17251B26645DF4C2F87EBC0992AB177FBA51DB92C2A"))
        #expect(alice.publicKey.text.hasSuffix("8520F0098930A754748B7DDCB43EF75A0DBF3A0D26381AF4EBA4A98EAA9B4E6A"))
        let bob = try KioskKey(Self.secret("5DAB087E624A8A4B79E17F8B83800EE66F3BB1292618B6FD1C2F8B27FF88E0EB"))
        let shared = CurveKey.agreement(of: alice.key, with: bob.publicKey.bytes)
        #expect(shared == Self.secret("4A5D9D5BA4CE2DE1728E3BF480350F25E07E21C947D19E3376F09B3C1E161742"))
        // A key of small order.
        #expect(CurveKey.agreement(of: alice.key, with: [UInt8](repeating: 0, count: 32)) == nil)

        let signer = try OperatorKey(Self.secret("4CCD089B28FF96DA9DB6C346EC114E0F5B8A319F35ABA624DA8CF6ED4FB8A6FB"))
        #expect(signer.publicKey.text.hasSuffix("3D4017C3E843895A92B70AA74D1B7EBC9C982CCF2EC4968CC0CD55F12AF4660C"))
        let signature = try #require(CurveKey.signature(of: [0x72], by: signer.key))
        #expect(
            Hexadecimal.capitalText(signature)
                == "92A009A9F0D4CAB8720E820B5F642540A2B27B5416503F8FB3762223EBDB69DA"
                + "085AC1E43E15996E458F3613D0F11D8C387B2EAEB4302AEEB00D291612BB0C00")
        #expect(CurveKey.isSignature(signature, of: [0x72], by: signer.publicKey.bytes))
        #expect(!CurveKey.isSignature(signature, of: [0x73], by: signer.publicKey.bytes))
        #expect(!CurveKey.isSignature([], of: [0x72], by: signer.publicKey.bytes))
    }

    private static func secret(_ digits: String) -> SecretBytes {
        SecretBytes(copying: Hexadecimal.bytes(digits) ?? [])
    }

    @Test func areTexts() throws {
        let kiosk = try SealedProfileTests.kioskKey().publicKey
        #expect(KioskPublicKey(text: kiosk.text) == kiosk)
        #expect(KioskPublicKey(text: kiosk.text.lowercased()) == kiosk)
        let owner = try SealedProfileTests.operatorKey().publicKey
        #expect(OperatorPublicKey(text: owner.text) == owner)
        #expect(OperatorPublicKey(text: kiosk.text) == nil && KioskPublicKey(text: owner.text) == nil)
        for text in ["", "LOGIN-KIOSK-KEY:1:", kiosk.text + "0", String(kiosk.text.dropLast()), "x" + kiosk.text] {
            #expect(KioskPublicKey(text: text) == nil, "\(text)")
        }
    }

    @Test func haveNumbersToBeReadAloud() throws {
        let number = try SealedProfileTests.kioskKey().publicKey.number
        #expect(number.description.count == 19)
        #expect(KeyNumber(number.description) == number)
        #expect(KeyNumber(number.description.replacing(" ", with: "-")) == number)
        #expect(number != (try SealedProfileTests.kioskKey(4).publicKey.number))
        #expect(KeyNumber("123") == nil && KeyNumber("1234 5678 9012 345x") == nil)
    }

    @Test func lieInFilesOfTheirOwn() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/deep/kiosk.key"
        let made = try KioskKey(file: path)
        #expect(try KioskKey(file: path).publicKey == made.publicKey)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)

        // A file that other users can read is no secret, and a truncated one is no key.
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: ProvisioningError.self) { try KioskKey(file: path) }
        try Data([1, 2, 3]).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(throws: ProvisioningError.notAKey(path: path)) { try KioskKey(file: path) }

        let (owner, isNew) = try OperatorKey.readOrMake(file: folder + "/operator.key")
        #expect(isNew)
        #expect(try !OperatorKey.readOrMake(file: folder + "/operator.key").isNew)
        #expect(try OperatorKey(file: folder + "/operator.key").publicKey == owner.publicKey)
        // Looking for an operator's key does not create it.
        #expect(throws: ProvisioningError.self) { try OperatorKey(file: folder + "/other.key") }
    }

    @Test("Several processes that make a key at once all get the one that stays")
    func madeAtOnce() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for round in 0..<20 {
            let path = "\(folder)/\(round)/kiosk.key"
            let made = Mutex<[KioskPublicKey]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                do {
                    let key = try KioskKey(file: path).publicKey
                    made.withLock { $0.append(key) }
                } catch { Issue.record("\(error)") }
            }
            let kept = try KioskKey(file: path).publicKey
            #expect(made.withLock(\.self) == [KioskPublicKey](repeating: kept, count: 8))
        }
    }
}
