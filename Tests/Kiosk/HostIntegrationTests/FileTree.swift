// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import HostIntegration

/// A folder, or a machine made of files. They are deleted with this object.
final class FileTree {
    private let root = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)")

    /// The path of the folder, or of a file in it.
    func path(_ name: String = "") -> String { root.path() + (name.isEmpty ? "" : "/" + name) }

    func text(_ name: String) throws -> String { try String(contentsOf: root.appending(path: name), encoding: .utf8) }

    /// Checks the tree. Its files are deleted with this object.
    func checked<Result>(_ check: (SystemTree) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try check(SystemTree(root: root.path())) }
    }

    init(_ files: [String: String] = [:]) throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        for (name, content) in files { try file(name, content) }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func file(_ name: String, _ content: String) throws { try file(name, Data(content.utf8)) }

    func file(_ name: String, _ content: Data) throws {
        let place = root.appending(path: name)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? FileManager.default.removeItem(at: place)
        try content.write(to: place)
    }

    func directory(_ name: String) throws {
        let place = root.appending(path: name)
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }

    /// A healthy Raspberry Pi 4 with its maker's system: a sensor, a card, one of this kiosk's overlays. Names and
    /// formats are those of its kernel; the values are made up.
    static let pi4 = [
        "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.5\0",
        "proc/device-tree/login-kiosk-keypad/compatible": "gpio-matrix-keypad\0",
        "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
        "sys/class/hwmon/hwmon0/name": "cpu_thermal\n",
        "sys/class/hwmon/hwmon1/name": "rpi_volt\n",
        "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
        "sys/class/thermal/thermal_zone0/temp": "48199\n",
        "sys/class/thermal/thermal_zone0/type": "cpu-thermal\n",
        "sys/class/thermal/cooling_device0/type": "gpio-fan\n",
        "sys/bus/mmc/devices/mmc0:aaaa/type": "SD\n",
        "sys/bus/mmc/devices/mmc0:aaaa/name": "SC32G\n",
        "sys/bus/mmc/devices/mmc1:0001/type": "SDIO\n",
        "sys/devices/system/clocksource/clocksource0/current_clocksource": "arch_sys_counter\n",
        "sys/fs/cgroup/cgroup.controllers": "cpuset cpu io memory pids\n",
        "sys/kernel/security/lsm": "capability,landlock,yama,apparmor\n",
        "sys/class/video4linux/video0/name": "unicam-image\n",
        "sys/class/video4linux/video10/name": "bcm2835-codec-decode\n",
        "dev/media0": "", "dev/media1": "", "dev/dma_heap/linux,cma": "", "dev/dma_heap/system": "",
    ]
}
