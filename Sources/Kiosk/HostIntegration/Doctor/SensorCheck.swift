// SPDX-License-Identifier: Apache-2.0

/// Whether the parts for filming with a sensor (CSI) are there: program, device files of the camera, and memory for
/// pictures.
public enum SensorCheck {
    /// - Parameters:
    ///   - isNeeded: whether the configured source is a sensor.
    ///   - program: the path of the program; nil when it is not installed.
    /// - Returns: nil without a need and without a sensor.
    public static func result(_ tree: SystemTree, isNeeded: Bool, program: String?) -> CheckResult? {
        let media = tree.names("dev") { $0.hasPrefix("media") && Int($0.dropFirst(5)) != nil }
        let heaps = tree.names("dev/dma_heap")
        let nodes = tree.names("sys/class/video4linux") { $0.hasPrefix("video") }
            .compactMap { tree.line("sys/class/video4linux/\($0)/name") }
        // The receivers of a Raspberry Pi up to 4, and of a 5, exist when a sensor answers.
        let hasSensor = nodes.contains { $0.hasPrefix("unicam") || $0.hasPrefix("rp1-cfe") }
        guard isNeeded else {
            return hasSensor ? .ok("the kernel has found one; source: rpicam films with it") : nil
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
            return .ok("program, device files and memory for pictures are there")
        }
        return .failure(missing.map(\.what).joined(separator: "; "), remedy: first.remedy)
    }
}
