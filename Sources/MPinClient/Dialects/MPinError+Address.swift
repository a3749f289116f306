// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension MPinError {
    /// The address of a request.
    ///
    /// - Throws: ``MPinError/Kind/badReply`` when it cannot be one, which takes an absurdly long address or identity
    ///   from the server.
    static func address(
        _ base: WebAddress, _ suffix: some StringProtocol, for kind: RequestKind
    ) throws(MPinError) -> WebAddress {
        do { return try base.appending(suffix) } catch {
            throw MPinError(
                .badReply,
                detail: "\(kind.rawValue) at \(base.origin): no address can be made: \(error.rawValue)")
        }
    }
}
