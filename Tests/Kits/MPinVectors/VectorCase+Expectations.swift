// SPDX-License-Identifier: Apache-2.0

extension VectorCase {
    /// Compares a computed value with the field of this name.
    func expect(_ name: String, _ computed: [UInt8]) throws(VectorError) {
        let given = try bytes(name)
        guard given == computed else {
            throw VectorError("\(name): computed \(computed.hexadecimal), given \(given.hexadecimal)")
        }
    }

    /// Compares a computed point, nil for infinity, with the field of this name.
    func expect(_ name: String, orInfinity computed: [UInt8]?) throws(VectorError) {
        let given = try pointOrInfinity(name)
        guard given == computed else {
            throw VectorError(
                "\(name): computed \(computed?.hexadecimal ?? "infinity"), given \(given?.hexadecimal ?? "infinity")")
        }
    }

    /// Compares a computed value, nil for null, with the field of this name.
    func expect(_ name: String, orNull computed: [UInt8]?) throws(VectorError) {
        let given = try bytesOrNull(name)
        guard given == computed else {
            throw VectorError(
                "\(name): computed \(computed?.hexadecimal ?? "null"), given \(given?.hexadecimal ?? "null")")
        }
    }

    func expect(_ name: String, _ computed: Int) throws(VectorError) {
        let given = try integer(name)
        guard given == computed else { throw VectorError("\(name): computed \(computed), given \(given)") }
    }

    func expect(_ name: String, _ computed: Bool) throws(VectorError) {
        let given = try bool(name)
        guard given == computed else { throw VectorError("\(name): computed \(computed), given \(given)") }
    }
}
