// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import MPinClient

extension OperatorClient {
    /// Registers an identity at the current backend, or continues a registration. One that the server has forgotten is
    /// begun anew.
    ///
    /// - Throws: no working identity is lost then.
    public func enroll(_ enrolment: Enrolment, asking questions: EnrolmentQuestions) async throws(CommandFailure) {
        let (known, dialect) = try await call("enrolment", .connecting) { () throws(MPinError) in
            (
                try await sdk.users().first { $0.identity.isSameUserID(as: enrolment.userID) },
                try await sdk.dialectOfBackend()
            )
        }
        guard known?.state != .registered else { throw CommandFailure(.identityExists) }
        let confirmed: User
        if enrolment.usesCode {
            confirmed = try await enrollByCode(enrolment, known, questions)
        } else if dialect == .trust2023 || dialect == .trust2025 {
            confirmed = try await enrollByVerification(enrolment, known, questions)
        } else {
            confirmed = try await enrollByMail(enrolment, known, questions)
        }
        try await choosePIN(confirmed, questions.newPIN)
    }

    private func choosePIN(_ user: User, _ choice: NewPINChoice) async throws(CommandFailure) {
        let pin: Pin
        do throws(CommandFailure) { pin = try await choice.choose(.identity, length: user.pinLength) } catch {
            await sdk.forgetShares(of: user)
            throw error
        }
        do throws(MPinError) { _ = try await sdk.finishRegistration(of: user, pin: pin) } catch {
            throw failure(error, of: "finish registration", .registering)
        }
    }

    /// Begins a registration. Remains of an earlier one are removed first, unless the SDK replaces it in one step.
    func begin(
        _ enrolment: Enrolment, _ known: User?, code: SecretBytes? = nil
    ) async throws(MPinError) -> User {
        if let known, known.projectID.isEmpty, known.state != .startedVerification { try await sdk.deleteUser(known) }
        return try await sdk.startRegistration(
            of: await sdk.makeNewUser(known?.identity ?? enrolment.userID), activateCode: code,
            accessCode: enrolment.accessCode)
    }

    /// Explains a refused registration without a session: the lack of one may be the reason.
    func refusal(_ error: MPinError, _ enrolment: Enrolment) -> CommandFailure {
        let failure = failure(error, of: "start registration", .registering)
        guard error.kind == .clientRefused, enrolment.accessCode == nil else { return failure }
        return CommandFailure(.needsSession, status: error.status.name)
    }
}
