// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem

/// Joins a wireless network on trial. ``keep()`` makes it permanent; without it the next start has the former network.
public protocol WirelessJoining: Sendable {
    /// Joins the network. After a failure the former one is joined again.
    func join(_ code: WirelessCode) async throws(WirelessFault)
    /// Leaves the network of the trial, for the former one.
    func undo() async
    /// Makes the network of the trial permanent.
    func keep() async throws(WirelessFault)
}

/// The reason why a network was not joined. The text has no part of the code.
public struct WirelessFault: Error, Sendable, Equatable {
    public let sentence: String
    public let hint: String
    /// Whether another user, such as root, would have succeeded.
    public let isOfRights: Bool

    init(_ sentence: String, hint: String, isOfRights: Bool = false) {
        self.sentence = sentence
        self.hint = hint
        self.isOfRights = isOfRights
    }

    init(_ fault: FileFault) {
        self.init("the network's profile cannot be written: \(fault)", hint: fault.hint)
    }

    static let refused = WirelessFault(
        "the network did not let this machine in", hint: "is it in reach, and has its password changed?")
}

/// The program of this machine that joins wireless networks.
public enum WirelessPrograms {
    /// - Returns: NetworkManager where it runs, wpa_supplicant on the kiosk's image.
    public static func found() throws(WirelessFault) -> any WirelessJoining {
        let files = FileManager.default
        guard let adapter = adapters(in: "/sys/class/net").first else {
            throw WirelessFault(
                "this machine has no wireless adapter",
                hint: "connect a cable, or plug an adapter in and repeat this step")
        }
        guard geteuid() == 0 else {
            throw WirelessFault(
                "only root may change the network", hint: "leave, and begin again with: sudo login-kiosk setup",
                isOfRights: true)
        }
        if files.fileExists(atPath: "/run/NetworkManager"), files.isExecutableFile(atPath: NetworkManager.usualProgram)
        {
            return NetworkManager()
        }
        if files.fileExists(atPath: "/usr/lib/login-kiosk/image") { return ImageSupplicant(adapter: adapter) }
        throw WirelessFault(
            "NetworkManager does not run here", hint: "join the network as this machine wants it, and skip this step")
    }

    /// Names of the network devices that have a radio.
    static func adapters(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/phy80211") }.sorted()
    }
}
