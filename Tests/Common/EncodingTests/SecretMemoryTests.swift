// SPDX-License-Identifier: Apache-2.0

import Encoding
import Glibc
import Patience
import Testing

@Suite("Memory of secrets") struct SecretMemoryTests {
    /// The flags of an address's mapping, `VmFlags` in proc(5).
    private static func flags(at address: UInt) -> [Substring] {
        guard let maps = unsafe fopen("/proc/self/smaps", "r") else { return [] }
        defer { unsafe fclose(maps) }
        var line = [CChar](repeating: 0, count: 4096)
        var isWanted = false
        while unsafe fgets(&line, Int32(line.count), maps) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let bounds = text.prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16) }
            if bounds.count == 2, let start = bounds[0], let end = bounds[1] {
                isWanted = (start..<end).contains(address)
            } else if isWanted, text.hasPrefix("VmFlags:") {
                return text.dropFirst(8).split { $0 == " " || $0 == "\n" }
            }
        }
        return []
    }

    private static func address(of secret: SecretBytes) -> UInt {
        secret.withBytes { bytes in unsafe bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    }

    @Test(arguments: [1, 6, 256, 257, 4096, 4097, 9000]) func itIsLockedAndNotDumped(count: Int) {
        let secret = SecretBytes(count: count) { $0[0] = 1 }
        let flags = Self.flags(at: Self.address(of: secret))
        #expect(flags.contains("dd"), "\(flags)")
        if SecretMemory.lockFailure == nil { #expect(flags.contains("lo"), "\(flags)") }
    }

    /// Secrets of all sizes: each keeps its own bytes, and begins with zeros.
    @Test func noSecretTouchesAnother() {
        var random = SplitMix64(seed: 12)
        var held: [(secret: SecretBytes, byte: UInt8)] = []
        for round in 0..<5000 {
            let count = Int.random(in: 0...(round.isMultiple(of: 10) ? 5000 : 300), using: &random)
            let byte = UInt8.random(in: 1...255, using: &random)
            let secret = SecretBytes(count: count) { bytes in
                for index in bytes.indices {
                    #expect(bytes[index] == 0)
                    bytes[index] = byte
                }
            }
            held.append((secret, byte))
            if held.count > 100 {
                let (old, wanted) = held.remove(at: Int.random(in: 0..<held.count, using: &random))
                let isKept = old.withBytes { bytes in bytes.indices.allSatisfy { bytes[$0] == wanted } }
                #expect(isKept)
            }
        }
    }

    /// As for a user who has reached the limit.
    @Test func memoryThatCannotBeLockedServesAllTheSame() async {
        await #expect(processExitsWith: .exitCode(5)) {
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            guard unsafe setrlimit(Int32(__RLIMIT_MEMLOCK.rawValue), &none) == 0 else { exit(1) }
            // Root has no limit.
            guard geteuid() != 0 || seteuid(65534) == 0 else { exit(2) }
            let secret = SecretBytes(copying: [1, 2, 3])
            guard secret.withBytes({ $0[2] }) == 3 else { exit(3) }
            exit(SecretMemory.lockFailure == nil ? 4 : 5)
        }
    }
}
