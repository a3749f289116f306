// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer

/// An operator's action on one identity or registration. The raw values are those in the forms.
enum OperatorAction: String, Codable, Sendable, CaseIterable {
    case revoke, unblock, renew, activate

    /// The text of its button.
    var label: PageWord {
        switch self {
        case .revoke: .revoke
        case .unblock: .unblock
        case .renew: .renew
        case .activate: .activate
        }
    }

    /// The text that the page shows afterwards.
    var report: PageWord {
        switch self {
        case .revoke: .revoked
        case .unblock: .unblocked
        case .renew: .renewed
        case .activate: .activated
        }
    }

    /// Whether the page asks first, because the action cannot be undone.
    var isAsked: Bool { self == .revoke }

    /// Whether the action would change anything.
    func isFor(_ user: BackendUser) -> Bool {
        switch self {
        case .revoke: user.status == .registered || user.status == .blocked
        case .unblock: user.failures > 0 && user.status != .revoked
        case .renew: user.canRenew && user.status == .registered && !user.needsRenewal
        case .activate: user.status == .unconfirmed
        }
    }

    /// - Returns: whether there was such an identity or registration.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    func perform(on userID: String, fingerprint: String, in state: BackendState) async throws -> Bool {
        switch self {
        case .revoke: try await state.revoke(userID: userID, fingerprint: fingerprint) > 0
        case .unblock: try await state.unblock(userID: userID, fingerprint: fingerprint) > 0
        case .renew: try await state.renew(userID: userID, fingerprint: fingerprint) > 0
        case .activate: try await state.activate(userID: userID, fingerprint: fingerprint) > 0
        }
    }
}
