// SPDX-License-Identifier: Apache-2.0

import Encoding
import Foundation
public import LinuxSystem

/// The file of certificate authorities that replace the system's: PEM (RFC 7468). The TLS library reads it with the
/// first connection, so without this check the first person would discover a truncated file.
public enum AuthorityFile {
    /// A fault, with a text to follow the file's name.
    public enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
        case unreadable(FileFault)
        case noCertificate
        /// OpenSSL does not see the first certificate.
        case byteOrderMark
        /// - Parameter line: the certificate's first line, counted from 1.
        case brokenCertificate(line: Int)

        public var description: String {
            switch self {
            case .unreadable(let fault): "cannot be read: \(fault.advice)"
            case .noCertificate: "holds no certificate: expected PEM, \(AuthorityFile.beginning)"
            case .byteOrderMark: "begins with a byte order mark: save it as plain text, without BOM"
            case .brokenCertificate(let line):
                "holds a certificate, in line \(line), that is cut short or damaged; restore the file"
            }
        }
    }

    /// All authorities of a system take a quarter of it.
    static let maximumLength = 1024 * 1024
    private static let beginning = "-----BEGIN CERTIFICATE-----"
    private static let ending = "-----END CERTIFICATE-----"

    /// - Throws: when it cannot be read, other users may change it, or it does not consist of whole certificates.
    public static func check(_ path: String) throws(Problem) {
        let bytes: [UInt8]
        do throws(FileFault) { bytes = try OwnedFile.read(path, upTo: maximumLength) } catch {
            throw .unreadable(error)
        }
        try check(bytes)
    }

    static func check(_ bytes: [UInt8]) throws(Problem) {
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw .byteOrderMark }
        var count = 0
        var block: (line: Int, text: String)?
        // As OpenSSL reads it: a line ends with LF, and blanks and control characters before the LF are ignored.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let end = line.lastIndex { $0 > UInt8(ascii: " ") }.map { $0 + 1 } ?? line.startIndex
            let line = String(decoding: line[..<end], as: UTF8.self)
            if line == beginning {
                if let block { throw .brokenCertificate(line: block.line) }
                block = (index + 1, "")
            } else if line == ending {
                guard let ended = block, isWhole(ended.text) else {
                    throw .brokenCertificate(line: block?.line ?? index + 1)
                }
                (block, count) = (nil, count + 1)
            } else {
                block?.text += line
            }
        }
        if let block { throw .brokenCertificate(line: block.line) }
        guard count > 0 else { throw .noCertificate }
    }

    /// Whether it is one DER sequence that ends with the text (X.690, 8.1.3).
    private static func isWhole(_ base64: String) -> Bool {
        guard let data = Base64.bytes(base64), data.count > 2, data[0] == 0x30 else { return false }
        let first = Int(data[1])
        guard first >= 0x80 else { return data.count == 2 + first }
        let octets = first & 0x7F
        guard (1...4).contains(octets), data.count > 2 + octets else { return false }
        let length = data[2..<2 + octets].reduce(0) { $0 << 8 | Int($1) }
        return data.count == 2 + octets + length
    }
}
