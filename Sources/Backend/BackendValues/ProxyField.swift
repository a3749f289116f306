// SPDX-License-Identifier: Apache-2.0

/// The header field in which proxies name their client.
package enum ProxyField: String, CaseIterable, Sendable {
    case xForwardedFor = "X-Forwarded-For"
    /// RFC 7239.
    case forwarded = "Forwarded"
}
