// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

extension IdentityRecord {
    /// Reads a record that ``encoded()`` wrote, now or in an earlier version. A value that the state must not have is
    /// refused like a missing one.
    init(decoding record: SecretBytes) throws(RecordError) {
        var reader = RecordReader(record)
        let version = try reader.version()
        guard (1...IdentityRecord.version).contains(version) else { throw .unknownVersion(version) }
        guard let dialect = DialectName(rawValue: try reader.text()) else { throw .unknownName }
        self.dialect = dialect
        guard let state = UserState(rawValue: try reader.text()) else { throw .unknownName }
        mpinID = MPinID(try reader.bytes())
        deviceName = try reader.text()
        var registration = try IdentityRecord.registration(from: &reader)
        var credential = try IdentityRecord.credential(from: &reader)
        if version >= 2 {
            let pinLength = try reader.pinLength()
            guard pinLength == nil || registration != nil else { throw .damaged }
            registration?.pinLength = pinLength
            customerID = try reader.text()
            appID = try reader.text()
            let type = try reader.text()
            verificationType = VerificationType(rawValue: type)
            guard type.isEmpty == (verificationType == nil) else { throw .unknownName }
            try IdentityRecord.readKeys(of: &credential, from: &reader)
        }
        var until: Int64?
        if version >= 3 {
            let tries = try reader.integer(UInt8.self)
            until = try reader.integer(Int64.self)
            let isEmpty = tries == nil && until == nil
            guard isEmpty ? version >= 4 : credential != nil && tries != 0 else { throw .damaged }
            credential?.tries = tries.map { Int($0) } ?? 0
        }
        if version >= 4 {
            guard try reader.text() == Origin.Scheme.http.rawValue else { throw .unknownName }
            isOverHTTP = true
        }
        try reader.end()
        guard mpinID.bytes.isEmpty == (state == .startedVerification) else { throw .damaged }
        phase = try IdentityRecord.phase(of: state, registration, credential, heldUntil: until)
    }

    /// Joins a state with its values, which must be exactly those that it has.
    private static func phase(
        of state: UserState, _ registration: Registration?, _ credential: Credential?, heldUntil until: Int64?
    ) throws(RecordError) -> Phase {
        switch (state, registration, credential, until) {
        case (.startedVerification, nil, nil, nil): return .startedVerification
        case (.startedRegistration, .some(let registration), nil, nil): return .startedRegistration(registration)
        case (.activated, .some(let registration), nil, nil): return .activated(registration)
        case (.registered, nil, .some(let credential), nil): return .registered(credential)
        case (.blocked, nil, nil, nil): return .blocked(nil)
        case (.blocked, nil, .some(let credential), .some(let until)):
            return .blocked(HeldCredential(credential: credential, until: until))
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
        let pinLength = try reader.pinLength()
        let day = try reader.integer(UInt32.self)
        let share = try reader.field()
        guard token.count > 0 else {
            guard reading.isEmpty, pinLength == nil, day == nil, share.count == 0 else { throw .damaged }
            return nil
        }
        guard reading == pinReading else { throw reading.isEmpty ? .damaged : .unknownName }
        guard let pinLength, (day == nil) == (share.count == 0) else { throw .damaged }
        do {
            var cache: PermitCache?
            if let day { cache = PermitCache(day: try EpochDay(day), share: try TimePermitShare(share)) }
            return Credential(token: try Token(token), pinLength: pinLength, permitCache: cache)
        } catch {
            throw .damaged
        }
    }

    private static func readKeys(
        of credential: inout Credential?, from reader: inout RecordReader
    ) throws(RecordError) {
        let publicKey = try reader.publicKey()
        let dtas = try reader.text()
        let signing = try signing(from: &reader)
        guard credential != nil else {
            guard publicKey == nil, dtas.isEmpty, signing == nil else { throw .damaged }
            return
        }
        credential?.publicKey = publicKey
        credential?.dtas = dtas.isEmpty ? nil : dtas
        credential?.signing = signing
    }

    private static func signing(from reader: inout RecordReader) throws(RecordError) -> SigningCredential? {
        let mpinID = try reader.bytes()
        let publicKey = try reader.publicKey()
        let token = try reader.field()
        let dtas = try reader.text()
        let reading = try reader.text()
        let pinLength = try reader.pinLength()
        guard let publicKey else {
            guard mpinID.isEmpty, token.count == 0, dtas.isEmpty, reading.isEmpty, pinLength == nil else {
                throw .damaged
            }
            return nil
        }
        guard reading == pinReading else { throw reading.isEmpty ? .damaged : .unknownName }
        guard !mpinID.isEmpty, !dtas.isEmpty, let pinLength, let token = try? Token(token) else { throw .damaged }
        return SigningCredential(
            mpinID: MPinID(mpinID), publicKey: publicKey, token: token, dtas: dtas, pinLength: pinLength)
    }
}

extension RecordReader {
    /// - Returns: nil for an empty field.
    fileprivate mutating func pinLength() throws(RecordError) -> Int? {
        guard let length = try integer(UInt8.self).map({ Int($0) }) else { return nil }
        guard Pin.lengths.contains(length) else { throw .damaged }
        return length
    }

    /// - Returns: nil for an empty field.
    fileprivate mutating func publicKey() throws(RecordError) -> DVSPublicKey? {
        let bytes = try bytes()
        guard !bytes.isEmpty else { return nil }
        guard let key = try? DVSPublicKey(bytes: bytes) else { throw .damaged }
        return key
    }
}
