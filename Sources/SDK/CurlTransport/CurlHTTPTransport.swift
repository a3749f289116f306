// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
public import LoginValues
public import MPinClient

/// HTTP over TLS by libcurl, one request at a time per connection. Where the server chooses HTTP/2 one connection
/// carries one request after the other. With HTTP/1.1 it is kept for requests that may be repeated; any other request
/// has a connection of its own.
///
/// The transport never follows a redirect, keeps a cookie, asks a proxy or `.netrc`, answers a 401, decompresses a
/// body, sends a request twice or to a server without one of the request's keys, or opens a socket to an address that
/// its ``AddressPolicy`` refuses. See `docs/network.md`.
public final class CurlHTTPTransport: HTTPTransport {
    private let mailbox: Mailbox
    private let thread: SystemThread

    /// - Throws: when libcurl or the thread cannot be started, or the file of certificate authorities cannot be read.
    public init(_ configuration: Configuration = Configuration()) throws(CurlSetupError) {
        try configuration.check()
        try CurlLibrary.start()
        let mailbox = try Mailbox(MultiHandle())
        self.mailbox = mailbox
        do throws(SystemRefusal) {
            thread = try SystemThread { TransferLoop(configuration, mailbox)?.run() }
        } catch {
            throw CurlSetupError("libcurl did not start: \(error)")
        }
    }

    // The thread is joined after that.
    deinit { mailbox.stop() }

    public func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        try await send(request, isForCertificate: false)
    }

    public var checksPins: Bool { true }

    /// The pin of the key that the server at an origin has now. Its certificate is checked as for any request, and
    /// nothing is sent to it.
    ///
    /// - Parameters:
    ///   - origin: has to be https.
    ///   - deadline: time for name resolution, connection and handshake; by default 10 s.
    /// - Throws: ``HTTPTransportError/Code/tlsFailed`` also for http, and for a certificate that cannot be read.
    public func publicKey(
        of origin: Origin, deadline: Duration = .seconds(10)
    ) async throws(HTTPTransportError) -> PublicKeyPin {
        let failure = { (cause: String) in
            HTTPTransportError(.tlsFailed, requestMayHaveBeenSent: false, detail: "\(origin): \(cause)")
        }
        guard origin.scheme == .https, let url = try? WebAddress("\(origin)/") else {
            throw failure("over http a server shows no key")
        }
        let reply = try await send(HTTPRequest(.get, url, deadline: deadline), isForCertificate: true)
        guard let pin = reply.body.withBytes({ ServerCertificate(pem: $0)?.pin }) else {
            throw failure("its certificate cannot be read")
        }
        return pin
    }

    private func send(
        _ request: HTTPRequest, isForCertificate: Bool
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let deadline = ContinuousClock.now + request.deadline
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                mailbox.submit(
                    Submission(
                        request: request, deadline: deadline, cancellation: cancellation, continuation: continuation,
                        isForCertificate: isForCertificate))
            }
        } onCancel: {
            cancellation.cancel()
            mailbox.waker.raise()
        }
        return try result.get()
    }

    public func distrustConnections(to origin: Origin) { mailbox.distrust(origin) }

    /// Ends the thread. Requests on their way and later ones fail with `cancelled`; returns when no socket is open.
    public func shutdown() async {
        await withCheckedContinuation { mailbox.stop($0) }
    }
}
