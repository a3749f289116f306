// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import LoginValues
import Sealing

/// A backup as bytes:
///
///     LOGIN-KIOSK-BACKUP:1: | length of the head (2) | head | pieces
///
///     head:  random (16) | key's name (4) | made at (8) | kiosk's number | program's version
///     piece: length (4) | nonce (12) | sealed | tag (16)
///     sealed: 1 | directory (1) | mode (2) | name | content                       a file
///             2 | number (8) | user | backend | record                       an identity
///             0 | setup made at (8) | has a store (1) | highest number (8) | generation (8)
///               | files (4) | identities (4)                                 the last one
///
/// Texts are preceded by their length (2); contents and records end with their piece. Each piece is AES-256-GCM. Its
/// associated data are all bytes before the pieces, its number (4) and whether it is the last one (1). So no piece can
/// be left out, moved, or taken from another backup.
public enum BackupFile {
    /// In bytes, enough for some thousand identities.
    public static let maximumLength = 64 << 20
    /// Of one file, in bytes: a trust list has 256 KiB at most.
    public static let maximumContent = 512 << 10
    private static let maximumPieces = 20_000
    private static let maximumPiece = maximumContent + 1024
    private static let opening = Array("LOGIN-KIOSK-BACKUP:".utf8)
    private static let version = Array("1:".utf8)
    private static let saltLength = 16
    private static let maximumHead = 512

    private enum Kind: UInt8 { case end, file, identity }

    /// - Throws: `tooLong`, `cryptography`.
    public static func sealed(
        _ content: BackupContent, _ head: BackupHead, with key: BackupKey
    ) throws(BackupError) -> [UInt8] {
        var salt = [UInt8](repeating: 0, count: saltLength)
        guard unsafe RAND_bytes(&salt, Int32(salt.count)) == 1 else { throw .cryptography }
        let texts = try text(head.kioskNumber) + text(head.programVersion)
        let headBytes = salt + key.nameBytes + bigEndian(head.madeAt) + texts
        guard headBytes.count <= maximumHead else { throw .tooLong }
        let start = opening + version + bigEndian(UInt16(headBytes.count)) + headBytes
        var bytes = start
        var index = 0
        func append(_ fields: [UInt8], _ secret: SecretBytes?, isLast: Bool = false) throws(BackupError) {
            let count = fields.count + (secret?.count ?? 0)
            guard count <= maximumPiece, index < maximumPieces else { throw .tooLong }
            let plain = (secret ?? SecretBytes(copying: [])).withBytes { secret in
                SecretBytes(count: count) { plain in
                    for place in fields.indices { plain[place] = fields[place] }
                    for place in secret.indices { plain[fields.count + place] = secret[place] }
                }
            }
            guard let sealed = key.seal.seal(plain, context: context(start, index, isLast: isLast)) else {
                throw .cryptography
            }
            bytes += bigEndian(UInt32(sealed.count)) + sealed
            guard bytes.count <= maximumLength else { throw .tooLong }
            index += 1
        }
        for file in content.files {
            guard file.content.count <= maximumContent else { throw .tooLong }
            let fields = [Kind.file.rawValue, file.directory.rawValue] + bigEndian(file.mode)
            try append(fields + (try text(file.name)), file.content)
        }
        for identity in content.store?.identities ?? [] {
            let fields = [Kind.identity.rawValue] + bigEndian(UInt64(max(identity.number, 0)))
            try append(fields + (try text(identity.userID)) + (try text(identity.backend)), identity.record)
        }
        let counts = [content.files.count, content.store?.identities.count ?? 0].flatMap { bigEndian(UInt32($0)) }
        let store = [UInt64(content.store?.highestNumber ?? 0), UInt64(content.store?.generation ?? 0)]
        let end =
            [Kind.end.rawValue] + bigEndian(content.setupMadeAt ?? .max) + [content.store == nil ? 0 : 1]
            + store.flatMap(bigEndian) + counts
        try append(end, nil, isLast: true)
        return bytes
    }

    /// Opens a backup if all of it is unchanged. It trusts nothing that the key does not authenticate.
    public static func open(
        _ bytes: [UInt8], with key: BackupKey
    ) throws(BackupError) -> (head: BackupHead, content: BackupContent) {
        guard bytes.count <= maximumLength else { throw .tooLong }
        var reader = Reader(bytes[...])
        let (head, start) = try readHead(&reader, key)
        var content = BackupContent()
        var identities: [BackupContent.Identity] = []
        for index in 0..<maximumPieces {
            guard let length = reader.integer(UInt32.self), length <= maximumPiece + AuthenticatedSeal.overhead,
                let sealed = reader.take(Int(length))
            else { throw .damaged }
            let isLast = reader.isAtEnd
            guard let plain = key.seal.open(sealed, context: context(start, index, isLast: isLast)) else {
                throw .damaged
            }
            if isLast {
                try end(plain, &content, identities)
                return (head, content)
            }
            switch try piece(plain) {
            case .file(let file): content.files.append(file)
            case .identity(let identity): identities.append(identity)
            }
        }
        throw .damaged
    }

