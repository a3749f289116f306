// SPDX-License-Identifier: Apache-2.0

public import LoginValues
import MPinCrypto

extension MPin {
    /// Makes the server send a mail; its link or code shows that the identity is the person's.
    ///
    /// - Parameters:
    ///   - user: a new identity; in the trust dialects also an existing one, to choose a new PIN.
    ///   - accessCode: the session that the verification belongs to.
    /// - Returns: whether the mail has a link, a code or both. A new identity is `startedVerification` then.
    /// - Throws: ``MPinError/Kind/mailTooSoon(until:)``, ``MPinError/Kind/verificationRefused``;
    ///   ``MPinError/Kind/notOffered`` where the dialect has no verification, ``MPinError/Kind/misuse`` where the
    ///   identity exists; ``MPinError/Kind/storage(_:)``.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``; a second mail may be sent.
    public func startVerification(
        of user: User, accessCode: AccessCode? = nil
    ) async throws(MPinError) -> VerificationStart {
        try requireShort(user, in: "startVerification")
        let (dialect, key) = try begin(.startVerification, of: user)
        defer { end(key) }
        try await prepareToSave(key)
        let known = identities[key]
        let request = VerificationRequest(
            userID: user.identity, deviceName: user.deviceName, accessCode: accessCode,
            mpinID: known?.credential == nil ? nil : known?.mpinID)
        let start = try await run(
            try dialect.startVerification(request), namedBy: dialect.backend.origin)
        if known == nil {
            let record = IdentityRecord(
                mpinID: MPinID([]), deviceName: user.deviceName, dialect: dialect.name, phase: .startedVerification,
                isOverHTTP: dialect.isOverHTTP)
            try await save(record, for: key)
        }
        return start
    }

    /// The code in a verification mail's link, for the current backend.
    ///
    /// - Throws: ``MPinError/Kind/untrustedHost(_:)`` when the link is of another service, which alone may have its
    ///   code; ``MPinError/Kind/misuse`` when no backend is set.
    public func code(of link: VerificationLink) throws(MPinError) -> SecretBytes {
        let backend = try requireBackend("code of a link").dialect().backend.origin
        if let trust, !trust.joins(link.address.origin, backend) {
            try way.require(
                link.address.origin, namedBy: backend, for: "the link to \(link.address.origin), for \(backend)")
        }
        return link.code
    }

    /// Hands in the code from a verification mail, or from its link: ``code(of:)``. Another device may have asked for
    /// the mail.
    ///
    /// - Parameter code: UTF-8.
    /// - Returns: the token that starts the registration. The state does not change.
    /// - Throws: ``MPinError/Kind/codeRefused``, with the session of the code in ``MPinError/refusal``;
    ///   ``MPinError/Kind/badReply`` also when it belongs to another project; ``MPinError/Kind/misuse`` for an empty
    ///   code; ``MPinError/Kind/notOffered`` where the dialect has no verification.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``. ``MPinError/Kind/codeRefused`` then means that the server's only answer was
    ///   lost: begin again.
    public func finishVerification(
        of user: User, code: SecretBytes
    ) async throws(MPinError) -> VerificationResult {
        try requireShort(user, in: "finishVerification")
        let (dialect, key) = try begin(.finishVerification, of: user)
        defer { end(key) }
        guard Inferred.verificationCodeLengths.contains(code.count) else {
            throw MPinError(.misuse, detail: "finishVerification: a code has 1 to 1024 bytes")
        }
        try await prepareToSave(key)
        return try await run(
            try dialect.finishVerification(userID: user.identity, code: code), namedBy: dialect.backend.origin)
    }
}
