// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import LoginValues
import Synchronization

/// Joins a network on the kiosk's image: wpa_supplicant connects, and systemd-networkd requests the address. The file
/// of a trial is in the memory above the image, so a restart discards it. The permanent file is kept beside the
/// settings, and the image copies it to its place at each start.
final class ImageSupplicant: WirelessJoining {
    private static let patience = Duration.seconds(45)
    private static let interval = Duration.milliseconds(250)

    private struct Trial {
        let code: WirelessCode
        /// The file that was there before.
        let former: SecretBytes?
    }

    private let adapter: String
    private let systemctl: NetworkProgram
    private let root: String
    private let patience: Duration
    private let trial = Mutex<Trial?>(nil)

    /// - Parameter root: the folder of the whole machine.
    init(
        adapter: String, systemctl: String = "/usr/bin/systemctl", root: String = "",
        patience: Duration = ImageSupplicant.patience
    ) {
        self.adapter = adapter
        self.systemctl = NetworkProgram(path: systemctl)
        self.root = root
        self.patience = patience
    }

    private var file: String { "\(root)/etc/wpa_supplicant/wpa_supplicant-\(adapter).conf" }
    private var keptFile: String { "\(root)/etc/login-kiosk/network/wpa_supplicant-\(adapter).conf" }

    func join(_ code: WirelessCode) async throws(WirelessFault) {
        await undo()
        let former = (try? OwnedFile.read(file, .secret, upTo: 16 * 1024)).map { SecretBytes($0) }
        trial.withLock { $0 = Trial(code: code, former: former) }
        do throws(WirelessFault) {
            try WirelessProfile.write(WirelessProfile.supplicant(code), to: file)
            try await restart()
            try await waitForLink()
        } catch {
            // A cancelled task can start no program: the caller undoes it.
            if !Task.isCancelled { await undo() }
            throw error
        }
    }

    func undo() async {
        guard let trial = trial.withLock({ $0.take() }) else { return }
        guard let former = trial.former else {
            try? FileManager.default.removeItem(atPath: file)
            _ = await systemctl.run(["stop", unit], limit: .seconds(15))
            return
        }
        try? WirelessProfile.write(former, to: file)
        try? await restart()
    }

    func keep() async throws(WirelessFault) {
        guard let trial = trial.withLock(\.self) else { return }
        try WirelessProfile.write(WirelessProfile.supplicant(trial.code), to: keptFile)
        self.trial.withLock { $0 = nil }
    }

    private var unit: String { "wpa_supplicant@\(adapter).service" }

    private func restart() async throws(WirelessFault) {
        guard await systemctl.run(["restart", unit], limit: .seconds(15))?.status == 0 else {
            throw WirelessFault("\(unit) does not start", hint: "see why: journalctl -u \(unit)")
        }
    }

    /// The kernel calls a wireless link up once the password has been accepted.
    private func waitForLink() async throws(WirelessFault) {
        let deadline = ContinuousClock.now + patience
        repeat {
            let state = try? OpenedFile.read("\(root)/sys/class/net/\(adapter)/operstate", upTo: 64)
            if state?.starts(with: Array("up\n".utf8)) == true { return }
            guard (try? await Task.sleep(for: ImageSupplicant.interval)) != nil else { break }
        } while ContinuousClock.now < deadline
        throw .refused
    }
}
