// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// The SDK's way to the network: one request, one reply.
///
/// An implementation follows no redirect, keeps no cookie, caps the reply at ``HTTPRequest/maximumReplyLength``, and
/// answers within the request's deadline whatever the peer does. It does not judge hosts: the SDK asks its trust policy
/// before it makes a request.
public protocol HTTPTransport: Sendable {
    /// - Returns: the reply, whatever its status is.
    /// - Throws: when there was no complete reply. Cancelling the calling task ends the request.
    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse

    /// A reply was not one to its request: whatever else is on the way on the server's connections is not to be taken for
    /// an answer. Later requests to it do not use a connection that is open now.
    func distrustConnections(to origin: Origin)
}

extension HTTPTransport {
    /// Does nothing, for a transport without connections.
    public func distrustConnections(to _: Origin) {}
}
