// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import LoginValues
import Sealing

/// A server's certificate, read by OpenSSL.
@safe struct ServerCertificate: ~Copyable {
    private let certificate: OpaquePointer

    /// - Returns: nil when OpenSSL cannot read it.
    init?(pem: Span<UInt8>) {
        // Safe: OpenSSL reads the bytes while the calls last. The certificate is ours until `deinit`.
        let certificate = unsafe pem.withUnsafeBytes { text -> OpaquePointer? in
            guard let file = unsafe BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count)) else { return nil }
            defer { unsafe BIO_free(file) }
            return unsafe PEM_read_bio_X509(file, nil, nil, nil)
        }
        guard let certificate = unsafe certificate else { return nil }
        unsafe self.certificate = unsafe certificate
    }

    deinit { unsafe X509_free(certificate) }

    /// Whether it lists the names that it is for (subjectAltName). Without such a list curl accepts the subject's
    /// common name, which clients must not use any more (RFC 9525, section 6.3).
    var listsNames: Bool { unsafe X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1) >= 0 }

    /// The pin of its key; nil when OpenSSL cannot write the key.
    var pin: PublicKeyPin? {
        var encoding: UnsafeMutablePointer<UInt8>?
        // Safe: OpenSSL returns the number of written bytes, and they are freed after they were read.
        let length = unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &encoding)
        guard length > 0, let encoding = unsafe encoding else { return nil }
        defer { unsafe CRYPTO_free(encoding, #file, #line) }
        return PublicKeyPin(
            digest: Digest.sha256(unsafe Array(UnsafeBufferPointer(start: encoding, count: Int(length)))))
    }
}
