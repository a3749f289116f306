// SPDX-License-Identifier: Apache-2.0

import CCurl
import CSSL
import Glibc
import LoginValues
import MPinClient

/// One request on its way: curl's handle for it, and what curl's callbacks learn. Confined to the thread.
final class Transfer {
    let submission: Submission
    private(set) var easy: EasyHandle
    private let policy: AddressPolicy
    private let sockets: ConnectionSockets
    /// Whether it has a connection of its own, opened for it and closed after it, with either version of HTTP.
    private let isAlone: Bool
    private var body = ReplyBuffer()
    private var headerLength = 0
    private var hasWholeHeader = false
    private var ending: Ending?
    /// The last address that the policy refused.
    private var refused: PeerAddress?
    /// Whether the connection matches replies to requests by a number.
    private var speaksHTTP2 = false
    /// Whether curl was about to send the request.
    private var requestMayHaveBeenSent = false
    /// The sockets that were opened for this request; none where it took a kept connection.
    private var opened: [Int32] = []

    /// The reason why a transfer was stopped.
    private enum Ending {
        /// The server's certificate was checked, and it was all that is wanted.
        case certificateChecked
        /// The server's certificate was believed for its subject's name alone.
        case certificateNameless
        /// curl was about to send the request a second time, which it must not.
        case repetition
        /// It was not sent, because the kept connection that it took is not for it.
        case unusableConnection
        case replyTooLong
    }

    /// Whether the request is sent on a connection of its own: it was not sent yet, or it may be repeated, and the
    /// kept connection that it took has failed within the reply or before it.
    func needsOwnConnection(after code: CURLcode) -> Bool {
        switch code {
        case _ where ending == .unusableConnection: true
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE:
            ending == nil && !isAlone && opened.isEmpty && submission.request.isRepeatable
        default: false
        }
    }

    /// The longest header of a reply in bytes, status lines included; real ones are below 2 KiB.
    private static let maximumHeaderLength = 32 * 1024
    /// A connection that was idle for more seconds is replaced, because it may be dead.
    private static let maximumAge = 30
    /// The same for a request that must not be repeated: it would be lost on a connection that the server is closing.
    static let maximumAgeCountingOnce = 4

    /// - Parameter alone: whether it gets a connection of its own, with either version of HTTP.
    init(
        _ submission: Submission, _ configuration: CurlHTTPTransport.Configuration, _ sockets: ConnectionSockets,
        alone: Bool
    ) throws(CurlFailure) {
        self.submission = submission
        self.sockets = sockets
        isAlone = alone
        policy = configuration.addressPolicy
        easy = try EasyHandle()
        try easy.restrict(configuration)
        let request = submission.request
        try easy.describe(request, userAgent: configuration.userAgent)
        // A request that must not be repeated has its connection to itself, unless that speaks HTTP/2.
        let joins = !alone && !request.isRepeatable && sockets.haveHTTP2(for: request)
        try easy.choose(
            isFresh: alone || !request.isRepeatable && !joins,
            maximumAge: joins ? Self.maximumAgeCountingOnce : Self.maximumAge)
        if request.url.origin.scheme == .https { try easy.set(CURLOPT_CERTINFO, 1) }
        try easy.report(to: self)
    }

    func fail(_ code: HTTPTransportError.Code, _ cause: String) {
        submission.fail(code, requestMayHaveBeenSent: requestMayHaveBeenSent, cause)
    }

    /// Answers the caller; curl is done.
    func end(_ code: CURLcode) {
        switch ending ?? endingByCurl(code) {
        case .certificateChecked: endWithCertificate()
        case .certificateNameless:
            fail(
                .tlsFailed, "the server's certificate lists no names (subjectAltName), and its subject's is ignored"
            )
        case .repetition:
            fail(.transferFailed, "the connection closed instead of a reply, and this request is not repeated")
        case .replyTooLong:
            fail(.replyTooLong, "the reply is longer than \(HTTPRequest.maximumReplyLength) bytes")
        case .unusableConnection, nil:
            if code == CURLE_OK { endWithReply() } else { endWithFailure(code) }
        }
    }

    /// The ending for a code of curl that has its own; nil for other codes.
    private func endingByCurl(_ code: CURLcode) -> Ending? {
        switch code {
        case CURLE_GOT_NOTHING where !submission.request.isRepeatable: .repetition
        case CURLE_FILESIZE_EXCEEDED: .replyTooLong
        default: nil
        }
    }

