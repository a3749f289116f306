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
        let transfer = MailTransfer(message.bytes)
        var options = unsafe CurlOptions(of: curl)
        options.isolate()
        setAddress(&options)
        unsafe options.set(CURLOPT_MAIL_RCPT, list: recipients)
        setSecurity(&options)
        setBody(transfer, &options)
        setStop(stop, &options)
        guard options.isSound else { return MailFailure(reason: "libcurl does not know an option") }
        let result = withExtendedLifetime((transfer, stop)) { unsafe curl_easy_perform(curl) }
        guard result != CURLE_OK else { return nil }
        return transfer.replies.refusal ?? MailFailure(reason: unsafe String(cString: curl_easy_strerror(result)))
    }

    private func setAddress(_ options: inout CurlOptions) {
        options.set(CURLOPT_URL, url)
        options.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        options.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        options.set(CURLOPT_MAIL_FROM, "<" + sender + ">")
        options.set(CURLOPT_UPLOAD, 1)
        options.set(CURLOPT_TIMEOUT, Self.deadline)
    }

    private func setSecurity(_ options: inout CurlOptions) {
        options.set(CURLOPT_USE_SSL, verifies ? login_kiosk_curl_tls_only : login_kiosk_curl_tls_if_offered)
        options.trust(certificatesFile, verifies: verifies)
        if let userName { options.set(CURLOPT_USERNAME, userName) }
        password?.withBytes { password in
            var terminated = [CChar](repeating: 0, count: password.count + 1)
            for index in password.indices { terminated[index] = CChar(bitPattern: password[index]) }
            unsafe options.set(CURLOPT_PASSWORD, terminated: &terminated)
            _ = unsafe terminated.withUnsafeMutableBytes { bytes in
                // The copy is wiped within its own bounds.
                unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
            }
        }
    }

    private func setBody(_ transfer: MailTransfer, _ options: inout CurlOptions) {
        unsafe options.set(CURLOPT_READDATA, context: transfer)
        unsafe options.set(CURLOPT_READFUNCTION) { target, size, count, context in
            guard let target = unsafe target, let context = unsafe context else { return 0 }
            // The context is the transfer's state, which outlives it; the target holds size * count bytes.
            let transfer = unsafe Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue()
            return unsafe transfer.read(into: UnsafeMutableRawBufferPointer(start: target, count: size * count))
        }
        // libcurl treats lines of the server's replies as headers.
        unsafe options.set(CURLOPT_HEADERDATA, context: transfer)
        unsafe options.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
            // The context is the transfer's state, which outlives it; there are size * count bytes.
            let transfer = unsafe Unmanaged<MailTransfer>.fromOpaque(context).takeUnretainedValue()
            unsafe transfer.replies.add(UnsafeRawBufferPointer(start: bytes, count: size * count))
            return size * count
        }
    }

    private func setStop(_ stop: MailStop, _ options: inout CurlOptions) {
        // libcurl asks at least once a second.
        options.set(CURLOPT_NOPROGRESS, 0)
        unsafe options.set(CURLOPT_XFERINFODATA, context: stop)
        unsafe options.setProgress { context, _, _, _, _ in
            // The context is the stop, which outlives the transfer.
            guard let context = unsafe context else { return 0 }
            let stop = unsafe Unmanaged<MailStop>.fromOpaque(context).takeUnretainedValue()
            return stop.isWanted.load(ordering: .relaxed) ? 1 : 0
        }
    }
}

/// Ends transfers of mails, also while the server stalls.
final class MailStop: Sendable {
    let isWanted = Atomic(false)
}

/// One mail in a transfer, and the server's replies.
private final class MailTransfer {
    private let bytes: [UInt8]
    private var position = 0
    var replies = MailReplies()

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Copies the bytes that fit, and returns their number; 0 at the end.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, bytes.count - position)
        // `count` fits into the target and into what is left.
        unsafe target.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
    }
}
