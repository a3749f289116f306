// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Hands mails to an SMTP server, by libcurl. `send` blocks for up to half a minute.
struct MailServer: Sendable {
    private static let deadline = 30

    /// `smtp://host:port` or `smtps://host:port`.
    let url: String
    let sender: String
    let userName: String?
    let password: SecretBytes?

    /// - Returns: nil, or libcurl's reason, which names neither sender nor recipient.
    func send(_ message: MailMessage) -> String? {
        guard let curl = unsafe curl_easy_init() else { return "libcurl cannot be initialised" }
        defer { unsafe curl_easy_cleanup(curl) }
        // libcurl copies the list's strings; the list itself has to live until the transfer is over.
        let recipients = unsafe curl_slist_append(nil, "<" + message.mail.recipient + ">")
        defer { unsafe curl_slist_free_all(recipients) }
        // libcurl copies strings when they are set.
        unsafe login_kiosk_curl_set_string(curl, CURLOPT_URL, url)
        unsafe login_kiosk_curl_set_string(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        unsafe login_kiosk_curl_set_string(curl, CURLOPT_MAIL_FROM, "<" + sender + ">")
        unsafe login_kiosk_curl_set_list(curl, CURLOPT_MAIL_RCPT, recipients)
        unsafe login_kiosk_curl_set_long(curl, CURLOPT_UPLOAD, 1)
        unsafe login_kiosk_curl_set_long(curl, CURLOPT_NOSIGNAL, 1)
        unsafe login_kiosk_curl_set_long(curl, CURLOPT_TIMEOUT, Self.deadline)
        // A password never travels in the clear; without one TLS is used where the server offers it.
        let tls = userName == nil ? login_kiosk_curl_tls_if_offered : login_kiosk_curl_tls_only
        unsafe login_kiosk_curl_set_long(curl, CURLOPT_USE_SSL, tls)
        if let userName { unsafe login_kiosk_curl_set_string(curl, CURLOPT_USERNAME, userName) }
        password?.withBytes { password in
            var terminated = password.map { CChar(bitPattern: $0) } + [0]
            unsafe login_kiosk_curl_set_string(curl, CURLOPT_PASSWORD, &terminated)
            _ = unsafe terminated.withUnsafeMutableBytes { bytes in
                // The copy is wiped within its own bounds.
                unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
            }
        }
        let upload = MailUpload(message.bytes)
        unsafe login_kiosk_curl_set_data_callback(curl, CURLOPT_READFUNCTION) { target, size, count, context in
            guard let target = unsafe target, let context = unsafe context else { return 0 }
            // The context is the upload that outlives the transfer; the target holds size * count bytes.
            let upload = unsafe Unmanaged<MailUpload>.fromOpaque(context).takeUnretainedValue()
            return unsafe upload.read(into: UnsafeMutableRawBufferPointer(start: target, count: size * count))
        }
        unsafe login_kiosk_curl_set_pointer(curl, CURLOPT_READDATA, Unmanaged.passUnretained(upload).toOpaque())
        let result = withExtendedLifetime(upload) { unsafe curl_easy_perform(curl) }
        return result == CURLE_OK ? nil : unsafe String(cString: curl_easy_strerror(result))
    }
}

/// The bytes of one mail on their way into libcurl.
final class MailUpload {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Copies as much as fits; 0 at the end.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, bytes.count - position)
        // `count` fits into the target and into what is left.
        unsafe target.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
    }
}
