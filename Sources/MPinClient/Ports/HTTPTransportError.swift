// SPDX-License-Identifier: Apache-2.0

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
