// SPDX-License-Identifier: Apache-2.0

import CSeccomp
import Glibc

/// Landlock: the kernel refuses every file outside of the rules, also to root, including the memory and the secrets of
/// other processes in `/proc`. Newer versions also refuse the network, and signals to other processes.
public enum FileFilter {
    /// `LANDLOCK_ACCESS_...` and `LANDLOCK_SCOPE_...` by the version that added them; headers may be older than the
    /// kernel.
    private enum Right {
        static let writeFile: UInt64 = 1 << 1
        static let readFile: UInt64 = 1 << 2
        static let readFolder: UInt64 = 1 << 3
        /// All rights of version 1, also starting programs, making and removing files.
        static let version1: UInt64 = (1 << 13) - 1
        /// Version 2: moving files between folders.
        static let refer: UInt64 = 1 << 13
        /// Version 3: truncating files.
        static let truncate: UInt64 = 1 << 14
        /// Version 5: controlling devices.
        static let controlDevice: UInt64 = 1 << 15
        /// Version 4: TCP, as server and as client.
        static let network: UInt64 = 1 << 0 | 1 << 1
        /// Version 6: abstract sockets, and signals, beyond the process itself.
        static let scopes: UInt64 = 1 << 0 | 1 << 1
    }

    /// The version of Landlock in this kernel; nil when the kernel has none, Landlock is switched off, or a container's
    /// filter hides it.
    public static var version: Int? {
        let version = cseccomp_landlock_version()
        return version > 0 ? version : nil
    }

    /// - Returns: false when the kernel does not support it.
    static func install(_ rules: [FileRule]) throws(ConfinementError) -> Bool {
        guard let version else { return false }
        var governed = cseccomp_governed(files: Right.version1, network: 0, scopes: 0)
        if version >= 2 { governed.files |= Right.refer }
        if version >= 3 { governed.files |= Right.truncate }
        if version >= 4 { governed.network = Right.network }
        if version >= 5 { governed.files |= Right.controlDevice }
        if version >= 6 { governed.scopes = Right.scopes }
        // Safe: the structure is read during the call.
        let ruleset = Int32(unsafe cseccomp_landlock_ruleset(&governed))
        guard ruleset >= 0 else { throw ConfinementError("file rules", errno) }
        defer { close(ruleset) }
        for rule in rules { try allow(rule, governed.files, ruleset) }
        guard cseccomp_landlock_restrict(ruleset) == 0 else { throw ConfinementError("file filter", errno) }
        return true
    }

    private static func allow(_ rule: FileRule, _ handled: UInt64, _ ruleset: Int32) throws(ConfinementError) {
        // Safe: the text is lent for the call.
        let place = unsafe open(rule.path, cseccomp_place_only | O_CLOEXEC)
        // A missing file needs no rule; opening the source reports it.
        guard place >= 0 else { return }
        defer { close(place) }
        let wanted: UInt64 =
            switch rule.access {
            case .read: Right.readFile
            case .list: Right.readFolder
            case .readAndList: Right.readFile | Right.readFolder
            case .device: Right.readFile | Right.writeFile | Right.controlDevice
            }
        guard cseccomp_landlock_allow(ruleset, wanted & handled, place) == 0 else {
            throw ConfinementError("file rule for \(rule.path)", errno)
        }
    }
}
