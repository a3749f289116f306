// SPDX-License-Identifier: Apache-2.0

import CCurl
import Encoding
import MPinServer
import Synchronization

/// Sends mails to an SMTP server through libcurl. `send` blocks for up to half a minute.
struct MailServer: Sendable {
    private static let deadline = 30

    /// `smtp://host:port` or `smtps://host:port`.
    let url: String
    let sender: String
    let userName: String?
    let password: SecretBytes?
    /// Whether mails need TLS with a trusted certificate.
    let requiresTLS: Bool
    /// PEM file of the authorities to trust; nil for the system's.
    let certificatesFile: String?

    /// Whether the certificate must be valid. A password is never sent in the clear, and `smtps` promises the named
    /// server. Other mails go to a server with any certificate, or without TLS, rather than not at all (RFC 7435).
    private var verifies: Bool { requiresTLS || userName != nil || url.lowercased().hasPrefix("smtps:") }

    /// - Returns: nil if the server accepted the mail. The reason names neither sender nor recipient, and contains no
    ///   link.
    func send(_ message: MailMessage, until stop: MailStop = MailStop()) -> MailFailure? {
        guard let curl = unsafe curl_easy_init() else { return MailFailure(reason: "libcurl cannot be initialised") }
        defer { unsafe curl_easy_cleanup(curl) }
        // libcurl copies the list's strings, but not the list itself, which must outlive the transfer.
        let recipients = unsafe curl_slist_append(nil, "<" + message.mail.recipient + ">")
        defer { unsafe curl_slist_free_all(recipients) }
        var isSet = true
        func set(_ option: CURLoption, _ value: Int) {
            isSet = unsafe login_kiosk_curl_set_long(curl, option, value) == CURLE_OK && isSet
        }
        // libcurl copies strings when they are set.
        func set(_ option: CURLoption, _ value: String?) {
            isSet = unsafe login_kiosk_curl_set_string(curl, option, value) == CURLE_OK && isSet
        }
        set(CURLOPT_URL, url)
        set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // Ignore what the environment or a home directory could add.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, "*")
        set(CURLOPT_NETRC, login_kiosk_curl_netrc_ignored)
        set(CURLOPT_MAIL_FROM, "<" + sender + ">")
        isSet = unsafe login_kiosk_curl_set_list(curl, CURLOPT_MAIL_RCPT, recipients) == CURLE_OK && isSet
        set(CURLOPT_UPLOAD, 1)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TIMEOUT, Self.deadline)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_USE_SSL, verifies ? login_kiosk_curl_tls_only : login_kiosk_curl_tls_if_offered)
        set(CURLOPT_SSL_VERIFYPEER, verifies ? 1 : 0)
        set(CURLOPT_SSL_VERIFYHOST, verifies ? 2 : 0)
        if let certificatesFile {
            set(CURLOPT_CAINFO, certificatesFile)
            // Otherwise libcurl also trusts the system's directory of authorities.
            set(CURLOPT_CAPATH, nil)
        }
        if let userName { set(CURLOPT_USERNAME, userName) }
        password?.withBytes { password in
            var terminated = password.indices.map { CChar(bitPattern: password[$0]) } + [0]
            isSet = unsafe login_kiosk_curl_set_string(curl, CURLOPT_PASSWORD, &terminated) == CURLE_OK && isSet
            _ = unsafe terminated.withUnsafeMutableBytes { bytes in
                // The copy is wiped within its own bounds.
                unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
            }
        }
        let transfer = MailTransfer(message.bytes)
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        isSet =
            unsafe login_kiosk_curl_set_data_callback(curl, CURLOPT_READFUNCTION) { target, size, count, context in
                guard let target = unsafe target, let context = unsafe context else { return 0 }
                // The context is the transfer's state, which outlives it; the target holds size * count bytes.
                let transfer = unsafe Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue()
                return unsafe transfer.read(into: UnsafeMutableRawBufferPointer(start: target, count: size * count))
            } == CURLE_OK && isSet
        isSet = unsafe login_kiosk_curl_set_pointer(curl, CURLOPT_READDATA, context) == CURLE_OK && isSet
        // libcurl treats lines of the server's replies as headers.
        isSet =
            unsafe login_kiosk_curl_set_data_callback(curl, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
                // The context is the transfer's state, which outlives it; there are size * count bytes.
                let transfer = unsafe Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue()
                unsafe transfer.replies.add(UnsafeRawBufferPointer(start: bytes, count: size * count))
                return size * count
            } == CURLE_OK && isSet
        isSet = unsafe login_kiosk_curl_set_pointer(curl, CURLOPT_HEADERDATA, context) == CURLE_OK && isSet
        // libcurl asks at least once a second.
        set(CURLOPT_NOPROGRESS, 0)
        isSet =
            unsafe login_kiosk_curl_set_progress_callback(curl) { context, _, _, _, _ in
                // The context is the stop, which outlives the transfer.
                guard let context = unsafe context else { return 0 }
                let stop = unsafe Unmanaged<MailStop>.fromOpaque(context).takeUnretainedValue()
                return stop.isWanted.load(ordering: .relaxed) ? 1 : 0
            } == CURLE_OK && isSet
        isSet =
            unsafe login_kiosk_curl_set_pointer(
                curl, CURLOPT_XFERINFODATA, Unmanaged.passUnretained(stop).toOpaque()) == CURLE_OK && isSet
        guard isSet else { return MailFailure(reason: "libcurl does not know an option") }
        let result = withExtendedLifetime((transfer, stop)) { unsafe curl_easy_perform(curl) }
        guard result != CURLE_OK else { return nil }
        return transfer.replies.refusal ?? MailFailure(reason: unsafe String(cString: curl_easy_strerror(result)))
    }
}

/// Ends transfers of mails, whatever the server does.
final class MailStop: Sendable {
    let isWanted = Atomic(false)
}

/// One mail in a transfer, and the server's replies.
private final class MailTransfer {
    private let bytes: [UInt8]
    private var position = 0
    var replies = MailReplies()

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Copies as many bytes as fit; 0 at the end.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, bytes.count - position)
        // `count` fits into the target and into what is left.
        unsafe target.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
    }
}
