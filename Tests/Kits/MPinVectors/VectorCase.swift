// SPDX-License-Identifier: Apache-2.0

/// One case of a file. Reading a missing field, or one of another type, throws an error that names the field.
struct VectorCase {
    let fields: [String: JSONValue]

    private func field(_ name: String) throws(VectorError) -> JSONValue {
        guard let value = fields[name] else { throw VectorError("\(name): missing") }
        return value
    }

    func has(_ name: String) -> Bool { fields[name] != nil }

    func isNull(_ name: String) throws(VectorError) -> Bool { try field(name) == .null }

    func string(_ name: String) throws(VectorError) -> String {
        guard case .string(let value) = try field(name) else { throw VectorError("\(name): not a string") }
        return value
    }

    func bool(_ name: String) throws(VectorError) -> Bool {
        guard case .bool(let value) = try field(name) else { throw VectorError("\(name): neither true nor false") }
        return value
    }

    func integer(_ name: String) throws(VectorError) -> Int {
        guard case .integer(let value) = try field(name) else { throw VectorError("\(name): not an integer") }
        return value
    }

    func unsigned(_ name: String) throws(VectorError) -> UInt32 {
        guard let value = UInt32(exactly: try integer(name)) else {
            throw VectorError("\(name): not between 0 and 4294967295")
        }
        return value
    }

    /// A string of hexadecimal digits, as bytes.
    func bytes(_ name: String) throws(VectorError) -> [UInt8] {
        guard let bytes = [UInt8](hexadecimal: try string(name)) else {
            throw VectorError("\(name): not an even number of lower-case hexadecimal digits")
        }
        return bytes
    }

    /// As `bytes`, with nil for null.
    func bytesOrNull(_ name: String) throws(VectorError) -> [UInt8]? {
        try isNull(name) ? nil : bytes(name)
    }

    /// An encoded point; nil for the word "infinity".
    func pointOrInfinity(_ name: String) throws(VectorError) -> [UInt8]? {
        try string(name) == "infinity" ? nil : bytes(name)
    }

    func object(_ name: String) throws(VectorError) -> VectorCase {
        guard case .object(let value) = try field(name) else { throw VectorError("\(name): not an object") }
        return VectorCase(fields: value)
    }

    func objects(_ name: String) throws(VectorError) -> [VectorCase] {
        guard case .array(let values) = try field(name) else { throw VectorError("\(name): not an array") }
        var cases: [VectorCase] = []
        for value in values {
            guard case .object(let fields) = value else { throw VectorError("\(name): an element is not an object") }
            cases.append(VectorCase(fields: fields))
        }
        return cases
    }
}

/// A fault of a case, or of the computation that it describes.
package struct VectorError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
