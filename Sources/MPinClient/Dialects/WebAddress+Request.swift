// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension WebAddress {
    /// The address of a D-TA's request: `name` directly behind this address, which ends in a slash.
    func request(_ name: String, query: String) throws(JSONError) -> WebAddress {
        do { return try WebAddress("\(origin)\(path)\(name)?\(query)") } catch {
            throw JSONError("the reply makes no web address for \(name): \(error.rawValue)")
        }
    }
}
