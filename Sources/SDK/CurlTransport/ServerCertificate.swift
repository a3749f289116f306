// SPDX-License-Identifier: Apache-2.0

import COpenSSL

enum ServerCertificate {
    /// Whether a certificate lists the names that it is for (subjectAltName). Without such a list curl accepts the
    /// subject's common name, which clients must not use any more (RFC 9525, section 6.3).
    ///
    /// - Parameter pem: a certificate in PEM; one that cannot be read lists none.
    static func listsNames(_ pem: String) -> Bool {
        let bytes = Array(pem.utf8)
        // Safe throughout: OpenSSL reads the bytes while the calls last, and each object is freed where it was made.
        return unsafe bytes.withUnsafeBytes { text in
            guard let file = unsafe BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count)) else { return false }
            defer { unsafe BIO_free(file) }
            guard let certificate = unsafe PEM_read_bio_X509(file, nil, nil, nil) else { return false }
            defer { unsafe X509_free(certificate) }
            return unsafe X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1) >= 0
        }
    }
}
