// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// OpenSSL's generic arithmetic on G1 of BN254CX, y^2 = x^3 + 2, the alternative to the project's own code. Its
/// pointers stay private. Not for use from two threads.
@safe final class OpenSSLCurve {
    private let context: OpaquePointer
    private let montgomery: OpaquePointer
    private let group: OpaquePointer
    private let point: OpaquePointer

    private static let prime = "2400000008702A0DB0BDDF647A6366D3243FD6EE18093EE1BE6623EF5C1B55B3"
    private static let order = "2400000008702A0DB0BDDF647A6366D2C43FD6EE0CC906CEBE11C0A636EB1F6D"

    init() throws(BenchmarkError) {
        // SAFETY: OpenSSL copies the numbers into the group. `deinit` frees the rest, and the process ends when a
        // call fails.
        guard let context = unsafe BN_CTX_new(), let montgomery = unsafe BN_MONT_CTX_new() else {
            throw .openSSL("out of memory")
        }
        let p = unsafe Self.number(Self.prime)
        let a = unsafe Self.number("0")
        let b = unsafe Self.number("2")
        let n = unsafe Self.number(Self.order)
        let x = unsafe Self.number(Self.prime)
        let y = unsafe Self.number("1")
        defer {
            unsafe BN_free(p)
            unsafe BN_free(a)
            unsafe BN_free(b)
            unsafe BN_free(n)
            unsafe BN_free(x)
            unsafe BN_free(y)
        }
        guard unsafe BN_sub_word(x, 1) == 1, unsafe BN_MONT_CTX_set(montgomery, p, context) == 1,
            let group = unsafe EC_GROUP_new_curve_GFp(p, a, b, context), let point = unsafe EC_POINT_new(group),
            unsafe EC_POINT_set_affine_coordinates(group, point, x, y, context) == 1,
            unsafe EC_GROUP_set_generator(group, point, n, BN_value_one()) == 1
        else { throw .openSSL("it refused the curve") }
        unsafe self.context = context
        unsafe self.montgomery = montgomery
        unsafe self.group = group
        unsafe self.point = point
    }

    deinit {
        // SAFETY: `init` made all of them, and nothing uses them after `deinit`.
        unsafe EC_POINT_free(point)
        unsafe EC_GROUP_free(group)
        unsafe BN_MONT_CTX_free(montgomery)
        unsafe BN_CTX_free(context)
    }

    /// Multiplies field elements in Montgomery form, each time the previous product.
    func multiplyFieldElements(_ count: Int) throws {
        let factor = unsafe Self.number("123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0")
        let product = unsafe Self.number("FEDCBA9876543210FEDCBA9876543210FEDCBA9876543210FEDCBA987654321")
        // SAFETY: both numbers outlive the loop and are freed here.
        defer {
            unsafe BN_free(factor)
            unsafe BN_free(product)
        }
        for _ in 0..<count {
            guard unsafe BN_mod_mul_montgomery(product, product, factor, montgomery, context) == 1 else {
                throw BenchmarkError.openSSL("BN_mod_mul_montgomery failed")
            }
        }
    }

    /// Multiplies a point by a number of full length, each time the previous product.
    func multiplyPoint(_ count: Int) throws {
        let scalar = unsafe Self.number("123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0")
        // SAFETY: the number outlives the loop and is freed here.
        defer { unsafe BN_free(scalar) }
        for _ in 0..<count {
            guard unsafe EC_POINT_mul(group, point, nil, point, scalar, context) == 1 else {
                throw BenchmarkError.openSSL("EC_POINT_mul failed")
            }
        }
    }

    /// A number that the caller frees.
    private static func number(_ hexadecimal: String) -> OpaquePointer? {
        var number: OpaquePointer?
        // SAFETY: OpenSSL makes the number and stores the pointer to it.
        unsafe BN_hex2bn(&number, hexadecimal)
        return unsafe number
    }
}
