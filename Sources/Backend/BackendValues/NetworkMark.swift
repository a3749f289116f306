// SPDX-License-Identifier: Apache-2.0

/// The mark in a code that describes the network of its page.
package struct NetworkMark: Hashable, Codable, Sendable {
    package enum Kind: UInt8, Codable {
        case unknown, loopback
        /// A private network, such as 192.168.0.0/16.
        case local
        case global
        /// A place that the operator configured.
        case place
    }

    static let digestLength = 3
    package static let unknown = NetworkMark(.unknown, [UInt8](repeating: 0, count: digestLength))

    package let kind: Kind
    package let digest: [UInt8]

    package init(_ kind: Kind, _ digest: [UInt8]) { (self.kind, self.digest) = (kind, digest) }
}
