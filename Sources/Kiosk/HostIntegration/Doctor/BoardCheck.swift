// SPDX-License-Identifier: Apache-2.0

/// Names the machine and its kernel, and their parts that the kiosk needs but that are switched off.
public enum BoardCheck {
    private static let name = "board"
    private static let deviceTree = "proc/device-tree"

    /// - Parameter pageSize: of the running kernel, in bytes.
    public static func judge(_ tree: SystemTree, pageSize: Int) -> CheckResult {
        var parts = [model(tree) ?? "this machine", "pages of \(pageSize / 1024) KiB"]
        if let source = tree.line("sys/devices/system/clocksource/clocksource0/current_clocksource") {
            parts.append("clock source \(printable(source))")
        }
        if tree.isThere(deviceTree) {
            // Overlays of this kiosk add names that begin with it.
            let keypads = tree.names(deviceTree) { $0.hasPrefix("login-kiosk") }.map(printable)
            parts.append(keypads.isEmpty ? "no overlay of this kiosk" : "overlay " + keypads.joined(separator: ", "))
        }
        if let modules = tree.line("sys/kernel/security/lsm"), !modules.split(separator: ",").contains("landlock") {
            parts.append("no Landlock among its security modules (\(printable(modules)))")
        }
        return .ok(name, parts.joined(separator: "; "))
    }

    private static func model(_ tree: SystemTree) -> String? {
        (tree.line("\(deviceTree)/model") ?? tree.line("sys/class/dmi/id/product_name")).map(printable)
    }

    /// Keeps the printable ASCII characters of a text, at most 80: a firmware may give itself any name.
    static func printable(_ text: String) -> String {
        String(
            text.unicodeScalars.filter { $0.isASCII && $0.value >= 32 && $0.value != 127 }.prefix(80).map(
                Character.init))
    }
}

/// Whether the unit's memory limit works. The firmware of a Raspberry Pi starts the kernel without the controller for
/// it.
public enum LimitCheck {
    private static let name = "limits"

    /// - Returns: nil when control groups of version 2 are not at the usual path.
    public static func judge(_ tree: SystemTree) -> CheckResult? {
        guard let line = tree.line("sys/fs/cgroup/cgroup.controllers") else { return nil }
        guard !line.split(separator: " ").contains("memory") else { return .ok(name, "memory can be limited") }
        return .warning(
            name, "the memory controller is off: the service's limit of memory (MemoryMax) does nothing",
            remedy: "add cgroup_enable=memory to /boot/firmware/cmdline.txt, and start the machine again")
    }
}

/// Whether the parts for filming with a sensor (CSI) are there: program, device files of the camera, and memory for
/// pictures.
public enum SensorCheck {
    private static let name = "sensor"

    /// - Parameters:
    ///   - isNeeded: whether the configured source is a sensor.
    ///   - program: the path of the program; nil when it is not installed.
    /// - Returns: nil without a need and without a sensor.
    public static func judge(_ tree: SystemTree, isNeeded: Bool, program: String?) -> CheckResult? {
        let media = tree.names("dev") { $0.hasPrefix("media") && Int($0.dropFirst(5)) != nil }
        let heaps = tree.names("dev/dma_heap")
        let nodes = tree.names("sys/class/video4linux") { $0.hasPrefix("video") }
            .compactMap { tree.line("sys/class/video4linux/\($0)/name") }
        // The receivers of a Raspberry Pi up to 4, and of a 5, exist when a sensor answers.
        let hasSensor = nodes.contains { $0.hasPrefix("unicam") || $0.hasPrefix("rp1-cfe") }
        guard isNeeded else {
            return hasSensor ? .ok(name, "the kernel has found one; source: rpicam films with it") : nil
        }
        var missing: [(what: String, remedy: String)] = []
        if program == nil { missing.append(("rpicam-vid is not installed", "apt-get install rpicam-apps")) }
        if !hasSensor {
            missing.append(
                ("no sensor was found by the kernel", "check the ribbon cable, and camera_auto_detect=1 in config.txt"))
        }
        if media.isEmpty { missing.append(("there is no /dev/media*", "use a kernel with the media controller")) }
        if heaps.isEmpty {
            missing.append(
                ("there is no /dev/dma_heap", "use a kernel with CONFIG_DMABUF_HEAPS and CONFIG_DMABUF_HEAPS_CMA"))
        }
        guard let first = missing.first else {
            return .ok(name, "program, device files and memory for pictures are there")
        }
        return .failure(name, missing.map(\.what).joined(separator: "; "), remedy: first.remedy)
    }
}
