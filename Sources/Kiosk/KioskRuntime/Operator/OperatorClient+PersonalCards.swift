// SPDX-License-Identifier: Apache-2.0

import KioskMachine
public import MPinClient

extension OperatorClient {
    /// An identity in the form for a personal card.
    ///
    /// - Throws: when the identity's state forbids it.
    public func portableIdentity(of user: User) async throws(CommandFailure) -> StoredIdentity {
        try requireRegistered(user)
        return try await call("personal card", .connecting) { () throws(MPinError) in
            try await sdk.portableIdentity(of: user)
        }
    }
}
