// SPDX-License-Identifier: Apache-2.0

/// What a browser session tells about itself; every text is empty when the server did not say (milagro protocol,
/// section 7.3). As the server wrote it, so whoever shows it cleans it first.
public struct SessionDetails: Sendable, Hashable {
    /// The identity that the browser named.
    public var prerollID = ""
    public var appName = ""
    public var appIconURL = ""
    public var customerID = ""
    public var customerName = ""
    public var customerIconURL = ""

    public init() {}
}
