// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

extension WebAddress {
    /// The address of a D-TA's request: `name` appended directly to this address, which ends in a slash.
    func request(_ name: String, query: String) throws(JSONError) -> WebAddress {
        do { return try WebAddress("\(origin)\(path)\(name)?\(query)") } catch {
            throw JSONError("the reply makes no web address for \(name): \(error.rawValue)")
        }
    }
}

extension MPinError {
    /// The address of a request.
    ///
    /// - Throws: ``MPinError/Kind/badReply`` when no valid address can be made, which takes an absurdly long address
    ///   or identity from the server.
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
