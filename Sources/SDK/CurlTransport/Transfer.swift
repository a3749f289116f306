// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc
import LoginValues
import MPinClient

/// One request on its way: curl's handle for it, and what curl's callbacks learn. Confined to the thread.
final class Transfer {
    let submission: Submission
    private(set) var easy: EasyHandle
    private let policy: AddressPolicy
    private let sockets: ConnectionSockets
    private var body = ReplyBuffer()
    private var headerLength = 0
    private var hasWholeHeader = false
    private var isTooLong = false
    /// The last address that the policy refused.
    private var refused: PeerAddress?
    /// Whether curl was about to send the request.
    private var requestMayHaveBeenSent = false
    /// The sockets that were opened for this request; none where it took a kept connection.
    private var opened: [Int32] = []
    /// Whether it was not sent, because something waited on the kept connection that it took, or because that one was
    /// opened for other keys.
    private(set) var needsOwnConnection = false
    private var hasCheckedCertificate = false
    /// Whether the server's certificate was believed for its subject's name alone.
    private var isCertificateNameless = false

    /// The header of a reply, in bytes, status lines included; real ones are below 2 KiB.
    private static let maximumHeaderLength = 32 * 1024

    /// - Parameter alone: whether it gets a connection of its own, opened for it and closed behind it.
    init(
        _ submission: Submission, _ configuration: CurlHTTPTransport.Configuration, _ sockets: ConnectionSockets,
        alone: Bool
    ) throws(CurlFailure) {
        self.submission = submission
        self.sockets = sockets
        policy = configuration.addressPolicy
        easy = try EasyHandle()
        try easy.restrict(configuration)
        try easy.describe(submission.request, userAgent: configuration.userAgent, alone: alone)
        if submission.request.url.origin.scheme == .https { try easy.set(CURLOPT_CERTINFO, 1) }
        try easy.report(to: self)
    }

    func fail(_ code: HTTPTransportError.Code, _ cause: String) {
        submission.fail(code, requestMayHaveBeenSent: requestMayHaveBeenSent, cause)
    }

    /// Answers the caller; curl is done.
    func end(_ code: CURLcode) {
        if hasCheckedCertificate { return endWithCertificate() }
        if isCertificateNameless {
            return fail(
                .tlsFailed, "the server's certificate lists no names (subjectAltName), and its subject's does not count"
            )
        }
        if code == CURLE_GOT_NOTHING, !submission.request.isRepeatable {
            return fail(
                .transferFailed, "the connection closed instead of a reply, and this request is not repeated")
        }
        if let refused, code == CURLE_COULDNT_CONNECT {
            return fail(
                .addressRefused,
                "it resolves to \(refused), an address (\(refused.addressClass)) that is not allowed: a kiosk's setting "
                    + "network.allowed-addresses (trust add --address) and AddressPolicy name networks that are")
        }
        if isTooLong || code == CURLE_FILESIZE_EXCEEDED {
            return fail(.replyTooLong, "the reply is longer than \(HTTPRequest.maximumReplyLength) bytes")
        }
        guard code == CURLE_OK else {
            return fail(
                CurlFailure(code).transportCode(requestMayHaveBeenSent: requestMayHaveBeenSent), cause(of: code))
        }
        // To curl a connection that closes within the header is a reply without a body.
        guard hasWholeHeader else { return fail(.transferFailed, "the connection closed within the reply's header") }
        let headers = easy.replyHeaders
        // RFC 9112, section 6.3: two servers on the way may each have believed another one.
        guard Set(headers.filter { $0.name.lowercased() == "content-length" }.map(\.value)).count <= 1 else {
            return fail(.transferFailed, "the reply names two lengths")
        }
        submission.continuation.resume(
            returning: .success(HTTPResponse(status: easy.status, headers: headers, body: body.finish())))
    }

    private func endWithCertificate() {
        guard let certificate = easy.serverCertificate else { return fail(.tlsFailed, "curl kept no certificate") }
        submission.continuation.resume(
            returning: .success(HTTPResponse(status: 0, body: SecretBytes(copying: certificate.utf8))))
    }

    /// Before the request was sent curl's text can quote names and certificates only; afterwards it could quote the
    /// reply, and only the code's own text is taken.
    private func cause(of code: CURLcode) -> String {
        if code == CURLE_SSL_PINNEDPUBKEYNOTMATCH {
            let count = submission.request.pins.count
            return "the server's certificate is valid, and its key is "
                + (count == 1 ? "not the pinned one" : "none of the \(count) pinned ones")
        }
        let general = CurlFailure(code).description
        let detail = requestMayHaveBeenSent ? "" : easy.errorText.filter { $0.isASCII && $0 >= " " }
        return detail.isEmpty ? general : "\(general): \(detail)"
    }

    // MARK: What curl reports. Each answers whether to go on.

    func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        isTooLong = unsafe !body.append(bytes)
        return !isTooLong
    }

    func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
        headerLength += line.count
        isTooLong = headerLength > Transfer.maximumHeaderLength
        // An empty line ends a header; those of interim replies (1xx) do not count.
        if unsafe line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n"), easy.status >= 200 {
            hasWholeHeader = true
            // A refusal may end an identity: a copy of it must not find another request on this connection.
            if !(200...299).contains(easy.status), (try? easy.set(CURLOPT_FORBID_REUSE, 1)) == nil { return false }
        }
        return !isTooLong
    }

    /// - Parameter port: of this end of the connection.
    func beginSending(port: Int) -> Bool {
        guard mayTurnToConnection() else { return false }
        // A kept connection was judged when it was opened, and so was a session of TLS that is taken up again, of which curl
        // keeps no certificate.
        if !opened.isEmpty, let certificate = easy.serverCertificate, !ServerCertificate.listsNames(certificate) {
            isCertificateNameless = true
            return false
        }
        guard !submission.isForCertificate else {
            hasCheckedCertificate = true
            return false
        }
        let pins = submission.request.pins
        sockets.remember(opened, port: port, pins: pins)
        guard !opened.isEmpty || sockets.isUsable(port: port, pins: pins) else {
            needsOwnConnection = true
            return false
        }
        requestMayHaveBeenSent = true
        return true
    }

    /// curl sends a request again when the kept connection that it took turns out to be closed, five times at most. It
    /// asks here before it opens another connection and before it sends. A request that counts once takes no kept one.
    private func mayTurnToConnection() -> Bool { !requestMayHaveBeenSent || submission.request.isRepeatable }

    /// - Returns: whether a socket may be opened to the address.
    func permits(_ address: PeerAddress) -> Bool {
        guard mayTurnToConnection() else { return false }
        guard policy.allows(address, for: submission.request.url.origin) else {
            refused = address
            return false
        }
        return true
    }

    func hasOpened(_ socket: Int32) { opened.append(socket) }
}
