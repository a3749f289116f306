// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

// Proves a PIN: here for a scanned browser, in its `TaskProof` for a task.
extension MPinStepRunner {
    func startAuthentication(
        of identity: KioskIdentity, for task: KioskTask, _ request: SessionRequest
    ) async throws(KioskFailure) -> StepAnswer {
        if let accessCode = request.accessCode {
            try await startLogin(of: identity, accessCode)
        } else {
            guard let proof = task.proof else { throw .noSuchLogin }
            try await proof.start(identity, with: self)
        }
        return .authenticationStarted
    }

    func startLogin(of identity: KioskIdentity, _ accessCode: AccessCode) async throws(KioskFailure) {
        try await call("start authentication") { () throws(MPinError) in
            try await sdk.startAuthentication(of: try await user(identity), accessCode: accessCode)
        }
    }

    func finishAuthentication(
        of identity: KioskIdentity, for task: KioskTask, _ request: SessionRequest
    ) async throws(KioskFailure) -> StepAnswer {
        guard let accessCode = request.accessCode else {
            guard let proof = task.proof else { throw .noSuchLogin }
            return try await proof.finish(identity, with: self)
        }
        let result = try await proveAndCount("finish authentication", of: identity) { user, pin throws(MPinError) in
            try await sdk.finishAuthentication(of: user, pin: pin, accessCode: accessCode)
        }
        // A guest is gone before the person could press the key.
        return .authenticated(
            canLogout: file.card == nil ? await canLogOut(identity) : false,
            wrongPINs: result.wrongPINs.flatMap { EarlierWrongPINs($0, now: now()) })
    }

    // After a login.

    /// Whether the relying party gave the data for ending the last session of this identity.
    private func canLogOut(_ identity: KioskIdentity) async -> Bool {
        guard let user = try? await sdk.user(identity.key) else { return false }
        return await sdk.canLogout(user)
    }

    func logOut(_ identity: KioskIdentity) async throws(KioskFailure) -> StepAnswer {
        try await call("logout") { () throws(MPinError) in try await sdk.logout(try await user(identity)) }
        return .loggedOut
    }

    /// Deletes this identity and no other.
    ///
    /// - Returns: whether it is gone.
    func deleteForGood(_ identity: KioskIdentity) async throws(KioskFailure) -> StepAnswer {
        try await call("delete identity") { () throws(MPinError) in
            if let user = try await sdk.user(identity.key) { try await sdk.deleteUser(user) }
        }
        return .identityDeleted
    }
}

extension EarlierWrongPINs {
    /// - Parameter now: seconds since 1970-01-01 UTC.
    /// - Returns: nil when the C library cannot convert the time.
    init?(_ said: WrongPINs, now: Int64) {
        guard let last = LocalTime(said.last), let today = LocalTime(now) else { return nil }
        // In a night when the clocks change it is an hour off.
        let yesterday = LocalTime(now - 86_400)
        switch last.date {
        case today.date: self.init(count: said.count, day: .today, time: last.clock)
        case yesterday?.date: self.init(count: said.count, day: .yesterday, time: last.clock)
        default: self.init(count: said.count, day: .earlier, time: LocalTime.text(said.last))
        }
    }
}

extension KioskFailure {
    /// The task has no login of its own.
    static let noSuchLogin = KioskFailure(.failed, status: "FLOW_ERROR")
}
