// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import MPinClient

// Registration in the dialects before 2023: the person follows the link of a mail, and the device asks whether that
// was done.
extension OperatorClient {
    /// - Returns: the identity, with its shares in memory.
    func enrollByMail(
        _ enrolment: Enrolment, _ known: User?, _ questions: EnrolmentQuestions
    ) async throws(CommandFailure) -> User {
        var user: User
        // An earlier run may have fetched the shares, which are given out once, and ended before the PIN was chosen.
        var mayBeginAnew = false
        if let known, known.state == .startedRegistration || known.state == .activated {
            user = known
            mayBeginAnew = true
            if enrolment.sendsAgain { user = try await restart(known, enrolment) }
        } else {
            do throws(MPinError) { user = try await begin(enrolment, known) } catch { throw refusal(error, enrolment) }
        }
        var question = EnrolmentQuestions.Activation.mailSent
        while true {
            if user.state != .activated, !(await questions.activation(question)) {
                throw CommandFailure(Task.isCancelled ? .stopped : .notVerified)
            }
            do throws(MPinError) { return try await sdk.confirmRegistration(of: user) } catch {
                let failure = failure(error, of: "confirm registration", .registering)
                if failure.outcome == .registrationExpired, mayBeginAnew {
                    mayBeginAnew = false
                    user = try await restart(user, enrolment)
                    question = .mailSent
                } else if failure.outcome == .notVerified, user.state != .activated {
                    question = .notYet
                } else {
                    throw failure
                }
            }
        }
    }

    /// Asks the server for another mail.
    private func restart(_ user: User, _ enrolment: Enrolment) async throws(CommandFailure) -> User {
        do throws(MPinError) {
            return try await sdk.restartRegistration(of: user, accessCode: enrolment.accessCode)
        } catch { throw refusal(error, enrolment) }
    }
}
