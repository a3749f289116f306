// SPDX-License-Identifier: Apache-2.0

import Encoding
public import LinuxSystem

/// The tag by which today's platform recognises this installation: 16 random bytes in hexadecimal, made once.
///
/// It is not a secret and names no person. Backups leave it out: a restored kiosk is another installation.
public enum DeviceTag {
    /// The reason why there is no tag.
    public enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
        case file(FileFault)
        /// The file at this path contains something else.
        case noTag(String)

        public var description: String {
            switch self {
            case .file(let fault): fault.advice
            case .noTag(let path): "\(path) holds no device tag; remove it, and the next start makes another one"
            }
        }
    }

    private static let byteCount = 16

    /// Reads the tag, or makes it if there is none yet.
    ///
    /// - Parameter path: its file, in an existing directory.
    public static func readOrMake(_ path: String) throws(Problem) -> String {
        if let tag = try read(path) { return tag }
        // Another process may be faster: its tag stays.
        do throws(FileFault) { try OwnedFile.create(path, with: make() + [UInt8(ascii: "\n")]) } catch {
            throw .file(error)
        }
        guard let tag = try read(path) else { throw .file(FileFault(.missing, path: path)) }
        return tag
    }

    private static func make() -> [UInt8] {
        Array(Hexadecimal.text((0..<byteCount).map { _ in UInt8.random(in: .min ... .max) }).utf8)
    }

    /// - Returns: nil when there is no file.
    private static func read(_ path: String) throws(Problem) -> String? {
        let bytes: [UInt8]
        do throws(FileFault) {
            guard let file = try OwnedFile.find(path) else { return nil }
            bytes = try file.read(upTo: 2 * byteCount + 1)
        } catch {
            if case .tooLong = error.cause { throw .noTag(path) }
            throw .file(error)
        }
        let tag = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
        let text = String(decoding: tag, as: UTF8.self)
        guard let bytes = Hexadecimal.bytes(text), bytes.count == byteCount, Hexadecimal.text(bytes) == text else {
            throw .noTag(path)
        }
        return text
    }
}
