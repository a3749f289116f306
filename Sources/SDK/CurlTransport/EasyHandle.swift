// SPDX-License-Identifier: Apache-2.0

import CCurl
import MPinClient

/// Owner of one of curl's easy handles: one request and its reply.
@safe struct EasyHandle: ~Copyable {
    /// Distinguishes handles; never dereferenced.
    struct ID: Hashable {
        private let address: UInt

        init(_ pointer: UnsafeMutableRawPointer?) { address = UInt(bitPattern: pointer) }
    }

    let pointer: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    let errorBuffer: UnsafeMutablePointer<CChar>

    init() throws(CurlFailure) {
        // Safe: the handle is ours until `deinit`, and so is the text that it writes to.
        guard let pointer = unsafe curl_easy_init() else { throw CurlFailure(CURLE_OUT_OF_MEMORY) }
        unsafe self.pointer = unsafe pointer
        unsafe errorBuffer = UnsafeMutablePointer.allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(headers)
        unsafe errorBuffer.deallocate()
    }

    var id: ID { unsafe ID(pointer) }

    /// curl's own words for what went wrong; may quote what a peer sent.
    var errorText: String { unsafe String(cString: errorBuffer) }

    // Every setter throws, because a refused option may be a protection.

    func set(_ option: CURLoption, _ value: Int) throws(CurlFailure) {
        try CurlFailure.check(unsafe login_kiosk_curl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, offset value: Int) throws(CurlFailure) {
        try CurlFailure.check(unsafe login_kiosk_curl_set_offset(pointer, option, curl_off_t(value)))
    }

    /// curl copies the text.
    func set(_ option: CURLoption, _ text: String?) throws(CurlFailure) {
        guard let text else { return try CurlFailure.check(unsafe login_kiosk_curl_set_string(pointer, option, nil)) }
        try CurlFailure.check(unsafe login_kiosk_curl_set_string(pointer, option, text))
    }

    /// Sets an option to a pointer. The memory that `value` points at must live as long as this handle.
    @unsafe func set(_ option: CURLoption, unowned value: UnsafeMutableRawPointer?) throws(CurlFailure) {
        try CurlFailure.check(unsafe login_kiosk_curl_set_pointer(pointer, option, value))
    }

    func set(_ option: CURLoption, _ callback: login_kiosk_curl_data_callback) throws(CurlFailure) {
        try CurlFailure.check(unsafe login_kiosk_curl_set_data_callback(pointer, option, callback))
    }

    func setOpenSocket(_ callback: login_kiosk_curl_open_socket_callback) throws(CurlFailure) {
        try CurlFailure.check(unsafe login_kiosk_curl_set_open_socket_callback(pointer, callback))
    }

    func setBeforeRequest(_ callback: login_kiosk_curl_before_request_callback) throws(CurlFailure) {
        try CurlFailure.check(unsafe login_kiosk_curl_set_before_request_callback(pointer, callback))
    }

    /// - Parameter lines: header lines in curl's spelling, sent in this order.
    mutating func setHeaders(_ lines: [String]) throws(CurlFailure) {
        for line in lines {
            // Safe: curl copies the line; the list is freed in `deinit`, after the handle that points at it.
            guard let longer = unsafe curl_slist_append(headers, line) else { throw CurlFailure(CURLE_OUT_OF_MEMORY) }
            unsafe headers = unsafe longer
        }
        try CurlFailure.check(unsafe login_kiosk_curl_set_list(pointer, CURLOPT_HTTPHEADER, headers))
    }

    var status: Int {
        var status = 0
        unsafe login_kiosk_curl_get_long(pointer, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// The TLS library's result for the server's certificate: a number of openssl-verify(1).
    var certificateResult: Int {
        var result = 0
        // Safe: one number of our own is written to.
        unsafe login_kiosk_curl_get_long(pointer, CURLINFO_SSL_VERIFYRESULT, &result)
        return result
    }

    /// The server's own certificate in PEM, where curl is set to keep certificates; nil before it was checked.
    var serverCertificate: String? {
        var chain: UnsafeMutablePointer<curl_certinfo>?
        // Safe: curl's list lives until the handle's next transfer. The first certificate is the server's own.
        guard unsafe login_kiosk_curl_get_certificates(pointer, &chain) == CURLE_OK, let chain = unsafe chain,
            unsafe chain.pointee.num_of_certs > 0
        else { return nil }
        var line = unsafe chain.pointee.certinfo[0]
        while let current = unsafe line {
            let text = unsafe String(cString: current.pointee.data)
            if text.hasPrefix("Cert:") { return String(text.dropFirst("Cert:".count)) }
            unsafe line = unsafe current.pointee.next
        }
        return nil
    }

    /// The headers of the final reply; interim replies and trailers are left out.
    var replyHeaders: [HTTPHeader] {
        var found: [HTTPHeader] = []
        var last: UnsafeMutablePointer<curl_header>?
        while let header = unsafe curl_easy_nextheader(pointer, UInt32(CURLH_HEADER), -1, last) {
            // Safe: curl keeps name and value until the next header is asked for.
            unsafe found.append(HTTPHeader(String(cString: header.pointee.name), String(cString: header.pointee.value)))
            unsafe last = unsafe header
        }
        return found
    }
}
