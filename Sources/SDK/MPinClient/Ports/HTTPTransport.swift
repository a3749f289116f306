// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// The SDK's way to the network: one request, one reply.
///
/// An implementation follows no redirect, keeps no cookie, caps the reply at ``HTTPRequest/maximumReplyLength``, and
/// answers within the request's deadline, also when the peer stalls. It does not check hosts: the SDK asks its trust
/// policy before it makes a request. Other callers that use a transport for hosts of the same policy send with
/// ``send(_:trusting:)``.
public protocol HTTPTransport: Sendable {
    /// Sends a request once, and waits for the reply.
    ///
    /// - Returns: the reply, with any status.
    /// - Throws: ``HTTPTransportError`` when there was no complete reply. Cancelling the calling task ends the request.
    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse

    /// Stops using open connections to a server, because one of its replies did not belong to its request. Data still
    /// on the way must not be taken for an answer, so later requests use new connections.
    func distrustConnections(to origin: Origin)

    /// Whether the transport sends a request with pins only to a server that has one of these keys, on a connection
    /// opened for the same keys. If it does not, such requests are not made.
    var checksPins: Bool { get }
}

extension HTTPTransport {
    /// Does nothing, for a transport without connections.
    public func distrustConnections(to _: Origin) {}

    /// False, for a transport that cannot check keys.
    public var checksPins: Bool { false }

    /// Sends a request to a host that was checked, with the pins that the policy has for it.
    ///
    /// - Parameters:
    ///   - request: its ``HTTPRequest/pins`` are replaced.
    ///   - policy: the policy that has checked the host; nil has no pins.
    /// - Returns: the reply, with any status.
    /// - Throws: ``HTTPTransportError/Code/serverKeyRefused`` also when this transport cannot check keys.
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
    /// The HTTP status, 100 to 599.
    public var status: Int
    /// The headers as received; names are compared without regard to case.
    public var headers: [HTTPHeader]
    /// Wiped after use: it may carry a secret share or a one-time token.
    public var body: SecretBytes

    /// Makes a reply, as a transport received it.
    ///
    /// - Parameters:
    ///   - status: 100 to 599.
    ///   - headers: as received; by default none.
    ///   - body: at most ``HTTPRequest/maximumReplyLength`` bytes, empty when there is no body.
    public init(status: Int, headers: [HTTPHeader] = [], body: SecretBytes) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The reason why there was no reply.
public struct HTTPTransportError: Error, Sendable {
    /// The kinds of failure. They are the same for every transport.
    public enum Code: String, Sendable {
        /// The host's name was not resolved.
        case nameNotResolved
        /// No connection was made.
        case connectionFailed
        /// The transport connects to none of the host's addresses.
        case addressRefused
        /// TLS failed, for example because the certificate is not accepted.
        case tlsFailed
        /// The deadline passed.
        case timedOut
        /// The reply is longer than ``HTTPRequest/maximumReplyLength``.
        case replyTooLong
        /// The calling task was cancelled.
        case cancelled
        /// There was no complete reply for any other reason.
        case transferFailed
        /// The certificate is valid, but its key matches none of the request's pins. Nothing was sent.
        case serverKeyRefused
    }

    /// The kind of failure.
    public var code: Code
    /// Whether the request may have reached the peer, which may have carried it out.
    public var requestMayHaveBeenSent: Bool
    /// Text for the log. It names host and cause, never a query or a body.
    public var detail: String

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - requestMayHaveBeenSent: whether the peer may have carried the request out. Pass true if unsure.
    ///   - detail: host and cause for the log, never a query or a body.
    public init(_ code: Code, requestMayHaveBeenSent: Bool, detail: String) {
        self.code = code
        self.requestMayHaveBeenSent = requestMayHaveBeenSent
        self.detail = detail
    }
}
