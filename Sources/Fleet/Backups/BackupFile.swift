// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Sealing

/// A backup as bytes:
///
///     LOGIN-KIOSK-BACKUP:1: | key's name (4) | nonce (12) | sealed content | tag (16)
///
/// AES-256-GCM with everything before the nonce as associated data. Only a whole and unchanged backup opens.
public enum BackupFile {
    /// In bytes, enough for some thousand identities.
    public static let maximumLength = 64 << 20
    /// Of one file, in bytes: a trust list has 256 KiB at most.
    public static let maximumContent = 512 << 10
    private static let code = CodeText(scheme: "LOGIN-KIOSK-BACKUP", version: 1, maximumLength: maximumLength)

    /// - Throws: `tooLong`, `cryptography`.
    public static func sealed(_ content: BackupContent, with key: BackupKey) throws(BackupError) -> [UInt8] {
        let start = code.opening + key.nameBytes
        let plain = try content.encoded(upTo: maximumLength - start.count - AuthenticatedSeal.overhead)
        guard let sealed = key.seal.seal(plain, context: start) else { throw .cryptography }
        return start + sealed
    }

    /// Opens a backup if all of it is unchanged. It trusts nothing that the key does not authenticate.
    public static func open(_ bytes: [UInt8], with key: BackupKey) throws(BackupError) -> BackupContent {
        guard bytes.count <= maximumLength else { throw .tooLong }
        guard code.begins(bytes.span) else { throw .notABackup }
        let nameStart: Int
        do throws(CodeText.Problem) { nameStart = try code.bodyStart(of: bytes.span) } catch {
            throw error == .newerVersion ? .newerVersion : .damaged
        }
        let name = bytes[nameStart...].prefix(BackupKey.nameLength)
        guard name.count == BackupKey.nameLength else { throw .damaged }
        guard name.elementsEqual(key.nameBytes) else {
            throw .otherKey(used: BackupKey.name(name), given: key.name)
        }
        guard let plain = key.seal.open(bytes[name.endIndex...], context: Array(bytes[..<name.endIndex])),
            let content = BackupContent(plain)
        else { throw .damaged }
        return content
    }

    /// Whether it is a plain file name that leads to no other directory.
    public static func isName(_ name: String) -> Bool {
        (1...200).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.utf8.allSatisfy { $0 >= 32 && $0 != 127 && $0 != UInt8(ascii: "/") }
    }
}
