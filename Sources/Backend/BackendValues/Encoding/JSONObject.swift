// SPDX-License-Identifier: Apache-2.0

package import Encoding

/// A JSON object, as in every body of the protocol.
package struct JSONObject: Hashable, Sendable {
    package var members: [String: JSONValue]

    package init(_ members: [String: JSONValue]) { self.members = members }

    /// Reads a body. A blank one is an empty object. Nil when it is not a JSON object.
    package init?(body: [UInt8]) {
        if body.allSatisfy({ $0 == 0x20 || (0x09...0x0d).contains($0) }) {
            members = [:]
        } else if case .object(let read)? = JSONValue(reading: body) {
            members = read
        } else {
            return nil
        }
    }

    /// The object as JSON text, members sorted by name.
    package var body: [UInt8] { JSONValue.object(members).text }

    package func string(_ name: String) -> String? {
        guard case .string(let value)? = members[name] else { return nil }
        return value
    }

    package func integer(_ name: String) -> Int64? {
        guard case .integer(let value)? = members[name] else { return nil }
        return value
    }

    package func object(_ name: String) -> JSONObject? {
        guard case .object(let value)? = members[name] else { return nil }
        return JSONObject(value)
    }

    /// A flag. Senders write true or any number but zero.
    package func flag(_ name: String) -> Bool? {
        switch members[name] {
        case .boolean(let value)?: value
        case .integer(let value)?: value != 0
        default: nil
        }
    }
}
