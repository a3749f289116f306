// SPDX-License-Identifier: Apache-2.0

/// Why there is no page.
public enum PageScreenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason is the system's.
    case cannotListen(port: Int, reason: String)
    case notRunning

    public var description: String {
        switch self {
        case .cannotListen(let port, let reason):
            "the web screen cannot listen at 127.0.0.1:\(port) (\(reason)); choose another port"
        case .notRunning: "the web screen is not served"
        }
    }
}
