// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a server answered.
public struct BrowserReply: Sendable {
    public let status: Int
    public let body: Data
    /// Where the body came from after redirects.
    public let address: URL
}
