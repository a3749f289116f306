// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// The backend that is set: its name in identity keys and the dialect that speaks to it.
struct BackendSession {
    let key: String
    let dialect: any Dialect

    /// A backend's URL without scheme and trailing slashes (milagro protocol, section 8.3).
    static func key(of url: WebAddress) -> String {
        String(url.base.absoluteText.dropFirst("\(url.origin.scheme.rawValue)://".utf8.count))
    }
}
