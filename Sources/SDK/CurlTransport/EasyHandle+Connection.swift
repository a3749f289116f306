// SPDX-License-Identifier: Apache-2.0

import CCurl
import CSSL

extension EasyHandle {
    /// Sets which connections the request may use.
    ///
    /// - Parameters:
    ///   - isFresh: whether it is opened for this request.
    ///   - maximumAge: seconds for which a kept one may have been idle. A longer idle one is closed.
    func choose(isFresh: Bool, maximumAge: Int) throws(CurlFailure) {
        try set(CURLOPT_FRESH_CONNECT, isFresh ? 1 : 0)
        try set(CURLOPT_MAXAGE_CONN, maximumAge)
        // Off until the reply allows another request on the connection, so that every failure closes the connection.
        try keepConnection(false)
    }

    /// Sets whether the connection is kept when the request is done.
    func keepConnection(_ isKept: Bool) throws(CurlFailure) { try set(CURLOPT_FORBID_REUSE, isKept ? 0 : 1) }

    /// Whether the request's connection speaks HTTP/2, by the server's choice in the TLS handshake. The version that
    /// curl reports is not proof: curl believes an HTTP/1.1 server that writes `HTTP/2 200`.
    var speaksHTTP2: Bool {
        var pointer: UnsafeMutableRawPointer?
        // Safe throughout: curl keeps the description in its handle, and TLS the name in its session, while they are
        // read.
        guard unsafe login_kiosk_curl_get_pointer(self.pointer, CURLINFO_TLS_SSL_PTR, &pointer) == CURLE_OK,
            let session = unsafe pointer?.assumingMemoryBound(to: curl_tlssessioninfo.self).pointee,
            unsafe session.backend == CURLSSLBACKEND_OPENSSL, let tls = unsafe session.internals
        else { return false }
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(OpaquePointer(tls), &name, &length)
        return unsafe UnsafeBufferPointer(start: name, count: Int(length)).elementsEqual("h2".utf8)
    }
}
