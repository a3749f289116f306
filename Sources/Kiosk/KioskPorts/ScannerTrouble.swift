// SPDX-License-Identifier: Apache-2.0

/// Why no pictures come.
public struct ScannerTrouble: Sendable, Equatable, CustomStringConvertible {
    /// The raw value is the byte on the pipe.
    public enum Kind: UInt8, Sendable, Equatable, CaseIterable {
        /// The camera, file or folder is not there.
        case missing = 1
        /// Another program has the camera.
        case inUse = 2
        /// It is there and delivers nothing.
        case silent = 3
        /// Another camera is where the known one was.
        case exchanged = 4
        /// Everything else: the reason tells.
        case broken = 5
        /// Pictures come, and none of them can be decoded.
        case undecodable = 6
    }

    public let kind: Kind
    /// The fault, its place and a remedy; for the log.
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
