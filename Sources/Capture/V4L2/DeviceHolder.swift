// SPDX-License-Identifier: Apache-2.0

/// A process that has a device file open.
public struct DeviceHolder: Sendable, Equatable, CustomStringConvertible {
    public let process: Int32
    public let name: String

    public var description: String { "\(name) (process \(process))" }
}
