// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

// Secret points are read and written as wiped bytes.

extension ClientSecretShare {
    init(_ encoded: SecretBytes) throws(MPinCryptoError) {
        self = try encoded.withBytes { bytes throws(MPinCryptoError) in try ClientSecretShare(bytes: bytes) }
    }

    var encoded: SecretBytes { withBytes { SecretBytes(copying: $0) } }
}

extension TimePermitShare {
    init(_ encoded: SecretBytes) throws(MPinCryptoError) {
        self = try encoded.withBytes { bytes throws(MPinCryptoError) in try TimePermitShare(bytes: bytes) }
    }

    var encoded: SecretBytes { withBytes { SecretBytes(copying: $0) } }
}

extension Token {
    init(_ encoded: SecretBytes) throws(MPinCryptoError) {
        self = try encoded.withBytes { bytes throws(MPinCryptoError) in try Token(bytes: bytes) }
    }

    var encoded: SecretBytes { withBytes { SecretBytes(copying: $0) } }
}
