// SPDX-License-Identifier: Apache-2.0

/// Whether the unit's memory limit works. The firmware of a Raspberry Pi starts the kernel without the controller for
/// it.
public enum LimitCheck {
    /// - Returns: nil when control groups of version 2 are not at the usual path.
    public static func result(_ tree: SystemTree) -> CheckResult? {
        guard let line = tree.line("sys/fs/cgroup/cgroup.controllers") else { return nil }
        guard !line.split(separator: " ").contains("memory") else { return .ok("memory can be limited") }
        return .warning(
            "the memory controller is off: the service's limit of memory (MemoryMax) does nothing",
            remedy: "add cgroup_enable=memory to /boot/firmware/cmdline.txt, and start the machine again")
    }
}
