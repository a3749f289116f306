// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import ConfinedProcess
@testable import login_kiosk_scanner

/// The names of system calls by number, from the kernel's own headers.
enum KernelHeader {
    /// Debian has the second file on every processor, because most have no numbers of their own.
    private static func path(_ interface: KernelInterface) -> String {
        switch interface {
        case .amd64: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"
        case .arm64: "/usr/include/asm-generic/unistd.h"
        }
    }

    static func exists(_ interface: KernelInterface) -> Bool {
        FileManager.default.fileExists(atPath: path(interface))
    }

    static func names(_ interface: KernelInterface) throws -> [UInt32: String] {
        var definitions: [(name: String, value: String)] = []
        var values: [String: String] = [:]
        for line in try String(contentsOfFile: path(interface), encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count >= 3, words[0] == "#define", words[1].hasPrefix("__NR") else { continue }
            definitions.append((words[1], words[2]))
            values[words[1]] = words[2]
        }
        var names: [UInt32: String] = [:]
        for (name, value) in definitions where name.hasPrefix("__NR_") {
            // Calls that differ between 32 and 64 bits have their number under another name. The names for 64 bits
            // come first.
            guard let number = UInt32(values[value] ?? value), names[number] == nil else { continue }
            names[number] = String(name.dropFirst(5))
        }
        return names
    }
}
