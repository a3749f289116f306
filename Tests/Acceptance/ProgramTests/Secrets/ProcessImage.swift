// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The memory of another process, as root may read it: `/proc/PID/mem`, with the mappings of `/proc/PID/smaps`.
struct ProcessImage {
    /// A range of addresses, and its properties.
    struct Mapping: CustomStringConvertible {
        let addresses: Range<UInt>
        let isWritable: Bool
        /// The file, or the kernel's name, such as `[heap]`; empty for anonymous memory.
        let name: String
        /// `VmFlags` of proc(5).
        var flags: [Substring] = []

        /// Whether neither swap space nor a core file gets it.
        var isOfSecrets: Bool { flags.contains("lo") && flags.contains("dd") }
        var description: String { "\(name.isEmpty ? "anonymous" : name) \(flags.joined(separator: " "))" }
    }

    /// Whether this process may read the memory of others, and start programs that lock as much as they like:
    /// `CAP_SYS_PTRACE` and `CAP_IPC_LOCK` of capabilities(7).
    static var isPossible: Bool {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let held = status.firstMatch(of: /CapEff:\s*([0-9a-f]+)/).flatMap { UInt64($0.output.1, radix: 16) } ?? 0
        return held >> 19 & held >> 14 & 1 == 1
    }

    private let memory: FileHandle
    private let mappings: [Mapping]

    init(of process: Int32) throws {
        memory = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/mem"), "the memory is not for this user")
        var mappings: [Mapping] = []
        // As in SecretsTests.processes.
        let list = try #require(try FileHandle(forReadingAtPath: "/proc/\(process)/smaps")?.readToEnd())
        for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("VmFlags:") {
                let flags = line.split(separator: " ").dropFirst()
                if !mappings.isEmpty { mappings[mappings.count - 1].flags = Array(flags) }
            } else if let first = line.utf8.first, !(0x41...0x5A).contains(first), let mapping = Mapping(line) {
                mappings.append(mapping)
            }
        }
        self.mappings = mappings
    }

    /// The mapping of each place with the secret in some form. Memory that cannot be written has the content of files,
    /// so it is left out.
    func places(of secret: SecretForms) -> [Mapping] {
        var found: [Mapping] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        for mapping in mappings where mapping.isWritable {
            var start = mapping.addresses.lowerBound
            while start < mapping.addresses.upperBound {
                let wanted = min(buffer.count, Int(clamping: mapping.addresses.upperBound - start))
                // Safe: at most the size of the buffer.
                let count = unsafe pread(memory.fileDescriptor, &buffer, wanted, off_t(start))
                // It is no longer there, or that of a device.
                guard count > 0 else { break }
                found += secret.places(in: buffer, upTo: count).map { _ in mapping }
                let end = start + UInt(count)
                // A secret may cross the end of the buffer.
                start =
                    end < mapping.addresses.upperBound && count == wanted
                    ? end - UInt(secret.maximumLength) : end
            }
        }
        return found
    }
}

extension ProcessImage.Mapping {
    /// Reads a line such as `7f1c2a000000-7f1c2a021000 rw-p 00000000 00:00 0    [heap]`.
    ///
    /// - Returns: nil for any other line.
    fileprivate init?(_ line: Substring) {
        let fields = line.split(separator: " ", maxSplits: 5)
        let bounds = fields.first?.split(separator: "-").map { UInt($0, radix: 16) } ?? []
        guard fields.count >= 5, bounds.count == 2, let start = bounds[0], let end = bounds[1], start < end
        else { return nil }
        self.init(
            addresses: start..<end, isWritable: fields[1].hasPrefix("rw"),
            name: fields.count > 5 ? fields[5].trimmingCharacters(in: .whitespaces) : "")
    }
}
