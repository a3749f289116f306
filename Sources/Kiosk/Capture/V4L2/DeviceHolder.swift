// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// A process that has a device file open.
public struct DeviceHolder: Sendable, Equatable, CustomStringConvertible {
    public let process: Int32
    public let name: String

    public var description: String { "\(name) (process \(process))" }
}

extension DeviceHolder {
    /// The most processes and descriptors of each that are looked at.
    private static let maximumCount = 65536

    /// A sentence on which process has which camera open; nil when no process is seen to have one.
    public static func ofCameras() -> String? {
        let held = DeviceFiles().videoNodes().flatMap { node in
            holders(of: node).map { "\(node) is held by \($0)" }
        }
        return held.isEmpty ? nil : held.joined(separator: ", ")
    }

    /// The processes that have a node open, as far as this process may see: another user's descriptors are shown
    /// to root alone.
    static func holders(of node: String) -> [DeviceHolder] {
        let own = getpid()
        return names(in: "/proc").compactMap(Int32.init).filter { process in
            process != own
                && names(in: "/proc/\(process)/fd").contains {
                    SymbolicLink.target(of: "/proc/\(process)/fd/\($0)") == node
                }
        }.sorted().map { DeviceHolder(process: $0, name: command(of: $0)) }
    }

    private static func names(in directory: String) -> [String] {
        (try? DirectoryEntries.names(in: directory, atMost: maximumCount)) ?? []
    }

    private static func command(of process: Int32) -> String {
        guard let bytes = try? CappedFile.read("/proc/\(process)/comm") else { return "unknown" }
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
