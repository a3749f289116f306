// SPDX-License-Identifier: Apache-2.0

/// The version that replies of the classic protocol carry.
enum ProtocolVersion {
    static let current = "0.3"
}
