// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import LoginValues
import Sealing

extension PublicKeyPin {
    /// - Parameter certificate: in PEM.
    /// - Returns: nil when OpenSSL cannot read it.
    init?(certificate pem: SecretBytes) {
        let digest = pem.withBytes { text -> [UInt8]? in
            // Safe throughout: OpenSSL reads the bytes while the calls last, and each object is freed where
            // it was made.
            unsafe text.withUnsafeBytes { text -> [UInt8]? in
                guard let file = unsafe BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count)) else {
                    return nil
                }
                defer { unsafe BIO_free(file) }
                guard let certificate = unsafe PEM_read_bio_X509(file, nil, nil, nil) else { return nil }
                defer { unsafe X509_free(certificate) }
                var encoding: UnsafeMutablePointer<UInt8>?
                let length = unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &encoding)
                guard length > 0, let encoding = unsafe encoding else { return nil }
                defer { unsafe CRYPTO_free(encoding, #file, #line) }
                return Digest.sha256(unsafe Array(UnsafeBufferPointer(start: encoding, count: Int(length))))
            }
        }
        guard let digest else { return nil }
        self.init(digest: digest)
    }
}
