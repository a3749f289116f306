// SPDX-License-Identifier: Apache-2.0

import CCurl
import MPinClient

/// A call of curl that did not succeed.
struct CurlFailure: Error, CustomStringConvertible {
    let code: CURLcode

    init(_ code: CURLcode) { self.code = code }

    static func check(_ code: CURLcode) throws(CurlFailure) {
        guard code == CURLE_OK else { throw CurlFailure(code) }
    }

    /// The code's fixed text; quotes nothing.
    var description: String {
        // Safe: curl's texts are static.
        "\(unsafe String(cString: curl_easy_strerror(code))) (curl code \(code.rawValue))"
    }

    /// The meaning of the code for the caller.
    ///
    /// - Parameter requestMayHaveBeenSent: whether the connection stood; before that, a broken pipe is
    ///   a failed connection.
    func transportCode(requestMayHaveBeenSent: Bool) -> HTTPTransportError.Code {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .nameNotResolved
        case CURLE_COULDNT_CONNECT: .connectionFailed
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_ENGINE_INITFAILED:
            .tlsFailed
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .serverKeyRefused
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: requestMayHaveBeenSent ? .transferFailed : .connectionFailed
        default: .transferFailed
        }
    }
}
