// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

// The protocol's values as a storage outside of the process keeps them: by their bytes, and read back with all checks.

extension MPinID: TableKey {}

extension MPinID: Codable {
    init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([UInt8].self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}

extension MPinIdentity: Codable {
    init(from decoder: any Decoder) throws {
        let parts = try decoder.singleValueContainer().decode([[UInt8]].self)
        guard let mpinID = parts.first, parts.count <= 2 else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no identity"))
        }
        self =
            try parts.count == 1
            ? MPinIdentity(MPinID(mpinID)) : MPinIdentity(MPinID(mpinID), publicKey: DVSPublicKey(bytes: parts[1]))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode([mpinID.bytes] + (publicKey.map { [$0.bytes] } ?? []))
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
        try self.init(bytes: decoder.singleValueContainer().decode([UInt8].self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}
