// SPDX-License-Identifier: Apache-2.0

/// The location of a browser relative to the device that logs it in.
package enum BrowserLocation: String, Codable, Sendable {
    case same, other, unknown
}
