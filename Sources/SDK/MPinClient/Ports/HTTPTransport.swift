// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// The SDK's way to the network: one request, one reply.
///
/// An implementation follows no redirect, keeps no cookie, caps the reply at ``HTTPRequest/maximumReplyLength``, and
/// answers within the request's deadline whatever the peer does. It does not judge hosts: the SDK asks its trust policy
/// before it makes a request. A caller that uses a transport beside the SDK, for hosts of the same policy,
/// sends by ``send(_:trusting:)``.
public protocol HTTPTransport: Sendable {
    /// - Returns: the reply, whatever its status is.
    /// - Throws: when there was no complete reply. Cancelling the calling task ends the request.
    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse

    /// A reply was not one to its request: whatever else is on the way on the server's connections is not to be taken
    /// for an answer. Later requests to it do not use a connection that is open now.
    func distrustConnections(to origin: Origin)

    /// Whether a request with pins is sent to a server that has one of these keys and to no other, on a connection that
    /// was opened for the same keys. Where it is not, such requests are not made.
    var checksPins: Bool { get }
}

extension HTTPTransport {
    /// Does nothing, for a transport without connections.
    public func distrustConnections(to _: Origin) {}

    /// False, for a transport that knows nothing of keys.
    public var checksPins: Bool { false }

    /// Sends a request to a host that was judged, with the keys that the policy has for it.
    ///
    /// - Throws: ``HTTPTransportError/Code/serverKeyRefused`` also when this transport cannot look at keys.
    public func send(
        _ request: HTTPRequest, trusting policy: TrustPolicy?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        var request = request
        request.pins = policy?.pins(for: request.url.origin) ?? []
        guard request.pins.isEmpty || checksPins else {
            throw HTTPTransportError(
                .serverKeyRefused, requestMayHaveBeenSent: false,
                detail: "\(request.url.origin): the host has pins, and this transport looks at no keys")
        }
        return try await send(request)
    }
}

/// One reply.
public struct HTTPResponse: Sendable {
    public var status: Int
    /// As received; names compare without case.
    public var headers: [HTTPHeader]
    /// Wiped after use: it may carry a secret share or a one-time token.
    public var body: SecretBytes

    public init(status: Int, headers: [HTTPHeader] = [], body: SecretBytes) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why there was no reply.
public struct HTTPTransportError: Error, Sendable {
    public enum Code: String, Sendable {
        case nameNotResolved, connectionFailed, addressRefused, tlsFailed, timedOut, replyTooLong, cancelled,
            transferFailed
        /// The certificate is valid, and its key is none of the request's pins. Nothing was sent.
        case serverKeyRefused
    }

    public var code: Code
    /// Whether the request may have reached the peer: what it asked for may have been done.
    public var requestMayHaveBeenSent: Bool
    /// For the log; names host and cause, never a path's query or a body.
    public var detail: String

    public init(_ code: Code, requestMayHaveBeenSent: Bool, detail: String) {
        self.code = code
        self.requestMayHaveBeenSent = requestMayHaveBeenSent
        self.detail = detail
    }
}
