// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
import LoginValues
import MPinClient

extension CommandRun {
    /// Registers an identity at the opened backend, or continues a registration. One that the server has forgotten
    /// starts from the beginning.
    ///
    /// - Parameters:
    ///   - byCode: whether a code or a token replaces the mail.
    ///   - sendsAgain: whether to send another mail although one was sent.
    /// - Throws: no working identity is lost then.
    public func enroll(
        _ userID: String, byCode: Bool, sendsAgain: Bool, asking questions: RegistrationQuestions
    ) async throws(KioskFailure) {
        defer { file.close() }
        let sdk = client.sdk
        let (known, verifiesAddresses) = try await client.call("registration", .connecting) { () throws(MPinError) in
            (
                try await sdk.users().first { $0.identity.isSameUserID(as: userID) },
                try await sdk.dialectOfBackend().verifiesAddresses
            )
        }
        guard known?.state != .registered else { throw KioskFailure(.identityExists) }
        let identity =
            if byCode {
                try await confirmByCode(userID, known, questions)
            } else if verifiesAddresses {
                try await confirmByVerification(userID, known, sendsAgain, questions)
            } else {
                try await confirmByMail(userID, known, sendsAgain, questions)
            }
        try await keep(questions.newPIN, length: identity.requiredPINLength, of: identity)
        try await take(.finishRegistration(identity))
    }

    /// Registers in the dialects before 2023: the person follows the link of a mail, and the device asks whether that
    /// was done.
    ///
    /// - Returns: the identity, with its shares in memory.
    private func confirmByMail(
        _ userID: String, _ known: User?, _ sendsAgain: Bool, _ questions: RegistrationQuestions
    ) async throws(KioskFailure) -> KioskIdentity {
        var identity: KioskIdentity
        // An earlier run may have fetched the shares, which are given out once, and ended before the PIN was chosen.
        var mayBeginAnew = false
        if let known, known.state == .startedRegistration || known.state == .activated {
            identity = KioskIdentity(known)
            mayBeginAnew = true
            if sendsAgain { identity = try await begin(.restartRegistration(identity)) }
        } else {
            if let known { try await client.delete(known) }
            identity = try await begin(.startRegistration(userID: known?.identity ?? userID))
        }
        var question = RegistrationQuestions.Activation.mailSent
        while true {
            if identity.progress != .activated, !(await questions.activation(question)) {
                throw KioskFailure(Task.isCancelled ? .stopped : .notVerified)
            }
            do throws(KioskFailure) {
                try await take(.confirmRegistration(identity))
                return identity
            } catch {
                if error.outcome == .registrationExpired, mayBeginAnew {
                    mayBeginAnew = false
                    identity = try await begin(.restartRegistration(identity))
                    question = .mailSent
                } else if error.outcome == .notVerified, identity.progress != .activated {
                    question = .notYet
                } else {
                    throw error
                }
            }
        }
    }

    /// Registers with a registration code, an activation token, or the link of a verification's mail.
    private func confirmByCode(
        _ userID: String, _ known: User?, _ questions: RegistrationQuestions
    ) async throws(KioskFailure) -> KioskIdentity {
        // An earlier run used up the code, and its result may still be there.
        if let known, known.state == .activated {
            let identity = KioskIdentity(known)
            if (try? await take(.confirmRegistration(identity))) != nil { return identity }
        }
        return try await untilAccepted(.registration, userID, questions)
    }

    /// Registers after a mail has shown that the identity is the person's.
    private func confirmByVerification(
        _ userID: String, _ known: User?, _ sendsAgain: Bool, _ questions: RegistrationQuestions
    ) async throws(KioskFailure) -> KioskIdentity {
        // An earlier run may have sent the mail.
        var content = MailContent.codeOrLink
        // Its token is gone. The stored state must tell the next run that a mail was sent.
        if let known, known.state == .blocked { try await client.delete(known) }
        if known?.state != .startedVerification || sendsAgain {
            if var request = file.request {
                request.needsNewMail = true
                file.open(request)
            }
            guard case .verificationStarted(let sent) = try await take(.startVerification(userID: userID)) else {
                throw KioskFailure(.failed)
            }
            content = sent
            _ = await questions.activation(.verificationSent)
        }
        return try await untilAccepted(.verification(content), userID, questions)
    }

    /// Asks for a code until one is accepted.
    private func untilAccepted(
        _ kind: RegistrationQuestions.Code, _ userID: String, _ questions: RegistrationQuestions
    ) async throws(KioskFailure) -> KioskIdentity {
        var refusal: KioskFailure?
        while true {
            guard let code = await questions.code(kind, refusal != nil) else {
                throw refusal ?? KioskFailure(Task.isCancelled ? .stopped : .notVerified)
            }
            do throws(KioskFailure) { return try await register(userID, kind, code) } catch {
                guard error.outcome == .codeRefused || error.outcome == .codeOfAnotherUser else { throw error }
                refusal = error
            }
        }
    }

    private func register(
        _ userID: String, _ kind: RegistrationQuestions.Code, _ code: SecretBytes
    ) async throws(KioskFailure) -> KioskIdentity {
        let link = code.withBytes { VerificationLink(symbol: $0) }
        var code = code
        if let link {
            guard link.userID.isSameUserID(as: userID) else { throw KioskFailure(.codeOfAnotherUser) }
            code = try await client.call("link", .registering) { () throws(MPinError) in
                try await client.sdk.code(of: link)
            }
        }
        let typed = code.trimmed.behindLastSlash
        file.withCode { $0.replace(with: typed) }
        if link != nil || kind != .registration { try await take(.finishVerification(userID: userID)) }
        let identity = try await begin(.startRegistrationWithCode(userID: userID))
        try await take(.confirmRegistration(identity))
        return identity
    }

    /// Starts a registration. A refusal without a session is explained by the lack of one.
    private func begin(_ step: KioskStep) async throws(KioskFailure) -> KioskIdentity {
        do throws(KioskFailure) {
            guard case .registrationStarted(let identity) = try await take(step) else { throw KioskFailure(.failed) }
            return identity
        } catch {
            var isRefused = error.outcome == .appRefused
            // In that dialect the step asks no server without a session.
            if error.outcome == .notOffered { isRefused = (try? await client.sdk.dialectOfBackend()) == .mfaV1 }
            guard isRefused, file.request?.accessCode == nil else { throw error }
            throw KioskFailure(.needsSession, status: Status.badUserAgent.name)
        }
    }
}

extension SecretBytes {
    /// The code at the end of a short link. Codes have no slashes.
    fileprivate var behindLastSlash: SecretBytes {
        withBytes { bytes in
            let slash = bytes.indices.last { bytes[$0] == UInt8(ascii: "/") }
            return SecretBytes(copying: bytes.extracting((slash.map { $0 + 1 } ?? 0)...))
        }
    }
}
