// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import MPinClient

// Registration at today's platform: a code shows whose identity it is, and the registration follows at once.
extension OperatorClient {
    /// Registers with a code that another device made, an activation token, or the link of a verification's mail.
    ///
    /// - Returns: the identity, with its shares in memory.
    func enrollByCode(
        _ enrolment: Enrolment, _ known: User?, _ questions: EnrolmentQuestions
    ) async throws(CommandFailure) -> User {
        // An earlier run used up the code, and its result may still be there.
        if let known, known.state == .activated, let user = try? await sdk.confirmRegistration(of: known) {
            return user
        }
        return try await untilAccepted(.registration, questions, enrolment) { code throws(CommandFailure) in
            try await register(code, enrolment, known)
        }
    }

    /// Registers after a mail has shown that the identity is the person's.
    ///
    /// - Returns: the identity, with its shares in memory.
    func enrollByVerification(
        _ enrolment: Enrolment, _ known: User?, _ questions: EnrolmentQuestions
    ) async throws(CommandFailure) -> User {
        // An earlier run may have sent the mail.
        var method = VerificationStart.Method.codeOrLink
        if let known, known.state == .blocked {
            // Its token is gone. The stored state must tell the next run that a mail was sent.
            try await delete(known)
        }
        if known?.state != .startedVerification || enrolment.sendsAgain {
            method = try await sendMail(enrolment)
            _ = await questions.activation(.verificationSent)
        }
        return try await untilAccepted(.verification(method), questions, enrolment) { code throws(CommandFailure) in
            try await register(try await activationToken(code, enrolment), enrolment, nil)
        }
    }

    /// Asks for a code until one is accepted.
    private func untilAccepted(
        _ kind: EnrolmentQuestions.Code, _ questions: EnrolmentQuestions, _ enrolment: Enrolment,
        _ use: (SecretBytes) async throws(CommandFailure) -> User
    ) async throws(CommandFailure) -> User {
        var refusal: CommandFailure?
        while true {
            guard var code = await questions.code(kind, refusal != nil) else {
                throw refusal ?? CommandFailure(Task.isCancelled ? .stopped : .notVerified)
            }
            do throws(CommandFailure) {
                if let link = code.withBytes({ VerificationLink(symbol: $0) }) {
                    guard link.userID.isSameUserID(as: enrolment.userID) else {
                        throw CommandFailure(.codeOfAnotherUser)
                    }
                    code = try await call("link", .registering) { () throws(MPinError) in
                        try await sdk.code(of: link)
                    }
                    if kind == .registration { code = try await activationToken(code, enrolment) }
                }
                return try await use(code.trimmed.behindLastSlash)
            } catch {
                guard error.outcome == .codeRefused || error.outcome == .codeOfAnotherUser else { throw error }
                refusal = error
            }
        }
    }

    private func sendMail(_ enrolment: Enrolment) async throws(CommandFailure) -> VerificationStart.Method {
        try await call("verification", .registering) { () throws(MPinError) in
            let user = await sdk.makeNewUser(enrolment.userID)
            return try await sdk.startVerification(of: user, accessCode: enrolment.accessCode).method
        }
    }

    private func activationToken(
        _ code: SecretBytes, _ enrolment: Enrolment
    ) async throws(CommandFailure) -> SecretBytes {
        try await call("verification code", .registering) { () throws(MPinError) in
            let user = await sdk.makeNewUser(enrolment.userID)
            return try await sdk.finishVerification(of: user, code: code).activationToken
        }
    }

    private func register(
        _ code: SecretBytes, _ enrolment: Enrolment, _ known: User?
    ) async throws(CommandFailure) -> User {
        let user: User
        do throws(MPinError) { user = try await begin(enrolment, known, code: code) } catch {
            throw refusal(error, enrolment)
        }
        return try await call("confirm registration", .registering) { () throws(MPinError) in
            try await sdk.confirmRegistration(of: user)
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