    private func endWithFailure(_ code: CURLcode) {
        if let refused, code == CURLE_COULDNT_CONNECT {
            return fail(
                .addressRefused,
                "it resolves to \(refused), an address (\(refused.addressClass)) that is not allowed: a kiosk's setting "
                    + "network.allowed-addresses (trust add --address) and AddressPolicy name networks that are")
        }
        fail(CurlFailure(code).transportCode(requestMayHaveBeenSent: requestMayHaveBeenSent), cause(of: code))
    }

    private func endWithReply() {
        // To curl a connection that closes within the header is a reply without a body.
        guard hasWholeHeader else { return fail(.transferFailed, "the connection closed within the reply's header") }
        let headers = easy.replyHeaders
        // RFC 9112, section 6.3: two servers on the way may each have used a different length.
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

    /// Before the request was sent, curl's text can quote only names and certificates. Afterwards it could quote the
    /// reply, so only the code's own text is used.
    private func cause(of code: CURLcode) -> String {
        if code == CURLE_SSL_PINNEDPUBKEYNOTMATCH {
            let count = submission.request.pins.count
            return "the server's certificate is valid, and its key is "
                + (count == 1 ? "not the pinned one" : "none of the \(count) pinned ones")
        }
        let general = certificateFault(code) ?? CurlFailure(code).description
        let detail = requestMayHaveBeenSent ? "" : easy.errorText.filter { $0.isASCII && $0 >= " " }
        return detail.isEmpty ? general : "\(general): \(detail)"
    }

    /// The fault that the TLS library found in the server's certificate, in words for an operator; nil for others.
    private func certificateFault(_ code: CURLcode) -> String? {
        guard code == CURLE_PEER_FAILED_VERIFICATION else { return nil }
        let clock = "look at this machine's clock first"
        return switch Int32(easy.certificateResult) {
        case X509_V_ERR_CERT_NOT_YET_VALID:
            "the server's certificate is not valid yet, by this machine's clock; \(clock)"
        case X509_V_ERR_CERT_HAS_EXPIRED:
            "the server's certificate has expired, by this machine's clock; \(clock)"
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            "the server's certificate is from an authority that is not known here"
        // curl compares the name itself, after the library has found no fault.
        default: easy.errorText.contains("subject name") ? "the server's certificate is for another name" : nil
        }
    }

    // MARK: What curl reports. Each answers whether to go on.

    /// - Returns: false, which makes curl stop.
    private func stop(_ ending: Ending) -> Bool {
        self.ending = ending
        return false
    }

    func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe body.append(bytes) || stop(.replyTooLong)
    }

    func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
        headerLength += line.count
        guard headerLength <= Transfer.maximumHeaderLength else { return stop(.replyTooLong) }
        // An empty line ends a header; those of interim replies (1xx) are ignored.
        let isEmpty = unsafe line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        guard isEmpty, easy.status >= 200 else { return true }
        hasWholeHeader = true
        return !mayCarryAnother || (try? easy.keepConnection(true)) != nil
    }

    /// Whether the connection may carry another request behind this one. Without numbers only a success keeps it: a
    /// refusal may end an identity, and a copy of it must not find another request.
    private var mayCarryAnother: Bool {
        !isAlone && (speaksHTTP2 || submission.request.isRepeatable && (200...299).contains(easy.status))
    }

    /// - Parameter port: of this end of the connection.
    func beginSending(port: Int) -> Bool {
        guard mayTurnToConnection() else { return false }
        // A kept connection was checked when it was opened. So was a resumed TLS session, for which curl has no
        // certificate.
        if !opened.isEmpty, let pem = easy.serverCertificate,
            ServerCertificate(pem: Array(pem.utf8).span)?.listsNames != true
        {
            return stop(.certificateNameless)
        }
        guard !submission.isForCertificate else { return stop(.certificateChecked) }
        speaksHTTP2 = easy.speaksHTTP2
        sockets.remember(opened, port: port, for: submission.request, speaksHTTP2: speaksHTTP2)
        guard !opened.isEmpty || sockets.isUsable(port: port, for: submission.request) else {
            return stop(.unusableConnection)
        }
        requestMayHaveBeenSent = true
        return true
    }

    /// curl sends a request again, at most five times, if the kept connection turns out to be closed, or if an HTTP/2
    /// server reports that it did not begin the request. This is asked before curl opens another connection and before
    /// it sends. A request that must not be repeated is sent once, also if the server reports otherwise.
    private func mayTurnToConnection() -> Bool {
        !requestMayHaveBeenSent || submission.request.isRepeatable || stop(.repetition)
    }

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
