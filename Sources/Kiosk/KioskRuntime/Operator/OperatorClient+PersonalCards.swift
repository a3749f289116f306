// SPDX-License-Identifier: Apache-2.0

import KioskMachine
public import MPinClient

extension OperatorClient {
    /// An identity as a personal card has it.
    ///
    /// - Throws: what the identity's state forbids.
    public func portableIdentity(of user: User) async throws(CommandFailure) -> StoredIdentity {
        try requireRegistered(user)
        return try await call("personal card", .connecting) { () throws(MPinError) in
            try await sdk.portableIdentity(of: user)
        }
    }
}
