// SPDX-License-Identifier: Apache-2.0

/// The version in replies of the classic protocol.
package enum ProtocolVersion {
    package static let current = "0.3"
}
