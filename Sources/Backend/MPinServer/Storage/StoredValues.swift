// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import MPinCrypto

// The encoding of the protocol's values in a storage outside of the process. Decoding checks them again.

/// Bytes in base64. An array of numbers takes ten times as long to encode and decode.
struct StoredBytes: Codable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let bytes = Base64.bytes(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no base64"))
        }
        self.bytes = bytes
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64.text(bytes))
    }
}

extension MPinID: TableKey {}

extension MPinID: Codable {
    init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(StoredBytes.self).bytes)
    }

    func encode(to encoder: any Encoder) throws { try StoredBytes(bytes).encode(to: encoder) }
}

extension MPinIdentity: Codable {
    init(from decoder: any Decoder) throws {
        let parts = try decoder.singleValueContainer().decode([StoredBytes].self).map(\.bytes)
        guard let mpinID = parts.first, parts.count <= 2 else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no identity"))
        }
        self.init(MPinID(mpinID), publicKey: try parts.dropFirst().first.map { try DVSPublicKey(bytes: $0) })
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(([mpinID.bytes] + (publicKey.map { [$0.bytes] } ?? [])).map { StoredBytes($0) })
    }
}

extension EpochDay: Codable {
    init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(UInt32.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension Challenge: Codable {
    init(from decoder: any Decoder) throws {
        try self.init(bytes: decoder.singleValueContainer().decode(StoredBytes.self).bytes)
    }

    func encode(to encoder: any Encoder) throws { try StoredBytes(bytes).encode(to: encoder) }
}
