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
        let registration = RegistrationRun(run: self, userID: userID, known: known, questions: questions)
        let identity =
            if byCode {
                try await registration.confirmByCode()
            } else if verifiesAddresses {
                try await registration.confirmByVerification(sendsAgain: sendsAgain)
            } else {
                try await registration.confirmByMail(sendsAgain: sendsAgain)
            }
        try await keep(questions.newPIN, length: identity.requiredPINLength, of: identity)
        try await take(.finishRegistration(identity))
    }
}

/// A registration that a command carries out. Each way to confirm it returns the identity, with its shares in memory.
private struct RegistrationRun {
    let run: CommandRun
    let userID: String
    /// The identity of that name, which an earlier run may have left unfinished.
    let known: User?
    let questions: RegistrationQuestions

    /// Registers in the dialects before 2023: the person follows the link of a mail, and the device asks whether that
    /// was done.
    func confirmByMail(sendsAgain: Bool) async throws(KioskFailure) -> KioskIdentity {
        var identity: KioskIdentity
        // An earlier run may have fetched the shares, which are given out once, and ended before the PIN was chosen.
        var mayStartAgain = false
        if let known, known.state == .startedRegistration || known.state == .activated {
            identity = KioskIdentity(known)
            mayStartAgain = true
            if sendsAgain { identity = try await begin(.restartRegistration(identity)) }
        } else {
            if let known { try await run.client.delete(known) }
            identity = try await begin(.startRegistration(userID: known?.identity ?? userID))
        }
        var question = RegistrationQuestions.Activation.mailSent
        while true {
            if identity.progress != .activated, !(await questions.activation(question)) {
                throw KioskFailure(Task.isCancelled ? .stopped : .notVerified)
            }
            do throws(KioskFailure) {
                try await run.take(.confirmRegistration(identity))
                return identity
            } catch {
                switch error.outcome {
                case .registrationExpired where mayStartAgain:
                    mayStartAgain = false
                    identity = try await begin(.restartRegistration(identity))
                    question = .mailSent
                case .notVerified where identity.progress != .activated: question = .notYet
                default: throw error
                }
            }
        }
    }

    /// Registers with a registration code, an activation token, or the link of a verification's mail.
    func confirmByCode() async throws(KioskFailure) -> KioskIdentity {
        // An earlier run used up the code, and its result may still be there.
        if let known, known.state == .activated {
            let identity = KioskIdentity(known)
            if (try? await run.take(.confirmRegistration(identity))) != nil { return identity }
        }
        return try await registerUntilAccepted(.registration)
    }

    /// Registers after a mail has shown that the identity is the person's.
    func confirmByVerification(sendsAgain: Bool) async throws(KioskFailure) -> KioskIdentity {
        // An earlier run may have sent the mail.
        var content = MailContent.codeOrLink
        // Its token is gone. The stored state must show the next run that a mail was sent.
        if let known, known.state == .blocked { try await run.client.delete(known) }
        if known?.state != .startedVerification || sendsAgain {
            if var request = run.file.request {
                request.needsNewMail = true
                run.file.open(request)
            }
            guard case .verificationStarted(let sent) = try await run.take(.startVerification(userID: userID)) else {
                throw KioskFailure(.failed)
            }
            content = sent
            _ = await questions.activation(.verificationSent)
        }
        return try await registerUntilAccepted(.verification(content))
    }

    /// Asks for a code until one is accepted.
    private func registerUntilAccepted(
        _ kind: RegistrationQuestions.Code
    ) async throws(KioskFailure) -> KioskIdentity {
        var refusal: KioskFailure?
        while true {
            guard let code = await questions.code(kind, refusal != nil) else {
                throw refusal ?? KioskFailure(Task.isCancelled ? .stopped : .notVerified)
            }
            do throws(KioskFailure) { return try await register(kind, code) } catch {
                guard error.outcome == .codeRefused || error.outcome == .codeOfAnotherUser else { throw error }
                refusal = error
            }
        }
    }

    private func register(
        _ kind: RegistrationQuestions.Code, _ code: SecretBytes
    ) async throws(KioskFailure) -> KioskIdentity {
        let link = code.withBytes { VerificationLink(symbol: $0) }
        var code = code
        if let link {
            guard link.userID.isSameUserID(as: userID) else { throw KioskFailure(.codeOfAnotherUser) }
            code = try await run.client.call("link", .registering) { () throws(MPinError) in
                try await run.client.sdk.code(of: link)
            }
        }
        let typed = code.trimmed.behindLastSlash
        run.file.withCode { $0.replace(with: typed) }
        if link != nil || kind != .registration { try await run.take(.finishVerification(userID: userID)) }
        let identity = try await begin(.startRegistrationWithCode(userID: userID))
        try await run.take(.confirmRegistration(identity))
        return identity
    }

    /// Starts a registration. A refusal without a session is explained by the lack of one.
    private func begin(_ step: KioskStep) async throws(KioskFailure) -> KioskIdentity {
        do throws(KioskFailure) {
            let answer = try await run.take(step)
            guard case .registrationStarted(let identity) = answer else { throw KioskFailure(.failed) }
            return identity
        } catch {
            guard run.file.request?.accessCode == nil else { throw error }
            switch error.outcome {
            case .appRefused: break
            // In that dialect the step asks no server without a session.
            case .notOffered where (try? await run.client.sdk.dialectOfBackend()) == .mfaV1: break
            default: throw error
            }
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
