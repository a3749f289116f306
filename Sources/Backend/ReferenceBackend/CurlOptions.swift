// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Sets options of one of libcurl's handles.
@safe struct CurlOptions {
    private let handle: UnsafeMutableRawPointer
    /// Whether libcurl accepted all options. A refused option may be a protection.
    private(set) var isSound = true

    /// - Parameter handle: outlives this value.
    init(of handle: UnsafeMutableRawPointer) { unsafe self.handle = unsafe handle }

    mutating func set(_ option: CURLoption, _ value: Int) {
        note(unsafe login_kiosk_curl_set_long(handle, option, value))
    }

    /// libcurl copies the text.
    mutating func set(_ option: CURLoption, _ text: String?) {
        note(unsafe login_kiosk_curl_set_string(handle, option, text))
    }

    /// libcurl copies the text, which ends with a zero.
    @unsafe mutating func set(_ option: CURLoption, terminated text: UnsafePointer<CChar>) {
        note(unsafe login_kiosk_curl_set_string(handle, option, text))
    }

    /// The list must outlive the transfer, although libcurl copied its texts when it was made.
    @unsafe mutating func set(_ option: CURLoption, list: UnsafeMutablePointer<curl_slist>?) {
        note(unsafe login_kiosk_curl_set_list(handle, option, list))
    }

    mutating func set(_ option: CURLoption, callback: login_kiosk_curl_data_callback) {
        note(unsafe login_kiosk_curl_set_data_callback(handle, option, callback))
    }

    mutating func setProgress(_ callback: curl_xferinfo_callback) {
        note(unsafe login_kiosk_curl_set_progress_callback(handle, callback))
    }

    /// The argument of a callback, which must outlive the transfer.
    @unsafe mutating func set(_ option: CURLoption, context: some AnyObject) {
        note(unsafe login_kiosk_curl_set_pointer(handle, option, Unmanaged.passUnretained(context).toOpaque()))
    }

    /// Ignores what the environment or a home directory could add, and leaves the process's signals alone.
    mutating func isolate() {
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, "*")
        set(CURLOPT_NETRC, login_kiosk_curl_netrc_ignored)
        set(CURLOPT_NOSIGNAL, 1)
    }

    /// - Parameters:
    ///   - file: PEM file of the authorities to trust; nil for the system's.
    ///   - verifies: whether the server needs a certificate of theirs that has its name.
    mutating func trust(_ file: String?, verifies: Bool = true) {
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_SSL_VERIFYPEER, verifies ? 1 : 0)
        set(CURLOPT_SSL_VERIFYHOST, verifies ? 2 : 0)
        guard let file else { return }
        set(CURLOPT_CAINFO, file)
        // Otherwise libcurl also trusts the system's directory of authorities.
        set(CURLOPT_CAPATH, nil)
    }

    private mutating func note(_ code: CURLcode) { isSound = code == CURLE_OK && isSound }
}
