// SPDX-License-Identifier: Apache-2.0

/// Why the scanner has no usable picture.
public struct ScannerTrouble: Sendable, Equatable, CustomStringConvertible {
    /// The raw value is the byte on the pipe.
    public enum Kind: UInt8, Sendable, Equatable, CaseIterable {
        /// The camera, file or folder is not there.
        case missing = 1
        /// Another program uses the camera.
        case inUse = 2
        /// It exists but delivers nothing.
        case silent = 3
        /// Another camera has replaced the known one.
        case exchanged = 4
        /// Any other fault; see the reason.
        case broken = 5
        /// Pictures come, but none can be decoded.
        case undecodable = 6
    }

    public let kind: Kind
    /// Text for the log: the fault, its place and the remedy.
    public let reason: String

    public init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    public init(_ error: FrameSourceError) {
        let kind: Kind =
            switch error.code {
            case .notFound: .missing
            case .inUse: .inUse
            case .silent: .silent
            case .exchanged: .exchanged
            case .undecodable: .undecodable
            case .invalidSource, .unreadable, .forbidden, .unsupportedFormat, .malformed, .tooLarge, .empty: .broken
            }
        self.init(kind, error.description)
    }

    public var description: String { reason }
}
