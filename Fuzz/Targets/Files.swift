// SPDX-License-Identifier: Apache-2.0

@testable import Encoding
import Foundation
import LoginValues
@testable import Backups
@testable import HostIntegration
@testable import MPinClient
@testable import PersonalCards
@testable import Provisioning

extension FuzzTarget {
    /// Files that an operator edits.
    static let settings = FuzzTarget(name: "settings", longest: 20_000) { input in
        let kind = input.byte()
        let (bytes, text) = (input.rest, input.text)
        switch kind % 3 {
        case 0:
            let file = ConfigurationFile(path: "config.yaml", content: Data(bytes))
            expect(file.problems.isEmpty || !file.problems.contains { "\($0)".isEmpty }, "each problem has a text")
            if text.utf8.elementsEqual(bytes), SettingsText(text) != nil {
                expect(file.problems.isEmpty, "what is offered has no problem")
            }
        case 1:
            if let services = try? TrustFile(path: "trusted-services").services(of: text) {
                let again = services.map { "\($0)" }.joined(separator: "\n")
                expect(
                    (try? TrustFile(path: "trusted-services").services(of: again)) == services,
                    "a trust list reads as it is written")
            }
        default: try? AuthorityFile.check(bytes)
        }
    }

    /// Sealed things, from outside and after their seal is open.
    static let sealed = FuzzTarget(name: "sealed") { input in
        let kind = input.byte()
        let bytes = input.rest
        switch kind % 5 {
        case 0:
            guard let key = BackupKey(SecretBytes(copying: [UInt8](repeating: 9, count: BackupKey.length))) else {
                return
            }
            _ = try? BackupFile.open(bytes, with: key)
            if let content = BackupContent(SecretBytes(copying: bytes)) {
                let again = try? content.encoded(upTo: .max)
                expect(again.flatMap { BackupContent($0) } == content, "a backup reads as it is written")
            }
        case 1: _ = try? SealedProfile(symbol: bytes.span)
        case 2:
            if let profile = KioskProfile(SecretBytes(copying: bytes)) {
                expect(profile.encoded() == SecretBytes(copying: bytes), "a profile has one form")
                _ = try? ProfileDirectory.check(profile)
            }
        case 3:
            if let identity = StoredIdentity(inOnePiece: SecretBytes(copying: bytes)) {
                expect(identity.inOnePiece() == SecretBytes(copying: bytes), "an identity has one form")
            }
        default:
            if let record = try? IdentityRecord(decoding: SecretBytes(copying: bytes)) {
                let again = try? IdentityRecord(decoding: record.encoded())
                expect(again?.encoded() == record.encoded(), "a record reads as it is written")
            }
        }
    }
}
