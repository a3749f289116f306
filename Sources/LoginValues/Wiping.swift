// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Overwrites the bytes by the libc call that a compiler may not remove.
@unsafe func wipe(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    guard let address = bytes.baseAddress else { return }
    // Safe as far as the caller's buffer is alive: address and count are its own.
    unsafe explicit_bzero(address, bytes.count)
}
