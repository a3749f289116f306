// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

// The protocol's values as a storage outside of the process keeps them: by their bytes, and read back with all checks.

/// Bytes in base64: as the list of numbers that an array is, they take ten times as long to write and to read.
struct StoredBytes: Codable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let text = try? container.decode(String.self) else {
            // A process of the version before has written it.
            bytes = try container.decode([UInt8].self)
            return
        }
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
        self =
            try parts.count == 1
            ? MPinIdentity(MPinID(mpinID)) : MPinIdentity(MPinID(mpinID), publicKey: DVSPublicKey(bytes: parts[1]))
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

extension Commitments: Codable {
    private enum CodingKeys: CodingKey { case identity, plain, permitted, purpose }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            identity: try values.decode(MPinIdentity.self, forKey: .identity),
            plain: try values.decode(StoredBytes.self, forKey: .plain).bytes,
            permitted: try values.decodeIfPresent(StoredBytes.self, forKey: .permitted)?.bytes,
            purpose: try values.decodeIfPresent(LoginPurpose.self, forKey: .purpose))
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(identity, forKey: .identity)
        try values.encode(StoredBytes(plain), forKey: .plain)
        try values.encodeIfPresent(permitted.map { StoredBytes($0) }, forKey: .permitted)
        try values.encodeIfPresent(purpose, forKey: .purpose)
    }
}

extension PassTwo: Codable {
    private enum CodingKeys: CodingKey { case response, days, accessCode, oneTimePassword }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            response: try values.decode(StoredBytes.self, forKey: .response).bytes,
            days: try values.decodeIfPresent([EpochDay].self, forKey: .days),
            accessCode: try values.decodeIfPresent(String.self, forKey: .accessCode),
            oneTimePassword: try values.decodeIfPresent(String.self, forKey: .oneTimePassword))
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(StoredBytes(response), forKey: .response)
        try values.encodeIfPresent(days, forKey: .days)
        try values.encodeIfPresent(accessCode, forKey: .accessCode)
        try values.encodeIfPresent(oneTimePassword, forKey: .oneTimePassword)
    }
}
