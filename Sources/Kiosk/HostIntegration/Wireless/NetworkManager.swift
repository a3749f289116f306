// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Joins by NetworkManager: a profile as a file that only root may read, and `nmcli`, which gets the file's name and
/// the profile's number only. On trial the profile is in `/run`, so that a restart forgets it.
final class NetworkManager: WirelessJoining {
    static let usualProgram = "/usr/bin/nmcli"
    private static let name = "login-kiosk"
    /// Seconds for the network's answer.
    private static let patience = 45

    private struct Trial {
        let uuid: String
        let code: WirelessCode
        /// The wireless profiles that were active before.
        let former: [String]
    }

    private let program: NetworkProgram
    private let trialFolder: String
    private let folder: String
    private let trial = Mutex<Trial?>(nil)

    init(
        program: String = NetworkManager.usualProgram, trialFolder: String = "/run/NetworkManager/system-connections",
        folder: String = "/etc/NetworkManager/system-connections"
    ) {
        self.program = NetworkProgram(path: program)
        self.trialFolder = trialFolder
        self.folder = folder
    }

    private func path(in folder: String) -> String { "\(folder)/\(NetworkManager.name).nmconnection" }

    func join(_ code: WirelessCode) async throws(WirelessFault) {
        await undo()
        let trial = Trial(uuid: UUID().uuidString.lowercased(), code: code, former: await active())
        self.trial.withLock { $0 = trial }
        do throws(WirelessFault) {
            try write(trial, in: trialFolder)
            _ = await order(["connection", "load", path(in: trialFolder)])
            try check(
                await order(
                    ["--wait", "\(NetworkManager.patience)", "connection", "up", "uuid", trial.uuid],
                    limit: .seconds(NetworkManager.patience + 5)))
        } catch {
            // A cancelled task can start no program: the caller undoes it.
            if !Task.isCancelled { await undo() }
            throw error
        }
    }

    func undo() async {
        guard let trial = trial.withLock({ $0.take() }) else { return }
        try? FileManager.default.removeItem(atPath: path(in: trialFolder))
        _ = await order(["connection", "reload"])
        for uuid in trial.former {
            _ = await order(["--wait", "30", "connection", "up", "uuid", uuid], limit: .seconds(35))
        }
    }

    func keep() async throws(WirelessFault) {
        guard let trial = trial.withLock(\.self) else { return }
        try write(trial, in: folder)
        self.trial.withLock { $0 = nil }
        try? FileManager.default.removeItem(atPath: path(in: trialFolder))
        _ = await order(["connection", "load", path(in: folder)])
    }

    private func write(_ trial: Trial, in folder: String) throws(WirelessFault) {
        try WirelessProfile.write(
            WirelessProfile.keyfile(trial.code, id: NetworkManager.name, uuid: trial.uuid), to: path(in: folder))
    }

    /// The numbers of the wireless profiles that are active.
    private func active() async -> [String] {
        let output = await order(["--terse", "--fields", "UUID,TYPE", "connection", "show", "--active"])?.output ?? ""
        return output.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":")
            guard fields.count == 2, fields[1] == "802-11-wireless", UUID(uuidString: String(fields[0])) != nil else {
                return nil
            }
            return String(fields[0])
        }
    }

    private func order(_ arguments: [String], limit: Duration = .seconds(10)) async -> NetworkProgram.Ending? {
        await program.run(arguments, limit: limit)
    }

    /// Exit codes: nmcli(1).
    private func check(_ ending: NetworkProgram.Ending?) throws(WirelessFault) {
        switch ending?.status {
        case 0: return
        case 8: throw WirelessFault("NetworkManager does not run", hint: "sudo systemctl start NetworkManager")
        case 10: throw WirelessFault("NetworkManager does not take the profile", hint: "journalctl -u NetworkManager")
        case 3, 4: throw .refused
        default: throw WirelessFault("nmcli failed", hint: "see why: journalctl -u NetworkManager")
        }
    }
}
