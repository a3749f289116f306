// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// G1 by OpenSSL: y^2 = x^3 + 2, with no code in common with MPinCrypto. Its pointers stay private. Not for use from
/// two threads.
@safe final class OpenSSLCurve {
    private let group: OpaquePointer
    private let context: OpaquePointer

    /// Nil when OpenSSL refuses the curve.
    init?(prime: [UInt8], order: [UInt8], generator: [UInt8]) {
        // SAFETY: OpenSSL copies the numbers into the group. Numbers made here are freed here.
        unsafe context = BN_CTX_new()
        let p = unsafe BN_bin2bn(prime, Int32(prime.count), nil)
        let a = unsafe BN_new()
        let b = unsafe BN_new()
        let n = unsafe BN_bin2bn(order, Int32(order.count), nil)
        defer {
            unsafe BN_free(p)
            unsafe BN_free(a)
            unsafe BN_free(b)
            unsafe BN_free(n)
        }
        unsafe BN_set_word(b, 2)
        guard let group = unsafe EC_GROUP_new_curve_GFp(p, a, b, context) else { return nil }
        unsafe self.group = group
        guard let point = unsafe decode(generator) else { return nil }
        defer { unsafe EC_POINT_free(point) }
        guard unsafe EC_GROUP_set_generator(group, point, n, BN_value_one()) == 1,
            unsafe EC_GROUP_check(group, context) == 1
        else { return nil }
    }

    deinit {
        // SAFETY: `init` made both, and nothing uses them after `deinit`.
        unsafe EC_GROUP_free(group)
        unsafe BN_CTX_free(context)
    }

    /// Whether OpenSSL accepts the uncompressed encoding as a point of the curve.
    func accepts(_ encoding: [UInt8]) -> Bool {
        guard let point = unsafe decode(encoding) else { return false }
        unsafe EC_POINT_free(point)
        return true
    }

    /// The sum; nil at infinity or for an invalid point.
    func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8]? {
        guard let a = unsafe decode(a) else { return nil }
        defer { unsafe EC_POINT_free(a) }
        guard let b = unsafe decode(b) else { return nil }
        defer { unsafe EC_POINT_free(b) }
        guard unsafe EC_POINT_add(group, a, a, b, context) == 1 else { return nil }
        return unsafe encode(a)
    }

    /// The multiple by a big-endian number; nil at infinity or for an invalid point.
    func multiple(_ point: [UInt8], by scalar: [UInt8]) -> [UInt8]? {
        guard let point = unsafe decode(point) else { return nil }
        defer { unsafe EC_POINT_free(point) }
        let number = unsafe BN_bin2bn(scalar, Int32(scalar.count), nil)
        defer { unsafe BN_free(number) }
        guard unsafe EC_POINT_mul(group, point, nil, point, number, context) == 1 else { return nil }
        return unsafe encode(point)
    }

    /// A point that the caller frees.
    private func decode(_ encoding: [UInt8]) -> OpaquePointer? {
        guard let point = unsafe EC_POINT_new(group) else { return nil }
        // SAFETY: the call reads the array's buffer.
        guard unsafe EC_POINT_oct2point(group, point, encoding, encoding.count, context) == 1 else {
            unsafe EC_POINT_free(point)
            ERR_clear_error()
            return nil
        }
        return unsafe point
    }

    private func encode(_ point: OpaquePointer) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65)
        // SAFETY: the call writes at most the given number of bytes. One byte stands for infinity.
        let count = unsafe EC_POINT_point2oct(
            group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, context)
        return count == bytes.count ? bytes : nil
    }
}
