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
    private let ahead: ConnectionsAhead
    private let isAlone: Bool
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
    /// The one of them that was opened ahead, until curl has heard of it.
    private var openedAhead: Int32?
    /// Of this end of the connection, once the request may have been sent on it.
    private var port: Int?
    /// Whether the connection of the request that this one announces is yet to be opened.
    private var isNextToOpen = false
    /// What was opened for the request that this one announces.
    private var openedForNext: Int32?
    /// Whether it was not sent, because something waited on the kept connection that it took, or because that one was
    /// opened for other keys, or last carried what this one may not follow.
    private(set) var needsOwnConnection = false
    private var hasCheckedCertificate = false

    /// The header of a reply, in bytes, status lines included; real ones are below 2 KiB.
    private static let maximumHeaderLength = 32 * 1024

    /// - Parameter alone: whether it gets a connection of its own, opened for it and closed behind it.
    init(
        _ submission: Submission, _ configuration: CurlHTTPTransport.Configuration, _ sockets: ConnectionSockets,
        _ ahead: ConnectionsAhead, alone: Bool
    ) throws(CurlFailure) {
        self.submission = submission
        self.sockets = sockets
        self.ahead = ahead
        isAlone = alone
        policy = configuration.addressPolicy
        easy = try EasyHandle()
        try easy.restrict(configuration)
        try easy.describe(submission.request, userAgent: configuration.userAgent, alone: alone)
        if submission.isForCertificate { try easy.set(CURLOPT_CERTINFO, 1) }
        try easy.report(to: self)
    }

    func fail(_ code: HTTPTransportError.Code, _ cause: String) {
        giveUpNext()
        leaveConnection(afterSuccess: false)
        submission.fail(code, requestMayHaveBeenSent: requestMayHaveBeenSent, cause)
    }

    /// Answers the caller; curl is done.
    func end(_ code: CURLcode) {
        if hasCheckedCertificate { return endWithCertificate() }
        // curl was not let open another connection for a request that had been sent on a kept one.
        let wasNotRepeated = code == CURLE_COULDNT_CONNECT && requestMayHaveBeenSent
        if !submission.request.isRepeatable, code == CURLE_GOT_NOTHING || wasNotRepeated {
            return fail(
                .transferFailed, "the connection closed instead of a reply, and this request is not repeated")
        }
        if let refused, code == CURLE_COULDNT_CONNECT {
            return fail(
                .addressRefused, "it resolves to \(refused), an address (\(refused.addressClass)) that is not allowed")
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
        let isSuccess = (200...299).contains(easy.status)
        if !isSuccess { giveUpNext() }
        leaveConnection(afterSuccess: isSuccess)
        submission.continuation.resume(
            returning: .success(HTTPResponse(status: easy.status, headers: headers, body: body.finish())))
    }

    /// Opens the connection of the request that this one announces, once. It is called when this one has been handed to
    /// the kernel: a server with one thread is to read it before it accepts another connection.
    func openNext() {
        guard isNextToOpen, let port else { return }
        isNextToOpen = false
        openedForNext = sockets.socket(port: port).flatMap { ahead.open(like: $0) }
    }

    /// What is not kept is forgotten: curl has closed it.
    private func leaveConnection(afterSuccess isSuccess: Bool) {
        guard let port else { return }
        if isSuccess, !isAlone {
            sockets.end(submission.request, port: port)
        } else {
            sockets.forget(port: port)
        }
    }

    /// After a refusal nothing follows.
    private func giveUpNext() {
        isNextToOpen = false
        if let openedForNext { ahead.giveUp(openedForNext) }
        openedForNext = nil
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
        guard !submission.isForCertificate else {
            hasCheckedCertificate = true
            return false
        }
        guard !opened.isEmpty || sockets.isUsable(port: port, for: submission.request) else {
            needsOwnConnection = true
            return false
        }
        sockets.begin(submission.request, port: port, opened: opened)
        self.port = port
        isNextToOpen = submission.request.announcesNext
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

    /// A connection that was opened ahead, for a request that counts once: its own has carried nothing either.
    @unsafe func takeAhead(_ address: UnsafeRawPointer, length: Int, family: Int32) -> Int32? {
        guard !submission.request.isRepeatable, !submission.isForCertificate,
            let socket = unsafe ahead.take(address, length: length, family: family)
        else { return nil }
        openedAhead = socket
        hasOpened(socket)
        return socket
    }

    /// Whether a socket that curl was just given is one of those. It is asked once: when curl has closed that one,
    /// another socket may get its number, and is not connected.
    func wasOpenedAhead(_ socket: Int32) -> Bool {
        defer { openedAhead = nil }
        return socket == openedAhead
    }
}
