// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A key for RS256 (RFC 7518, section 3.3: RSASSA-PKCS1-v1_5 with SHA-256). libcrypto keeps it and wipes it when it
/// is freed.
@safe final class RSAKey: Sendable {
    /// Fewer bits are too weak, and more would let a stranger's key set cause too much work.
    static let bits: ClosedRange<Int32> = 2048...8192
    private static let exponentLength = 1...4

    // Safe: never changed after `init`, and freed once. libcrypto allows threads to share an unchanged key.
    private nonisolated(unsafe) let key: OpaquePointer

    /// Takes ownership of `key`.
    private init?(owning key: OpaquePointer?) {
        guard let key = unsafe key else {
            ERR_clear_error()
            return nil
        }
        unsafe self.key = key
        guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA, RSAKey.bits.contains(unsafe EVP_PKEY_get_bits(key))
        else {
            return nil
        }
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// - Parameter privateKey: RSAPrivateKey of RFC 8017, appendix A.1.2, also wrapped according to RFC 5208.
    /// - Returns: nil for anything else, and for a key whose halves do not belong together.
    convenience init?(privateKey: [UInt8]) {
        unsafe self.init(
            // Safe: it reads within the bounds that it is given, and moves a copy of the pointer.
            owning: unsafe privateKey.withUnsafeBufferPointer { bytes in
                var position = bytes.baseAddress
                return unsafe d2i_PrivateKey(EVP_PKEY_RSA, nil, &position, bytes.count)
            })
        let probe: [UInt8] = [1, 2, 3]
        guard let signature = signature(of: probe), isSignature(signature, of: probe) else { return nil }
    }

    /// - Parameters: those of the public key, big-endian.
    convenience init?(modulus: [UInt8], exponent: [UInt8]) {
        guard modulus.count <= Int(RSAKey.bits.upperBound) / 8, RSAKey.exponentLength.contains(exponent.count) else {
            return nil
        }
        // Safe: the key is new and owned here, or nil.
        unsafe self.init(owning: RSAKey.publicKey(modulus, exponent))
    }

    /// A new private key, as ``init(privateKey:)`` reads it; the caller wipes it.
    ///
    /// - Throws: `BackendError.cryptographyFailed`.
    static func make() throws(BackendError) -> [UInt8] {
        // Safe: the handles are made, used and freed here.
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard
            unsafe EVP_PKEY_keygen_init(context) == 1
                && EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits.lowerBound) == 1
                && EVP_PKEY_generate(context, &key) == 1
        else { throw .cryptographyFailed }
        defer { unsafe EVP_PKEY_free(key) }
        let count = Int(unsafe i2d_PrivateKey(key, nil))
        guard count > 0 else { throw .cryptographyFailed }
        var content = [UInt8](repeating: 0, count: count)
        // Safe: it writes the length that it reported before, and moves a copy of the pointer.
        _ = unsafe content.withUnsafeMutableBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe i2d_PrivateKey(key, &position)
        }
        return content
    }

    /// Big-endian, as in a JSON web key.
    var modulus: [UInt8] { number("n") }
    var exponent: [UInt8] { number("e") }

    /// - Returns: nil for a key without a private half.
    func signature(of message: [UInt8]) -> [UInt8]? {
        // Safe: the context is made, used and freed here; message and signature come with their lengths.
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Int(RSAKey.bits.upperBound) / 8)
        var count = signature.count
        guard
            unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
                && EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else {
            ERR_clear_error()
            return nil
        }
        return Array(signature.prefix(count))
    }

    func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        // Safe: the context is made, used and freed here; message and signature come with their lengths.
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        guard
            unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
                && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        else {
            ERR_clear_error()
            return false
        }
        return true
    }

    private func number(_ name: String) -> [UInt8] {
        var number: OpaquePointer?
        // Safe: the call makes a new number, which is freed here.
        _ = unsafe EVP_PKEY_get_bn_param(key, name, &number)
        defer { unsafe BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: (Int(unsafe BN_num_bits(number)) + 7) / 8)
        // Safe: it writes as many bytes as the number has.
        _ = unsafe BN_bn2bin(number, &bytes)
        return bytes
    }

    private static func publicKey(_ modulus: [UInt8], _ exponent: [UInt8]) -> OpaquePointer? {
        // The parameters use the machine's byte order, which is little-endian on all supported machines.
        var (modulus, exponent) = (Array(modulus.reversed()), Array(exponent.reversed()))
        let (modulusLength, exponentLength) = (modulus.count, exponent.count)
        var key: OpaquePointer?
        // Safe: the context is made, used and freed here, and what the parameters point to outlives the call.
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }
        unsafe modulus.withUnsafeMutableBufferPointer { modulus in
            unsafe exponent.withUnsafeMutableBufferPointer { exponent in
                var parameters = unsafe [
                    OSSL_PARAM_construct_BN(cString("n"), modulus.baseAddress, modulusLength),
                    OSSL_PARAM_construct_BN(cString("e"), exponent.baseAddress, exponentLength),
                    OSSL_PARAM_construct_end(),
                ]
                _ = unsafe EVP_PKEY_fromdata(context, &key, OSSL_KEYMGMT_SELECT_PUBLIC_KEY, &parameters)
            }
        }
        return unsafe key
    }

    /// Safe: a literal ends with a zero byte and is never freed.
    private static func cString(_ literal: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
