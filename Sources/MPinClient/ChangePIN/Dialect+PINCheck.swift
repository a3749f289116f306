// SPDX-License-Identifier: Apache-2.0

// What a dialect asks when only the verdict on a PIN is wanted: a login that brings the device nothing and opens
// nothing.
extension Dialect {
    /// This client itself, without a browser's session: what the relying party answers is not looked at.
    static var pinCheck: AuthenticationTarget { .relyingParty }
}

extension TrustDialect {
    /// Today's platform has a scope for nothing else: MIRACL protocol, section 9.3, `dvs-auth`.
    static var pinCheck: AuthenticationTarget { .signing }
}