    private static func readHead(
        _ reader: inout Reader<ArraySlice<UInt8>>, _ key: BackupKey
    ) throws(BackupError) -> (head: BackupHead, start: [UInt8]) {
        guard reader.take(opening.count)?.elementsEqual(opening) == true else { throw .notABackup }
        guard reader.take(version.count)?.elementsEqual(version) == true else {
            // Every later form has its version here.
            throw reader.hasLaterVersion(than: 1, at: opening.count) ? .newerVersion : .damaged
        }
        guard let length = reader.integer(UInt16.self), length <= maximumHead, let bytes = reader.take(Int(length))
        else {
            throw .damaged
        }
        var fields = Reader(bytes)
        guard fields.take(saltLength) != nil, let name = fields.take(BackupKey.nameLength),
            let madeAt = fields.integer(UInt64.self), let number = fields.text(), let program = fields.text(),
            fields.isAtEnd
        else { throw .damaged }
        guard Array(name) == key.nameBytes else {
            throw .otherKey(used: BackupKey.name(Array(name)), given: key.name)
        }
        return (
            BackupHead(madeAt: madeAt, kioskNumber: number, programVersion: program),
            opening + version + bigEndian(length) + bytes
        )
    }

    private enum Piece {
        case file(BackupContent.File)
        case identity(BackupContent.Identity)
    }

    private static func piece(_ plain: SecretBytes) throws(BackupError) -> Piece {
        var reader = Reader(LentBytes(secret: plain))
        func rest() -> SecretBytes {
            plain.withBytes { SecretBytes(copying: $0.extracting(reader.position...)) }
        }
        switch reader.integer(UInt8.self).flatMap(Kind.init) {
        case .file:
            guard let directory = reader.integer(UInt8.self).flatMap(BackupContent.Directory.init),
                let mode = reader.integer(UInt16.self), mode & ~0o755 == 0, let name = reader.text(), isName(name)
            else { throw .damaged }
            return .file(BackupContent.File(directory, name, mode: mode, content: rest()))
        case .identity:
            guard let number = reader.integer(UInt64.self), number > 0, number < 1 << 62,
                let userID = reader.text(), let backend = reader.text()
            else { throw .damaged }
            return .identity(
                BackupContent.Identity(userID: userID, backend: backend, number: Int(number), record: rest()))
        case .end, nil: throw .damaged
        }
    }

    private static func end(
        _ plain: SecretBytes, _ content: inout BackupContent, _ identities: [BackupContent.Identity]
    ) throws(BackupError) {
        var reader = Reader(LentBytes(secret: plain))
        guard reader.integer(UInt8.self) == Kind.end.rawValue, let setup = reader.integer(UInt64.self),
            let hasStore = reader.integer(UInt8.self), hasStore <= 1, let highest = reader.integer(UInt64.self),
            let generation = reader.integer(UInt64.self), highest < 1 << 62, generation < 1 << 62,
            reader.integer(UInt32.self) == UInt32(content.files.count),
            reader.integer(UInt32.self) == UInt32(identities.count), reader.isAtEnd,
            hasStore == 1 || identities.isEmpty, identities.allSatisfy({ $0.number <= Int(highest) }),
            Set(content.files.map { [$0.directory.rawValue] + Array($0.name.utf8) }).count == content.files.count,
            Set(identities.map { [$0.userID, $0.backend] }).count == identities.count
        else { throw .damaged }
        content.setupMadeAt = setup == .max ? nil : setup
        guard hasStore == 1 else { return }
        content.store = BackupContent.Store(
            identities: identities, highestNumber: Int(highest), generation: Int(generation))
    }

    /// Whether it is a plain file name that leads to no other directory.
    public static func isName(_ name: String) -> Bool {
        (1...200).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.utf8.allSatisfy { $0 >= 32 && $0 != 127 && $0 != UInt8(ascii: "/") }
    }

    private static func context(_ start: [UInt8], _ index: Int, isLast: Bool) -> [UInt8] {
        start + bigEndian(UInt32(index)) + [isLast ? 1 : 0]
    }

    private static func text(_ text: String) throws(BackupError) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count <= 1024 else { throw .tooLong }
        return bigEndian(UInt16(bytes.count)) + bytes
    }

    private static func bigEndian<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
        stride(from: Integer.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> Integer($0)) }
    }
}

/// A secret's bytes, one at a time, so that a reader copies only what it needs.
private struct LentBytes: RandomAccessCollection {
    let secret: SecretBytes
    var startIndex: Int { 0 }
    var endIndex: Int { secret.count }
    subscript(index: Int) -> UInt8 { secret.withBytes { $0[index] } }
}

/// Reads fields from bytes of any content.
private struct Reader<Bytes: RandomAccessCollection<UInt8>> where Bytes.Index == Int {
    private let bytes: Bytes
    private var next: Int

    init(_ bytes: Bytes) {
        self.bytes = bytes
        next = bytes.startIndex
    }

    var isAtEnd: Bool { next == bytes.endIndex }
    /// The number of bytes read.
    var position: Int { next - bytes.startIndex }

    mutating func take(_ count: Int) -> Bytes.SubSequence? {
        guard count <= bytes.endIndex - next else { return nil }
        defer { next += count }
        return bytes[next..<next + count]
    }

    mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
        take(Integer.bitWidth / 8)?.reduce(0) { $0 << 8 | Integer($1) }
    }

    mutating func text() -> String? {
        guard let length = integer(UInt16.self), let bytes = take(Int(length)) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Whether a number of one to four digits and a colon stand at an index, and the number is larger.
    func hasLaterVersion(than version: Int, at place: Int) -> Bool {
        let digits = bytes.dropFirst(place).prefix(5).prefix { (48...57).contains($0) }
        guard (1...4).contains(digits.count), bytes.dropFirst(place + digits.count).first == UInt8(ascii: ":"),
            let number = Int(String(decoding: digits, as: UTF8.self))
        else { return false }
        return number > version
    }
}
