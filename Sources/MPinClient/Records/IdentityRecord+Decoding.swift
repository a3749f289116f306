// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

extension IdentityRecord {
    /// Reads what ``encoded()`` wrote, and nothing else: what a state must not have is as wrong as what it lacks.
    init(decoding record: SecretBytes) throws(RecordError) {
        let version: UInt8? = record.withBytes { $0.isEmpty ? nil : $0[0] }
        guard let version else { throw .damaged }
        guard version == IdentityRecord.version else { throw .unknownVersion(version) }
        var reader = RecordReader(record, from: 1)
        dialect = try reader.text()
        guard DialectCatalogue.names.contains(dialect) else { throw .unknownName }
        guard let state = UserState(rawValue: try reader.text()) else { throw .unknownName }
        mpinID = MPinID(try reader.bytes())
        deviceName = try reader.text()
        let registration = try IdentityRecord.registration(from: &reader)
        let credential = try IdentityRecord.credential(from: &reader)
        try reader.end()
        guard !mpinID.bytes.isEmpty else { throw .damaged }
        switch (state, registration, credential) {
        case (.startedRegistration, .some(let registration), nil): phase = .startedRegistration(registration)
        case (.activated, .some(let registration), nil): phase = .activated(registration)
        case (.registered, nil, .some(let credential)): phase = .registered(credential)
        case (.blocked, nil, nil): phase = .blocked
        default: throw .damaged
        }
    }

    private static func registration(from reader: inout RecordReader) throws(RecordError) -> Registration? {
        let regOTT = try reader.field()
        let code = try reader.field()
        let expireTime = try reader.integer(Int64.self)
        let nowTime = try reader.integer(Int64.self)
        let wid = code.withBytes { AccessCode($0) }
        guard (wid != nil) == (code.count > 0), (expireTime == nil) == (nowTime == nil) else { throw .damaged }
        guard regOTT.count > 0 else {
            guard wid == nil, expireTime == nil else { throw .damaged }
            return nil
        }
        var expires: Expiration?
        if let expireTime, let nowTime {
            expires = Expiration(expireTimeSeconds: expireTime, nowTimeSeconds: nowTime)
        }
        return Registration(regOTT: regOTT, wid: wid, expires: expires)
    }

    private static func credential(from reader: inout RecordReader) throws(RecordError) -> Credential? {
        let token = try reader.field()
        let reading = try reader.text()
        let pinLength = try reader.integer(UInt8.self)
        let day = try reader.integer(UInt32.self)
        let share = try reader.field()
        guard token.count > 0 else {
            guard reading.isEmpty, pinLength == nil, day == nil, share.count == 0 else { throw .damaged }
            return nil
        }
        guard let pinReading = PinReading(rawValue: reading) else { throw reading.isEmpty ? .damaged : .unknownName }
        guard let pinLength, Pin.lengths.contains(Int(pinLength)), (day == nil) == (share.count == 0) else {
            throw .damaged
        }
        do {
            var cache: PermitCache?
            if let day { cache = PermitCache(day: try EpochDay(day), share: try TimePermitShare(share)) }
            return Credential(
                token: try Token(token), pinReading: pinReading, pinLength: Int(pinLength), permitCache: cache)
        } catch {
            throw .damaged
        }
    }
}
