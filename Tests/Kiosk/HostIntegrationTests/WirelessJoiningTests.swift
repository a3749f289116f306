// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import LoginValues
import Testing

@testable import HostIntegration

/// Joining by programs in the place of `nmcli` and `systemctl`, which note their arguments. Not at once: a program that is
/// being written cannot be started by another test.
@Suite("Joining a wireless network", .serialized) struct WirelessJoiningTests {
    private static let former = "6b1a3f5e-0000-4000-8000-000000000001"
    let root = FileManager.default.temporaryDirectory.appending(path: "wireless-\(UUID().uuidString)").path()
    let code: WirelessCode

    init() throws {
        code = try WirelessCode(SecretBytes(copying: "WIFI:T:WPA;S:Library;P:open sesame;;".utf8))
        for folder in ["run", "etc", "machine/sys/class/net/wlan0", "machine/etc/wpa_supplicant"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
    }

    private func clean() { try? FileManager.default.removeItem(atPath: root) }

    private func install(_ script: String, as name: String) throws -> String {
        try Data("#!/bin/sh\necho \"$*\" >> \(root)/orders\n\(script)\n".utf8).write(
            to: URL(filePath: "\(root)/\(name)"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(root)/\(name)")
        return "\(root)/\(name)"
    }

    /// A machine with one wireless and one wired network, which joins with this exit code.
    private func manager(joiningWith status: Int32) throws -> NetworkManager {
        let program = try install(
            """
            case "$*" in
            *--active) echo \(Self.former):802-11-wireless; echo 6b1a3f5e-0000-4000-8000-000000000002:802-3-ethernet ;;
            'connection load'*) stat -c '%a %U' "$3" >> \(root)/orders; cp "$3" \(root)/seen ;;
            *'connection up uuid \(Self.former)') ;;
            *'connection up uuid'*) exit \(status) ;;
            esac
            """, as: "nmcli")
        return NetworkManager(program: program, trialFolder: "\(root)/run", folder: "\(root)/etc")
    }

    private var orders: [String] { text("orders").split(separator: "\n").map(String.init) }

    private func text(_ name: String) -> String {
        (try? String(contentsOfFile: "\(root)/\(name)", encoding: .utf8)) ?? ""
    }

    private func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(name)") }

    private var profile: String { "login-kiosk.nmconnection" }

    @Test("The password goes into a file that only root reads, and into no argument")
    func joined() async throws {
        defer { clean() }
        let manager = try manager(joiningWith: 0)
        try await manager.join(code)
        #expect(
            text("seen").contains("psk=open\\ssesame\n") && text("seen").contains("ssid=76;105;98;114;97;114;121;\n"))
        #expect(orders.contains { $0.hasPrefix("600 ") })
        #expect(!orders.contains { $0.contains("sesame") || $0.contains("Library") }, "\(orders)")
        let uuid = try #require(text("seen").firstMatch(of: /uuid=([0-9a-f-]{36})/)?.output.1)
        #expect(orders.last == "--wait 45 connection up uuid \(uuid)")
        // On trial, and gone after a restart.
        #expect(isThere("run/\(profile)") && !isThere("etc/\(profile)"))
        try await manager.keep()
        #expect(!isThere("run/\(profile)") && text("etc/\(profile)").contains("psk=open\\ssesame\n"))
        // A connection that is kept is not undone.
        await manager.undo()
        #expect(isThere("etc/\(profile)") && !orders.contains { $0.contains(Self.former) })
    }

    @Test(
        "A network that does not answer leaves the former one, and nothing of itself",
        arguments: [3, 4, 8, 10, 1] as [Int32])
    func refused(_ status: Int32) async throws {
        defer { clean() }
        try Data("kept".utf8).write(to: URL(filePath: "\(root)/etc/\(profile)"))
        let manager = try manager(joiningWith: status)
        let error = await #expect(throws: WirelessFault.self) { try await manager.join(code) }
        #expect(error?.hint.isEmpty == false && error.map { "\($0)".contains("sesame") } == false)
        #expect(!isThere("run/\(profile)") && text("etc/\(profile)") == "kept")
        #expect(Array(orders.suffix(2)) == ["connection reload", "--wait 30 connection up uuid \(Self.former)"])
        // There is nothing left to make permanent.
        try await manager.keep()
        #expect(text("etc/\(profile)") == "kept")
    }

    @Test("Leaving before the end undoes a network that was joined")
    func undone() async throws {
        defer { clean() }
        let manager = try manager(joiningWith: 0)
        try await manager.join(code)
        await manager.undo()
        #expect(!isThere("run/\(profile)") && !isThere("etc/\(profile)"))
        #expect(orders.last == "--wait 30 connection up uuid \(Self.former)")
    }

    @Test("A program that another user could have changed is not started")
    func exposedProgram() async throws {
        defer { clean() }
        let manager = try manager(joiningWith: 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: "\(root)/nmcli")
        await #expect(throws: WirelessFault.self) { try await manager.join(code) }
        #expect(orders.isEmpty && !isThere("run/\(profile)"))
    }

    private func supplicant(isUp: Bool) throws -> ImageSupplicant {
        try Data((isUp ? "up\n" : "dormant\n").utf8)
            .write(to: URL(filePath: "\(root)/machine/sys/class/net/wlan0/operstate"))
        return ImageSupplicant(
            adapter: "wlan0", systemctl: try install("", as: "systemctl"), root: "\(root)/machine", patience: .zero)
    }

    @Test("On the image wpa_supplicant gets its file, and the next start the permanent one")
    func image() async throws {
        defer { clean() }
        let supplicant = try supplicant(isUp: true)
        try await supplicant.join(code)
        let file = "machine/etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
        #expect(text(file).contains("psk=\"open sesame\"") && orders == ["restart wpa_supplicant@wlan0.service"])
        #expect(try FileManager.default.attributesOfItem(atPath: "\(root)/\(file)")[.posixPermissions] as? Int == 0o600)
        try await supplicant.keep()
        let kept = "machine/etc/login-kiosk/network/wpa_supplicant-wlan0.conf"
        #expect(text(kept) == text(file))
        #expect(try FileManager.default.attributesOfItem(atPath: "\(root)/\(kept)")[.posixPermissions] as? Int == 0o600)
    }

    @Test("On the image a network that does not answer leaves the former file")
    func imageRefused() async throws {
        defer { clean() }
        let file = "machine/etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
        let supplicant = try supplicant(isUp: false)
        await #expect(throws: WirelessFault.refused) { try await supplicant.join(code) }
        #expect(!isThere(file) && orders.last == "stop wpa_supplicant@wlan0.service")
        try OwnedFile.replace("\(root)/\(file)", with: Array("former\n".utf8), mode: 0o600)
        await #expect(throws: WirelessFault.refused) { try await supplicant.join(code) }
        #expect(text(file) == "former\n" && orders.last == "restart wpa_supplicant@wlan0.service")
        try await supplicant.keep()
        #expect(!isThere("machine/etc/login-kiosk"))
    }

    @Test("An adapter is a network device with a radio")
    func adapters() throws {
        defer { clean() }
        let folder = "\(root)/machine/sys/class/net"
        #expect(WirelessPrograms.adapters(in: folder).isEmpty)
        try FileManager.default.createDirectory(atPath: "\(folder)/wlan0/phy80211", withIntermediateDirectories: true)
        #expect(WirelessPrograms.adapters(in: folder) == ["wlan0"])
    }
}
