// SPDX-License-Identifier: Apache-2.0

/// What became of a ``Call``.
enum CallOutcome: Sendable {
    case answered(HTTPResponse)
    /// There was no reply.
    case failed(MPinError, mayHaveBeenSent: Bool)
}
