// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Synchronization

/// Memory for secrets, in pages that `mlock` keeps out of swap and `madvise` keeps out of core files.
///
/// Nearly all secrets fit into slots of pages that are never freed: system calls for each request and reply would take
/// longer than the work itself. A larger secret has pages to itself.
public enum SecretMemory {
    /// Free memory for secrets up to one size.
    private final class Slots: Sendable {
        let size: Int
        /// Addresses of slots that hold no secret; their bytes are zero.
        let free = Mutex<[UInt]>([])

        init(of size: Int) { self.size = size }
    }

    /// Small: keys, tokens and points. Medium: request and reply bodies.
    private static let (small, medium) = (Slots(of: 256), Slots(of: 4096))
    private static let regionSize = 64 << 10

    private static let firstFailure = Mutex<Int32?>(nil)

    /// The `errno` of the first page that could not be locked and so may be written to swap; nil if all are locked.
    /// Tries at least one page. The limit is `RLIMIT_MEMLOCK`, see getrlimit(2).
    public static var lockFailure: Int32? {
        unsafe release(take(1))
        return firstFailure.withLock(\.self)
    }

    /// Bytes that are all zero, for ``release(_:)``.
    @unsafe package static func take(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
        let address =
            if let slots = slots(for: count) {
                slots.free.withLock { free in
                    if free.isEmpty {
                        let region = newPages(regionSize)
                        free = stride(from: region, to: region + UInt(regionSize), by: slots.size).reversed()
                    }
                    return free.removeLast()
                }
            } else {
                newPages(count)
            }
        // Safe: pages of ours, which no other part of the program has.
        return unsafe UnsafeMutableBufferPointer(start: UnsafeMutablePointer(bitPattern: address), count: count)
    }

    /// Overwrites the bytes; they must not be used any more.
    @unsafe package static func release(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        unsafe wipe(bytes)
        if let slots = slots(for: bytes.count) {
            let address = UInt(bitPattern: bytes.baseAddress)
            slots.free.withLock { $0.append(address) }
        } else {
            unsafe munmap(bytes.baseAddress, bytes.count)
        }
    }

    /// The slots for this size; nil if it needs pages of its own.
    private static func slots(for count: Int) -> Slots? {
        count <= small.size ? small : count <= medium.size ? medium : nil
    }

    private static func newPages(_ count: Int) -> UInt {
        let pages = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard unsafe pages != MAP_FAILED, let pages = unsafe pages else {
            preconditionFailure("the system refuses memory for a secret")
        }
        // If the system refuses these calls, the secret is as safe as any other memory.
        if unsafe mlock(pages, count) != 0 {
            let code = errno
            firstFailure.withLock { $0 = $0 ?? code }
        }
        unsafe madvise(pages, count, MADV_DONTDUMP)
        return UInt(bitPattern: pages)
    }
}

/// Overwrites bytes that held a secret.
package func wipe(_ bytes: inout [UInt8]) {
    // Safe: the array's own bytes are what is written.
    unsafe bytes.withUnsafeMutableBufferPointer { unsafe wipe($0) }
}

/// Overwrites the bytes by the libc call that a compiler may not remove.
@unsafe package func wipe(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    guard let address = bytes.baseAddress else { return }
    // Safe while the caller's buffer is alive: address and count are its own.
    unsafe explicit_bzero(address, bytes.count)
}
